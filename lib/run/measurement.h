/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan and the outputs that the loops of all kinds of subjects share.
 */
#ifndef RUN_MEASUREMENT_H
#define RUN_MEASUREMENT_H

#include "results/sample_writer.h"
#include "run/outcome.h"
#include "run/plan.h"
#include "run/progress.h"

/* A plan, and where its samples, the display and all that is to be reported go. */
struct measurement {
	const struct plan *plan;
	struct sample_writer *writer;
	struct progress *progress;
	struct outcome *outcome;
};

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kernel or model on a device against the same on the reference backend.
 */
#ifndef ENGINE_VERIFY_H
#define ENGINE_VERIFY_H

#include "engine/engine.h"

struct verify_opts {
	const struct model *model;
	const struct binding *param;
	size_t params;
	enum backend_dtype dtype;
	const struct engine_opts *engine; /* of the one under test: seed and inputs */
	int64_t past;                     /* tokens before the first step */
	uint64_t steps;                   /* that are compared, too */
};

/*
 * The largest difference that is taken for rounding, see verify_run: that of the narrowest
 * type of real numbers in which a graph keeps anything.
 */
double verify_tolerance(const struct graph *g);
/*
 * The largest |a - b| over all outputs, relative to the largest |b| of its output, where b
 * is computed by the reference backend in double precision without fusion, from weights and
 * inputs rounded alike. What has no output is compared by what it keeps. Outputs that are
 * places (int32) are left to the values beside them.
 * -1 and the message when one of the two cannot be run.
 */
int verify_run(
    struct engine *e, const struct verify_opts *config, double *error, struct fault *f);

#endif

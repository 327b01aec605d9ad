/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Subjects whose samples fail, and whether more of them fail on the new side. A sample that
 * timed out has failed.
 */
#ifndef COMPARE_FAILING_H
#define COMPARE_FAILING_H

#include "base/base.h"

/* The samples of a subject on a side. */
struct failing_samples {
	size_t failed, all;
};

/* Returns whether there are samples and all of them failed. */
bool failing_all(const struct failing_samples *s);

/* A subject with failed samples on the reference side, on another side, or on both. */
struct failing_subject {
	size_t group; /* of compare_subjects */
	size_t side;
	struct failing_samples old, new; /* of the metric that decides */
	/* One-sided p of Fisher's exact test that more samples fail on the new side,
	 * corrected for the number of such tests; NAN unless samples fail on both sides,
	 * and some succeed. */
	double p;
	/* None failed on the old side, only on the new side all failed, or p is
	 * significant. */
	bool is_worse;
};

struct compare;
/* Returns the subjects with failed samples, after compare_finish. */
const struct failing_subject *compare_failing(const struct compare *c, size_t *count);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests whether the newest value of a series differs from the values before it. Pure.
 *
 * Each old run is one value, and so is each new run, usually the only one. So the spread of
 * the old values includes what makes runs differ. The difference of the medians is compared
 * with that spread by Student's t, as in an interval for a future value (G. J. Hahn, W. Q.
 * Meeker, "Statistical Intervals", 1991, chapter 4). If all values are positive, their
 * logarithms are compared.
 */
#ifndef HISTORY_NEWEST_TEST_H
#define HISTORY_NEWEST_TEST_H

#include "compare/two_sample.h"

/* The values of a series. */
struct newest_values {
	const double *old; /* in order of time */
	size_t olds;
	const double *new;
	size_t news;
	/* The number of values to which a line was fitted, if the old values have been
	 * moved along the line to the place of the new values; otherwise 0. The slope is
	 * known only from these values, so its variance at the next value is included. */
	size_t drifted;
};

/*
 * Fills all fields of a result except p_adj, verdict and runs_needed. Autocorrelation
 * reduces the effective number of old values (prewhiten.h). p and the interval are NAN with
 * fewer than two old values. confidence: of the interval, such as 0.95.
 */
void newest_test_measure(
    const struct newest_values *values, double confidence, struct two_sample *out);
/* Fills verdict and runs_needed, the number of new runs to add. p_adj must be filled. */
void newest_test_judge(struct two_sample *c, const struct two_sample_opts *opts);

#endif

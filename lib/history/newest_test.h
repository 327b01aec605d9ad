/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The newest of a series beside what came before: is it still the same? Pure.
 *
 * Each old run is one value, and so is each new one, mostly the only one; so what makes
 * runs differ is in the spread of the old ones. The difference of the medians is held
 * against it by Student's t, as in an interval for a value to come (G. J. Hahn, W. Q.
 * Meeker, "Statistical Intervals", 1991, chapter 4), of logarithms where all values are
 * positive.
 */
#ifndef HISTORY_NEWEST_TEST_H
#define HISTORY_NEWEST_TEST_H

#include "compare/two_sample.h"

/*
 * Fills all of a result but p_adj, verdict and runs_needed. Old values are in order of
 * time: what they keep of the one before makes them count for fewer (prewhiten.h). p and
 * the interval are NAN with fewer than two old values. Of the options it uses the
 * confidence.
 *
 * drifted is 0; or the number of values that a line was fitted to, when the old values have
 * been moved along it to the place of the new ones. Its slope is known only from these
 * values, so the variance of what it adds at the value after them is taken into account.
 */
void newest_test_measure(const double *old, size_t olds, const double *new, size_t news,
    size_t drifted, const struct two_sample_opts *opts, struct two_sample *out);
/* Fills verdict and runs_needed, the number of new runs to add, once p_adj is there. */
void newest_test_judge(struct two_sample *c, const struct two_sample_opts *opts);

#endif

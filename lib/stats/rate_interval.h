/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contrasts (contrast.h) of success rates: values of 0 and 1. Pure.
 */
#ifndef STATS_RATE_INTERVAL_H
#define STATS_RATE_INTERVAL_H

#include "stats/contrast.h"

/* Returns whether all values are 0 or 1. */
bool rate_values(const double *value, size_t n);

/*
 * Returns the two-sided p, twice the smaller tail, of Fisher's exact test, and fills the
 * contrast. Given the number of successes of both sides together, those of the new side
 * have Fisher's noncentral hypergeometric distribution, whose parameter is the odds ratio
 * (R. A. Fisher, "The logic of inductive inference", Journal of the Royal Statistical
 * Society 98 (1935); J. Cornfield, "A statistical problem arising from retrospective
 * studies", Proceedings of the Third Berkeley Symposium 4 (1956)). An odds ratio
 * corresponds to the ratio, or difference, of the expected rates. The estimate, for which
 * the expected number of new successes is the observed one, is thus that of the rates. The
 * ends of the interval correspond to the odds ratios for which a tail is alpha / 2.
 */
double rate_sides(const double *old, size_t olds, const double *new, size_t news,
    double alpha, struct contrast *out);
/*
 * Does the same for n pairs, by the test of Q. McNemar, "Note on the sampling error of the
 * difference between correlated proportions or percentages", Psychometrika 12 (1947), with
 * its exact p. Given the number of pairs that differ, the number of those in which new
 * succeeds is binomial; the interval of its chance is that of C. J. Clopper and E. S.
 * Pearson, "The use of confidence or fiducial limits", Biometrika 26 (1934).
 */
double rate_pairs(
    const double *old, const double *new, size_t n, double alpha, struct contrast *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fisher's exact test of two proportions. Pure. */
#ifndef STATS_FISHER_H
#define STATS_FISHER_H

/*
 * Returns the two-sided p of Fisher's exact test that a of n and b of m have one proportion
 * (R. A. Fisher, "The logic of inductive inference", Journal of the Royal Statistical
 * Society 98 (1935)): the probability of all tables with the same sums that are no more
 * likely than this one, as in R's fisher.test. Returns 1 if n or m is 0.
 *
 * The exact p takes time in proportion to the standard deviation of a. Beyond one of 10^4,
 * p is that of the likelihood ratio (S. S. Wilks, "The large-sample distribution of the
 * likelihood ratio for testing composite hypotheses", Annals of Mathematical Statistics 9
 * (1938)) with F. Yates's correction for continuity ("Contingency tables involving small
 * numbers and the chi-squared test", Supplement to the Journal of the Royal Statistical
 * Society 1 (1934)): within 0.05% of the exact p down to p = 10^-15, in constant time.
 * Doubles cannot represent all counts above 2^53; p is then that of the least difference
 * that rounding allows, so rounding alone is never significant.
 */
double fisher_test(double a, double n, double b, double m);

/*
 * Returns the one-sided p of the same test: the probability of all tables with the same
 * sums in which a is at least as large, as in R's fisher.test with alternative = "greater".
 * A small p means that a of n is the greater proportion. Counts beyond the limits above are
 * tested in the same way as there.
 */
double fisher_test_above(double a, double n, double b, double m);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two proportions beside each other. Pure. */
#ifndef STATS_FISHER_H
#define STATS_FISHER_H

/*
 * Two-sided p of Fisher's exact test that a of n and b of m, counts, have one proportion
 * (R. A. Fisher, "The logic of inductive inference", Journal of the Royal Statistical
 * Society 98 (1935)): the tables with the same sums that are no more likely than this one,
 * as in R's fisher.test. 1 when n or m is 0.
 */
double fisher_exact(double a, double n, double b, double m);

#endif

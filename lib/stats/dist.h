/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions, from R's own library (libRmath): the only module that includes <Rmath.h>.
 */
#ifndef STATS_DIST_H
#define STATS_DIST_H

/* Returns the logarithm of n!; thread-safe, unlike lgamma(), which writes signgam. */
double dist_log_factorial(double n);
/* P(Z > z) of the standard normal, accurate far into the tail. */
double dist_normal_above(double z);
/* The z that P(Z > z) = p has. */
double dist_normal_quantile_above(double p);
/* The t that P(T > t) = p has, of Student's t with so many degrees of freedom. */
double dist_student_quantile_above(double p, double freedom);
/* The least k with P(X <= k) >= p, X binomial of n fair trials. */
double dist_fair_binomial_quantile(double p, double n);
/* P(X >= k), X binomial of n trials that succeed by this chance. */
double dist_binomial_from(double k, double n, double chance);
/* P(T > t) of Student's t with so many degrees of freedom. */
double dist_t_above(double t, double freedom);
/* P(X = x), P(X <= x) and P(X >= x) of how many white balls are among `drawn` of an urn. */
double dist_hypergeometric(double x, double white, double black, double drawn);
double dist_hypergeometric_to(double x, double white, double black, double drawn);
double dist_hypergeometric_from(double x, double white, double black, double drawn);

#endif

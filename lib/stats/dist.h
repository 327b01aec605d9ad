/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions, from R's library libRmath, whose header only this module includes.
 */
#ifndef STATS_DIST_H
#define STATS_DIST_H

/* Returns the logarithm of n!. Thread-safe, unlike lgamma(), which writes signgam. */
double dist_log_factorial(double n);
/* Returns P(Z > z) of the standard normal distribution, accurate far into the tail. */
double dist_normal_above(double z);
/* Returns z such that P(Z > z) = p. */
double dist_normal_quantile_above(double p);
/* Returns t such that P(T > t) = p, for Student's t with these degrees of freedom. */
double dist_student_quantile_above(double p, double freedom);
/* Returns the least k with P(X <= k) >= p, for X binomial of n fair trials. */
double dist_fair_binomial_quantile(double p, double n);
/* Returns the least k with P(X <= k) >= p, for X binomial of n trials with this chance of
 * success. */
double dist_binomial_quantile(double p, double n, double chance);
/* Returns the least k with P(X > k) <= p, for X binomial of n trials with this chance. */
double dist_binomial_quantile_above(double p, double n, double chance);
/* Return x such that P(X <= x) = p and P(X > x) = p, for X of the beta distribution. */
double dist_beta_quantile(double p, double a, double b);
double dist_beta_quantile_above(double p, double a, double b);
/* Returns x such that P(X <= x) = p, for the chi-square distribution with these degrees of
 * freedom. */
double dist_chi_square_quantile(double p, double freedom);
/* Returns P(T > t), for Student's t with these degrees of freedom. */
double dist_t_above(double t, double freedom);
/* Return P(X = x), P(X <= x) and P(X >= x), for X the number of white balls among `drawn`
 * balls from an urn. */
double dist_hypergeometric(double x, double white, double black, double drawn);
double dist_hypergeometric_to(double x, double white, double black, double drawn);
double dist_hypergeometric_from(double x, double white, double black, double drawn);

#endif

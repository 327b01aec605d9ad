/*
 * Distributions, from R's own library (libRmath): the only module that includes <Rmath.h>.
 */
#ifndef DIST_H
#define DIST_H

/* P(Z > z) of the standard normal, accurate far into the tail. */
double dist_normal_above(double z);
/* The z that P(Z > z) = p has. */
double dist_normal_quantile_above(double p);
/* The t that P(T > t) = p has, of Student's t with so many degrees of freedom. */
double dist_student_quantile_above(double p, double freedom);
/* The least k with P(X <= k) >= p, X binomial of n fair trials. */
double dist_fair_binomial_quantile(double p, double n);
/*
 * P(U <= u) of Mann and Whitney's statistic without ties, m and n values a side: the number
 * of pairs in which the value of the first side is the larger.
 */
double dist_ranksum_upto(double u, double m, double n);

/* P(T > t) of Student's t with so many degrees of freedom. */
double dist_t_above(double t, double freedom);

#endif

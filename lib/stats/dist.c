/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Wrappers of libRmath; see dist.h.
 */
#define MATHLIB_STANDALONE 1
#include <Rmath.h>
#include <math.h>

#include "stats/dist.h"

double dist_log_factorial(double n)
{
	int sign;

	return lgamma_r(n + 1, &sign);
}

double dist_normal_above(double z)
{
	return pnorm(z, 0, 1, 0, 0);
}

double dist_normal_quantile_above(double p)
{
	return qnorm(p, 0, 1, 0, 0);
}

double dist_student_quantile_above(double p, double freedom)
{
	return qt(p, freedom, 0, 0);
}

double dist_fair_binomial_quantile(double p, double n)
{
	return qbinom(p, n, 0.5, 1, 0);
}

double dist_binomial_quantile(double p, double n, double chance)
{
	return qbinom(p, n, chance, 1, 0);
}

double dist_binomial_quantile_above(double p, double n, double chance)
{
	return qbinom(p, n, chance, 0, 0);
}

double dist_beta_quantile(double p, double a, double b)
{
	return qbeta(p, a, b, 1, 0);
}

double dist_beta_quantile_above(double p, double a, double b)
{
	return qbeta(p, a, b, 0, 0);
}

double dist_chi_square_quantile(double p, double freedom)
{
	return qchisq(p, freedom, 1, 0);
}

double dist_t_above(double t, double freedom)
{
	return pt(t, freedom, 0, 0);
}

double dist_hypergeometric(double x, double white, double black, double drawn)
{
	return dhyper(x, white, black, drawn, 0);
}

double dist_hypergeometric_to(double x, double white, double black, double drawn)
{
	return phyper(x, white, black, drawn, 1, 0);
}

double dist_hypergeometric_from(double x, double white, double black, double drawn)
{
	return phyper(x - 1, white, black, drawn, 0, 0);
}

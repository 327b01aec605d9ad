/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares two proportions by Fisher's exact test; see fisher.h. */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "stats/dist.h"
#include "stats/fisher.h"

/* Probabilities that differ by less are equal, except for rounding; R has the same factor.
 */
static const double slack = 1 + 1e-7;
/* The exact test takes time proportional to the square root of this variance. */
static const double exact_variance = 1e8;
/* Doubles above this are not all integers. */
static const double integers_to = 9007199254740992;

/* Returns (1 + e) log(1 + e) - e, by its series where e is so small that this cancels. */
static double divergence(double e)
{
	double sum = 0, power = e * e;

	if (fabs(e) >= 0.01)
		return e <= -1 ? 1 : (1 + e) * log1p(e) - e;
	for (int k = 2; k < 10; k++) {
		sum += power / (k * (k - 1));
		power *= -e;
	}
	return sum;
}

/*
 * Returns the two-sided p of the likelihood ratio of the table, whose signed root is nearly
 * normal. All four cells differ from their expected values by the same amount.
 */
static double likelihood_ratio(double a, double n, double b, double m)
{
	double all = a + b, share = n / (n + m);
	double own = all * share, other = all * (1 - share);
	double difference = a - own;
	/* Subtracts the continuity correction, and the possible rounding error of large
	 * counts.
	 */
	double left = fabs(difference) - 0.5 - 4 * DBL_EPSILON * fmax(own, n - own);
	double log_ratio;

	if (!(left > 0))
		return 1;
	left = copysign(left, difference);
	log_ratio = own * divergence(left / own) + other * divergence(-left / other) +
	            (n - own) * divergence(-left / (n - own)) +
	            (m - other) * divergence(left / (m - other));
	return fmin(1, 2 * dist_normal_above(sqrt(2 * log_ratio)));
}

static double variance(double a, double n, double b, double m)
{
	double both = n + m, all = a + b;

	return all * (n / both) * (m / both) * ((both - all) / fmax(both - 1, 1));
}

/* The exact test; a + b are at most integers_to. */
static double exact(double a, double n, double b, double m)
{
	/* x of the `all` that have the property are among the n. */
	double all = a + b, least = fmax(0, all - m), most = fmin(all, n);
	double mode = floor((all + 1) * (n + 1) / (n + m + 2));
	double here = dist_hypergeometric(a, n, m, all) * slack, lo, hi;

	mode = fmin(fmax(mode, least), most);
	if (dist_hypergeometric(mode, n, m, all) <= here)
		return 1;
	/* On the other side of the mode: the nearest that is no more likely. */
	bool above = a > mode;
	lo = above ? least - 1 : mode;
	hi = above ? mode : most + 1;
	while (hi - lo > 1) {
		double middle = floor((lo + hi) / 2);
		bool likely = dist_hypergeometric(middle, n, m, all) > here;

		if (likely == above)
			hi = middle;
		else
			lo = middle;
	}
	double other = above ? dist_hypergeometric_to(lo, n, m, all)
	                     : dist_hypergeometric_from(hi, n, m, all);
	double own = above ? dist_hypergeometric_from(a, n, m, all)
	                   : dist_hypergeometric_to(a, n, m, all);

	return fmin(1, own + other);
}

static bool is_large(double a, double n, double b, double m)
{
	return a + b > integers_to || variance(a, n, b, m) > exact_variance;
}

double fisher_test(double a, double n, double b, double m)
{
	if (n <= 0 || m <= 0)
		return 1;
	return is_large(a, n, b, m) ? likelihood_ratio(a, n, b, m) : exact(a, n, b, m);
}

double fisher_test_above(double a, double n, double b, double m)
{
	double half;

	if (n <= 0 || m <= 0)
		return 1;
	if (!is_large(a, n, b, m))
		return fmin(1, dist_hypergeometric_from(a, n, m, a + b));
	half = likelihood_ratio(a, n, b, m) / 2;
	return a / n >= b / m ? half : 1 - half;
}

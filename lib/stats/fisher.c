/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdbool.h>

#include "stats/dist.h"
#include "stats/fisher.h"

/* As likely as another is what differs by rounding alone; R has this factor, too. */
static const double slack = 1 + 1e-7;

double fisher_exact(double a, double n, double b, double m)
{
	/* x of the `all` that have the property are among the n. */
	double all = a + b, least = fmax(0, all - m), most = fmin(all, n);
	double mode = floor((all + 1) * (n + 1) / (n + m + 2));
	double here = dist_hypergeometric(a, n, m, all) * slack, lo, hi;

	if (n <= 0 || m <= 0)
		return 1;
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

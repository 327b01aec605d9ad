/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fisher's exact test against R, even for counts that doubles cannot represent.
 */
#include <math.h>

#include "base/base.h"
#include "stats/fisher.h"
#include "tests/lib/tap.h"

/*
 * p of two proportions from R's fisher.test; for large counts from sums over R's
 * hypergeometric distribution; beyond 2^53 from the normal deviates, 3 and 0, from which
 * the counts were made.
 */
static void test_proportions(void)
{
	static const struct {
		double a, n, b, m, p, within;
	} cases[] = {
		{ 3, 4, 1, 4, 0.485714285714286, 1e-12 },
		{ 10, 100, 25, 110, 0.0158333500668173, 1e-12 },
		{ 400, 1000, 100, 1000, 1.3453337977567e-56, 1e-10 },
		{ 0, 12, 7, 9, 0.000309597523219813, 1e-12 },
		{ 2, 4, 2, 4, 1, 0 },
		{ 5, 10, 4, 9, 1, 1e-12 },
		{ 2, 3, 1, 4, 0.485714285714286, 1e-12 },
		{ 1, 1, 0, 1, 1, 0 },
		{ 48000, 1e6, 81500, 1.7e6, 0.82726413006619, 1e-9 },
		{ 450000, 9e6, 401000, 8e6, 0.23849394208655, 1e-9 },
		{ 1920150000, 1e10, 3840000000, 2e10, 0.00187439301293009, 5e-4 },
		{ 4801000000, 1e11, 8161000000, 1.7e11, 1.34476636021253e-06, 5e-4 },
		{ 300200000000, 1e12, 300202500000, 1e12, 0.000114860685928989, 5e-4 },
		{ 4e17, 1e18, 4e17 + 2078460969, 1e18, 0.0026997960632602, 1e-5 },
		{ 58e15, 108e15, 59e15, 108e15 / 58 * 59, 1, 0 },
		{ 58e15, 108e15, 59e15, 110e15, 0, 0 },
		{ 1e300, 3e300, 2e300, 6e300, 1, 0 },
		{ 1e17 - 16, 1e17, 5, 5, 1, 0 },
		{ 0, 0, 1, 2, 1, 0 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		double p = fisher_test(cases[i].a, cases[i].n, cases[i].b, cases[i].m);

		tap_ok(fabs(p - cases[i].p) <= cases[i].within * cases[i].p,
		    "%g of %g and %g of %g have p = %g (%.17g)", cases[i].a, cases[i].n,
		    cases[i].b, cases[i].m, cases[i].p, p);
	}
}

/* One-sided p from R's fisher.test with alternative = "greater"; for large counts from its
 * phyper. */
static void test_above(void)
{
	static const struct {
		double a, n, b, m, p, within;
	} cases[] = {
		{ 3, 4, 1, 4, 0.242857142857143, 1e-12 },
		{ 3, 5, 1, 5, 0.261904761904762, 1e-12 },
		{ 12, 20, 2, 20, 0.00109982062151139, 1e-12 },
		{ 10, 100, 25, 110, 0.996521753108545, 1e-12 },
		{ 25, 110, 10, 100, 0.0103864307176473, 1e-12 },
		{ 400, 1000, 100, 1000, 6.72666898878347e-57, 1e-10 },
		{ 0, 12, 7, 9, 1, 0 },
		{ 12, 12, 2, 9, 0.000309597523219814, 1e-12 },
		{ 401000, 8e6, 450000, 9e6, 0.119287652175577, 1e-8 },
		{ 3840000000, 2e10, 1920150000, 1e10, 0.999062872872355, 1e-6 },
		{ 1920150000, 1e10, 3840000000, 2e10, 0.000937225770051095, 5e-4 },
		{ 1, 2, 0, 0, 1, 0 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		double p =
		    fisher_test_above(cases[i].a, cases[i].n, cases[i].b, cases[i].m);

		tap_ok(fabs(p - cases[i].p) <= cases[i].within * cases[i].p,
		    "%g of %g is more than %g of %g with p = %g (%.17g)", cases[i].a,
		    cases[i].n, cases[i].b, cases[i].m, cases[i].p, p);
	}
}

int main(void)
{
	test_proportions();
	test_above();
	return tap_end();
}

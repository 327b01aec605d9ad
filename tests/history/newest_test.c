/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The newest value of a series against the earlier ones. The numbers are those of R for the
 * formulas in newest_test.h, for values without autocorrelation.
 */
#include <math.h>

#include "history/newest_test.h"
#include "tests/lib/tap.h"

/* Returns whether both are missing or nearly equal. */
static bool near(double got, double want)
{
	return isnan(want) ? isnan(got) : fabs(got - want) <= 1e-6 * fabs(want);
}

int main(void)
{
	static const struct {
		const char *what;
		double old[4], new;
		size_t olds;
		double p, ratio, ratio_lo, ratio_hi, diff, diff_lo, diff_hi, needed;
	} cases[] = {
		{ "a difference of values about 0", { -1, 1, -1, 1 }, 10, 4,
		    0.00522839530724, NAN, NAN, NAN, 10, 5.66330281756, 14.3366971824,
		    NAN },
		{ "a ratio that more runs decide", { 99, 101, 99, 101 }, 105, 4,
		    0.0371815257621, 1.05005250394, 1.00548674655, 1.09659353025, NAN, NAN,
		    NAN, 6 },
		{ "a ratio near the margin, which no number of runs decides",
		    { 99, 101, 99, 101 }, 102, 4, 0.241208452926, 1.02005100383,
		    0.976758553795, 1.06526228653, NAN, NAN, NAN, NAN },
		{ "a ratio that needs no more runs", { 99, 101, 99, 101 }, 200, 4,
		    1.6731464417e-05, 2.0001000075, 1.91521285058, 2.08874958143, NAN, NAN,
		    NAN, NAN },
		{ "a single earlier value", { 99 }, 105, 1, NAN, 105 / 99.0, NAN, NAN, NAN,
		    NAN, NAN, NAN },
		{ "no earlier value", { 0 }, 105, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
		    NAN },
	};
	struct two_sample_opts opts = {
		.better = BETTER_LOWER, .inference = INFERENCE_DEFAULTS, .threshold = 0.02
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct newest_values values = { .old = cases[i].old,
			.olds = cases[i].olds,
			.new = &cases[i].new,
			.news = 1 };
		struct two_sample c;

		newest_test_measure(&values, opts.inference.confidence, &c);
		c.p_adj = c.p;
		newest_test_judge(&c, &opts);
		tap_ok(near(c.p, cases[i].p) && near(c.ratio, cases[i].ratio) &&
		           near(c.ratio_lo, cases[i].ratio_lo) &&
		           near(c.ratio_hi, cases[i].ratio_hi) &&
		           near(c.diff, cases[i].diff) &&
		           near(c.diff_lo, cases[i].diff_lo) &&
		           near(c.diff_hi, cases[i].diff_hi) &&
		           near(c.runs_needed, cases[i].needed),
		    "the newest value has %s (p %.10g, ratio %.10g, %.10g to %.10g, "
		    "difference %.10g, %.10g to %.10g, needs %g)",
		    cases[i].what, c.p, c.ratio, c.ratio_lo, c.ratio_hi, c.diff, c.diff_lo,
		    c.diff_hi, c.runs_needed);
	}
	return tap_end();
}

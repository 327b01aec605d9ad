/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of values that are only known to exceed a limit; censored.t compares them with
 * R.
 */
#include <math.h>

#include "base/rng.h"
#include "stats/censored.h"
#include "tests/lib/tap.h"

static bool is_at(struct bounded b, double at, bool above)
{
	return b.at == at && b.above == above;
}

static void test_one_limit(void)
{
	static const double value[] = { 1, 2, 3, 4 }, limit[] = { 10, 10, 10 };
	const struct censored c = { value, 4, limit, 3 }, none = { value, 0, limit, 3 },
	                      empty = { value, 0, limit, 0 };

	tap_ok(is_at(censored_quantile(&c, 0.5), 4, false),
	    "the median of 4 values below 3 limits is the fourth value");
	tap_ok(is_at(censored_quantile(&c, 0.625), 8.5, true),
	    "a quantile between a value and a limit is above the interpolation of both");
	tap_ok(is_at(censored_quantile(&c, 0.9), 10, true),
	    "a quantile among the limits is above the limit");
	tap_ok(is_at(censored_quantile(&c, 1), 10, true) &&
	           is_at(censored_quantile(&c, 0), 1, false),
	    "the largest of 4 values below 3 limits is above them, the smallest is a value");
	tap_ok(is_at(censored_quantile(&none, 0.5), 10, true),
	    "the median of limits without a value is above them");
	tap_ok(isnan(censored_quantile(&empty, 0.5).at), "nothing has no median");
}

static void test_survival(void)
{
	/* E. L. Kaplan, P. Meier (1958), section 1: deaths at 0.8, 3.1, 5.4, 9.2, losses at
	 * 1.0, 2.7, 7.0, 12.1. S is 7/8, 7/10, 21/40 and 21/80. */
	static const double value[] = { 0.8, 3.1, 5.4, 9.2 },
	                    limit[] = { 1.0, 2.7, 7.0, 12.1 };
	const struct censored c = { value, 4, limit, 4 };
	static const double five[] = { 1, 2, 5 }, last[] = { 1.5, 6 };
	const struct censored half = { five, 2, last, 2 };

	tap_ok(is_at(censored_quantile(&c, 0.125), 0.8 + (3.1 - 0.8) / 2, false),
	    "a quantile at a step of the survival curve is the middle of two values");
	tap_ok(is_at(censored_quantile(&c, 0.13), 3.1, false) &&
	           is_at(censored_quantile(&c, 0.5), 9.2, false),
	    "the median of the example of Kaplan and Meier is 9.2");
	tap_ok(is_at(censored_quantile(&c, 0.74), 12.1, true),
	    "a quantile that the survival curve does not reach is above the last limit");
	tap_ok(is_at(censored_quantile(&half, 1 - 0.75 / 2), 4, true),
	    "a quantile where the survival curve is flat at its end is above its middle");
	tap_ok(is_at(censored_quantile(&c, 1), 12.1, true) &&
	           is_at(censored_quantile(&c, 0), 0.8, false),
	    "the smallest and the largest of values and limits are order statistics");
}

static void test_summary(void)
{
	double value[] = { 3, 1, 2, 4, 5, 6, 7 }, limit[] = { 60, 30 };
	double far[] = { 30, 30, 30, 50, 60 };
	struct summary s, above;

	censored_summarize(value, 7, limit, 2, 0.95, &s, &above);
	tap_ok(s.n == 7 && s.censored == 2 && s.limit == 30,
	    "a summary counts 7 values and 2 timeouts, of which the least limit is 30");
	tap_ok(s.min == 1 && s.median == 5 && isnan(above.median),
	    "a summary has the median of values and timeouts");
	tap_ok(isnan(s.mean) && above.mean == (28 + 90) / 9.0 && isnan(s.sd) &&
	           isnan(above.sd),
	    "a summary with timeouts has a lower bound of the mean and no deviation");
	tap_ok(
	    isnan(s.max) && above.max == 60, "a summary has a lower bound of the maximum");
	tap_ok(
	    s.mad == 2, "a summary has the median deviation if timeouts are farther away");
	tap_ok(s.outliers == 2, "timeouts beyond the fences are outliers");
	tap_ok(s.ci_lo == 2 && isnan(s.ci_hi),
	    "the interval of a median has no upper end if that is a timeout");

	censored_summarize(value, 7, limit, 0, 0.95, &s, &above);
	tap_ok(s.mean == 4 && s.max == 7 && isnan(above.max) && isnan(s.limit),
	    "a summary without timeouts has no bounds");
	limit[0] = 8;
	censored_summarize(value, 7, limit, 1, 0.95, &s, &above);
	tap_ok(s.median == 4.5 && isnan(s.outliers),
	    "the number of outliers is unknown if a timeout may be one");
	/* the deviations from 50 are 0, 10, 20 three times, and two that exceed 20 */
	limit[0] = limit[1] = 70;
	censored_summarize(far, 5, limit, 2, 0.95, &s, &above);
	tap_ok(s.median == 50 && s.mad == 20,
	    "the median deviation is known up to the deviation of the least timeout (%g)",
	    s.mad);
	far[0] = far[1] = far[2] = 2;
	censored_summarize(far, 5, limit, 2, 0.95, &s, &above);
	tap_ok(s.median == 50 && isnan(s.mad),
	    "the median deviation is unknown if it may be that of a timeout (%g)", s.mad);
	limit[0] = 1.5;
	limit[1] = 1.25;
	censored_summarize(value, 7, limit, 2, 0.95, &s, &above);
	tap_ok(isnan(s.mad) && s.ci_lo == 1.25 && s.median == 4,
	    "limits between values lower the interval of the median");
}

/* Rates of samples, some of which timed out, so that theirs is less than all others. */
static void test_rates(void)
{
	double rate[] = { 7, 5, 6 };
	struct summary s;

	censored_rates(rate, 3, 0, 0.95, &s);
	tap_ok(s.n == 3 && s.median == 6 && s.mean == 6 && rate[0] == 5,
	    "rates without timeouts have all statistics");
	censored_rates(rate, 3, 2, 0.75, &s);
	tap_ok(s.n == 5 && s.median == 5 && isnan(s.ci_lo) && s.ci_hi == 7,
	    "the median of 3 rates and 2 timeouts is the least rate, without a lower end");
	tap_ok(s.min == 5 && s.max == 7 && isnan(s.mean) && isnan(s.sd) && isnan(s.mad) &&
	           isnan(s.p90),
	    "rates with timeouts have no other statistics, not statistics of 0");
	censored_rates(rate, 3, 3, 0.95, &s);
	tap_ok(isnan(s.median), "the median of 3 rates and 3 timeouts is unknown");
	censored_rates(rate, 0, 3, 0.95, &s);
	tap_ok(s.n == 3 && isnan(s.median) && isnan(s.min) && isnan(s.max),
	    "timeouts alone have no rates");
}

/* The interval of the median contains that of the values without limits, regardless of
 * the values above the limits. */
static void test_interval(void)
{
	struct rng rng;
	int wrong = 0;

	rng_seed(&rng, 5);
	for (int round = 0; round < 500; round++) {
		double all[30], value[30], limit[30];
		size_t n = 6 + rng_below(&rng, 25), values = 0, limits = 0;
		struct summary s, above, full;

		for (size_t i = 0; i < n; i++) {
			double at = 3 * rng_uniform(&rng);

			all[i] = rng_uniform(&rng) + (double)rng_below(&rng, 3);
			if (at < all[i] && round % 3)
				limit[limits++] = at;
			else
				value[values++] = all[i];
		}
		stats_summarize(all, n, 0.95, &full);
		censored_summarize(value, values, limit, limits, 0.95, &s, &above);
		wrong += !(s.ci_lo <= full.ci_lo) || s.ci_hi < full.ci_hi;
	}
	tap_ok(wrong == 0, "intervals of medians contain those of the uncensored values");
}

int main(void)
{
	test_one_limit();
	test_survival();
	test_summary();
	test_rates();
	test_interval();
	return tap_end();
}

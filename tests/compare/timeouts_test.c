/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparisons of sides with samples that are only known to exceed a limit.
 */
#include "tests/compare/made_sides.h"

static struct made old, new;

/* How often identical code is called better or worse, and how often the interval contains
 * the true ratio. */
static void test_rates(void)
{
	enum { ROUNDS = TAP_ROUNDS(400) };
	static const struct {
		const char *what;
		bool paired;
		double ratio, of_old, of_new;
	} cases[] = {
		{ "sides with one limit", false, 1, 105, 105 },
		{ "sides with different limits", false, 1, 120, 100 },
		{ "sides of which one has a limit", false, 1.1, 0, 115 },
		{ "slower sides", false, 1.3, 120, 120 },
		{ "pairs with one limit", true, 1, 105, 105 },
		{ "pairs with different limits", true, 1.1, 125, 110 },
	};
	struct two_sample_opts opts = plain;

	opts.threshold = 0;
	rng_seed(&rng, 82);
	for (size_t k = 0; k < COUNT(cases); k++) {
		int wrong = 0, outside = 0;

		old.limit = cases[k].of_old;
		new.limit = cases[k].of_new;
		for (int i = 0; i < ROUNDS; i++) {
			size_t n = 8 + rng_below(&rng, 20);
			struct two_sample c;

			fill(&old, &families[1], 0, n, 1);
			fill(&new, &families[1], !cases[k].paired, n, cases[k].ratio);
			c = measure(&old, &new, &opts);
			wrong += cases[k].ratio == 1 && alarms(&c);
			outside +=
			    c.ratio_lo > cases[k].ratio || c.ratio_hi < cases[k].ratio;
		}
		tap_ok(wrong <= most(ROUNDS, 0.05) && outside <= most(ROUNDS, 0.05),
		    "%s: %d of %d identical ones differ, and %d intervals miss the ratio",
		    cases[k].what, wrong, ROUNDS, outside);
	}
	old.limit = new.limit = 0;
}

/* Three runs of four samples. */
static void put_runs(struct made *m, uint32_t first, const double value[3][4])
{
	m->count = 0;
	for (uint32_t run = 0; run < 3; run++)
		for (int64_t s = 0; s < 4; s++)
			put(m, first + run, INT64_MIN, s, value[run][s]);
}

static void test_units(void)
{
	static const double slow[3][4] = { { 10, 20, 99, 99 }, { 10, 20, 22, 99 },
		{ 99, 99, 99, 99 } };
	static const double fast[3][4] = { { 10, 11, 12, 13 }, { 10, 11, 12, 99 },
		{ 10, 12, 14, 16 } };
	struct two_sample_opts opts = plain;
	struct two_sample c;

	opts.shift = true;
	old.limit = new.limit = 60;
	put_runs(&old, 0, slow);
	put_runs(&new, 9, fast);
	c = measure(&old, &new, &opts);
	tap_ok(c.basis == BASIS_RUN && c.n_old == 3 && c.censored_old == 2 &&
	           c.censored_new == 0,
	    "the median of a run is censored if it depends on a timeout");
	tap_ok(isnan(c.old) && c.old_above == 40 && c.new == 11.5 && isnan(c.new_above),
	    "the median of runs of which most are censored has a lower bound");
	tap_ok(c.effect == -1 && c.p == 0.1 && strcmp(c.test, "rank") == 0,
	    "runs with timeouts are compared by ranks");
	opts.inference.test = &infer_tests[1];
	c = measure(&old, &new, &opts);
	tap_ok(strcmp(c.test, "rank") == 0 && c.values_least == 4,
	    "runs with timeouts are compared by ranks even if another test is requested");
	tap_ok(c.shift < -9 && c.shift > -50, "the shift of censored values is estimated");
	old.limit = new.limit = 0;
}

int main(void)
{
	test_rates();
	test_units();
	return tap_end();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error rates of comparisons: many random comparisons of known distributions, with
 * fixed seeds. Bounds are three standard errors of a binomial count.
 */
#include "tests/compare/made_sides.h"

static void test_alike(void)
{
	enum { ROUNDS = TAP_ROUNDS(1000) };
	static const size_t sizes[][2] = { { 1, 100 }, { 4, 4 }, { 5, 5 }, { 6, 30 },
		{ 20, 20 }, { 60, 60 } };
	static struct made old, new;

	rng_seed(&rng, 41);
	for (size_t f = 0; f < COUNT(families); f++)
		for (size_t paired = 0; paired < 2; paired++) {
			int worst = 0, wrong = 0;

			for (size_t s = 0; s < COUNT(sizes); s++) {
				int low = 0;

				if (paired && sizes[s][0] != sizes[s][1])
					continue;
				for (int i = 0; i < ROUNDS; i++) {
					struct two_sample c;

					fill(&old, &families[f], 0, sizes[s][0], 1);
					fill(&new, &families[f], !paired, sizes[s][1], 1);
					c = measure(&old, &new, &plain);
					low += c.p < 0.05;
					wrong += alarms(&c) && c.p >= 0.05;
				}
				worst = low > worst ? low : worst;
			}
			tap_ok(worst <= most(ROUNDS, 0.05) && !wrong,
			    "equal %s with %s values have p < 0.05 in at most %d of %d",
			    paired ? "pairs" : "sides", families[f].name, worst, ROUNDS);
		}
}

/* Fills a side whose runs differ by 3% and samples by 1%. Samples may be autocorrelated.
 */
static void fill_runs(struct made *m, uint32_t first, size_t runs, size_t processes,
    size_t samples, double memory, double by)
{
	m->count = 0;
	for (size_t r = 0; r < runs; r++) {
		double run = runs > 1 ? 0.03 * normal() : 0;

		for (size_t p = 0; p < processes; p++) {
			double process = processes > 1 ? 0.03 * normal() : 0,
			       state = normal();

			for (size_t s = 0; s < samples; s++) {
				state =
				    memory * state + sqrt(1 - memory * memory) * normal();
				put(m, first + (uint32_t)r,
				    processes > 1 ? (int64_t)p : INT64_MIN, (int64_t)s,
				    by * 100 * exp(run + process + 0.01 * state));
			}
		}
	}
}

static void test_levels(void)
{
	enum { ROUNDS = TAP_ROUNDS(400) };
	static const struct {
		const char *what;
		size_t runs, processes, samples;
		double memory;
		enum basis basis;
		bool shared;
	} cases[] = {
		{ "5 runs of 20 samples", 5, 1, 20, 0, BASIS_RUN, false },
		{ "8 runs of 20 correlated samples", 8, 1, 20, 0.9, BASIS_RUN, false },
		{ "6 runs of 3 processes of 5 samples", 6, 3, 5, 0, BASIS_RUN, false },
		{ "5 processes of 20 samples", 1, 5, 20, 0, BASIS_PROCESS, false },
		{ "5 processes of 20 samples of the same run", 1, 5, 20, 0,
		    BASIS_PROCESS_PAIR, true },
		{ "the same 8 runs", 8, 1, 10, 0, BASIS_RUN_PAIR, true },
	};
	static struct made old, new;
	int low = 0;

	rng_seed(&rng, 43);
	for (size_t k = 0; k < COUNT(cases); k++) {
		int alarm = 0, same = 0;
		enum basis basis = BASIS_NONE;
		size_t n = 0;

		for (int i = 0; i < ROUNDS; i++) {
			struct two_sample c;

			fill_runs(&old, 0, cases[k].runs, cases[k].processes,
			    cases[k].samples, cases[k].memory, 1);
			fill_runs(&new, cases[k].shared ? 0 : 100, cases[k].runs,
			    cases[k].processes, cases[k].samples, cases[k].memory, 1);
			c = measure(&old, &new, &plain);
			alarm += alarms(&c);
			same += c.p < 0.05;
			basis = c.basis;
			n = c.n_new;
		}
		tap_ok(basis == cases[k].basis &&
		           n == (cases[k].runs > 1 ? cases[k].runs : cases[k].processes) &&
		           same <= most(ROUNDS, 0.05),
		    "equal sides of %s have the basis %s, p < 0.05 in %d, and an alarm in "
		    "%d of %d",
		    cases[k].what, basis_names[basis], same, alarm, ROUNDS);
	}
	for (int i = 0; i < ROUNDS; i++) {
		struct two_sample c;

		fill_runs(&old, 0, 5, 1, 20, 0, 1);
		fill_runs(&new, 0, 5, 1, 20, 0, 1);
		for (size_t k = 0; k < old.count; k++) {
			old.identity[k] = (struct sample_id){ 0, INT64_MIN, (int64_t)k };
			new.identity[k] = (struct sample_id){ 1, INT64_MIN, (int64_t)k };
		}
		c = measure(&old, &new, &plain);
		low += c.p < 0.05;
	}
	tap_ok(low > ROUNDS * 2 / 5,
	    "samples of 5 runs that are taken as independent have p < 0.05 in %d of %d",
	    low, ROUNDS);
}

/* Both sides are measured in turn while the machine becomes slower by half. */
static void test_drift(void)
{
	enum { ROUNDS = TAP_ROUNDS(300), BLOCKS = 20 };
	static struct made old, new;

	rng_seed(&rng, 47);
	for (int slower = 0; slower < 2; slower++) {
		int paired = 0, apart = 0;

		for (int i = 0; i < ROUNDS; i++) {
			struct two_sample c;

			old.count = new.count = 0;
			for (int b = 0; b < BLOCKS; b++) {
				double level = 100 * (1 + 0.5 * b / BLOCKS);

				put(&old, 0, INT64_MIN, b, level * (1 + 0.02 * normal()));
				put(&new, 0, INT64_MIN, b,
				    (slower ? 1.05 : 1) * level * (1 + 0.02 * normal()));
			}
			c = measure(&old, &new, &plain);
			paired += c.p < 0.05;
			for (size_t k = 0; k < new.count; k++)
				new.identity[k].run = 1;
			c = measure(&old, &new, &plain);
			apart += c.p < 0.05;
		}
		if (slower)
			tap_ok(paired > ROUNDS * 98 / 100 && apart < ROUNDS / 4,
			    "during a drift, 5%% slower is found in blocks in %d, in "
			    "sides in %d of %d",
			    paired, apart, ROUNDS);
		else
			tap_ok(paired <= most(ROUNDS, 0.05),
			    "during a drift, equal blocks have p < 0.05 in %d of %d",
			    paired, ROUNDS);
	}
}

static void test_coverage(void)
{
	enum { ROUNDS = TAP_ROUNDS(600), EACH = 20 };
	static struct made old, new;

	rng_seed(&rng, 53);
	for (size_t t = 0; t < infer_tests_count; t++)
		for (size_t f = 0; f < 5; f++) {
			struct two_sample_opts opts = plain;
			int covered = 0, paired = 0;

			opts.inference.test = &infer_tests[t];
			for (int i = 0; i < ROUNDS; i++) {
				struct two_sample c;

				fill(&old, &families[f], 0, EACH, 1);
				fill(&new, &families[f], 1, EACH, 1.5);
				c = measure(&old, &new, &opts);
				covered += c.ratio_lo <= 1.5 && c.ratio_hi >= 1.5;
				fill(&new, &families[f], 0, EACH, 1.5);
				c = measure(&old, &new, &opts);
				paired += c.ratio_lo <= 1.5 && c.ratio_hi >= 1.5;
			}
			tap_ok(covered >= ROUNDS - most(ROUNDS, 0.05) &&
			           paired >= ROUNDS - most(ROUNDS, 0.05),
			    "the %s interval of %s values contains the true ratio in %d, "
			    "of pairs in %d of %d",
			    infer_tests[t].name, families[f].name, covered, paired, ROUNDS);
		}
	for (size_t shared = 0; shared < 2; shared++) {
		int covered = 0;

		for (int i = 0; i < ROUNDS; i++) {
			struct two_sample c;

			fill_runs(&old, 0, 20, 1, 5, 0, 1);
			fill_runs(&new, shared ? 0 : 100, 20, 1, 5, 0, 1.5);
			c = measure(&old, &new, &plain);
			covered += c.ratio_lo <= 1.5 && c.ratio_hi >= 1.5;
		}
		tap_ok(covered >= ROUNDS - most(ROUNDS, 0.07),
		    "the interval of 20 runs of 5 samples%s contains the true ratio in %d "
		    "of %d",
		    shared ? " in pairs" : "", covered, ROUNDS);
	}
}

/* On the margin, the rate of the verdict `same` is at most the level of the one-sided
 * tests. */
static void test_equivalence(void)
{
	enum { ROUNDS = TAP_ROUNDS(600) };
	static struct made old, new;
	struct two_sample_opts opts = plain;
	int wrong = 0, right = 0;

	rng_seed(&rng, 59);
	opts.threshold = 0.05;
	for (int i = 0; i < ROUNDS; i++) {
		struct two_sample c;

		fill(&old, &families[0], 0, 40, 1);
		fill(&new, &families[0], 1, 40, 1.05);
		c = measure(&old, &new, &opts);
		wrong += c.verdict == VERDICT_SAME;
		fill(&new, &families[0], 1, 40, 1);
		c = measure(&old, &new, &opts);
		right += c.verdict == VERDICT_SAME;
	}
	tap_ok(wrong <= most(ROUNDS, 0.05) && right > ROUNDS / 2,
	    "the verdict is same on the margin in %d, without a difference in %d of %d",
	    wrong, right, ROUNDS);
}

static void test_edges(void)
{
	static const struct {
		const char *what;
		double old[2], new[2]; /* lowest and highest */
		size_t olds, news;
		enum verdict verdict;
		bool ratio, interval, p;
	} cases[] = {
		{ "one value with one", { 1, 1 }, { 2, 2 }, 1, 1, VERDICT_UNSURE, true,
		    false, true },
		{ "one value with a thousand", { 100, 100 }, { 200, 300 }, 1, 1000,
		    VERDICT_WORSE, true, true, true },
		{ "3 values each of two constants", { 1, 1 }, { 2, 2 }, 3, 3,
		    VERDICT_UNSURE, true, false, true },
		{ "4 values each of two constants", { 1, 1 }, { 2, 2 }, 4, 4, VERDICT_WORSE,
		    true, true, true },
		{ "6 values each of two constants", { 1, 1 }, { 2, 2 }, 6, 6, VERDICT_WORSE,
		    true, true, true },
		{ "constants within the margin", { 100, 100 }, { 101, 101 }, 6, 6,
		    VERDICT_SAME, true, true, true },
		{ "3 values each of one constant", { 1, 1 }, { 1, 1 }, 3, 3, VERDICT_UNSURE,
		    true, false, true },
		{ "4 values each of one constant", { 1, 1 }, { 1, 1 }, 4, 4, VERDICT_SAME,
		    true, true, true },
		{ "zeros with zeros", { 0, 0 }, { 0, 0 }, 6, 6, VERDICT_SAME, false, false,
		    true },
		{ "positive values with zeros before", { 0, 0 }, { 1, 2 }, 20, 20,
		    VERDICT_WORSE, false, false, true },
		{ "values below zero", { -5, -4 }, { -2, -1 }, 20, 20, VERDICT_WORSE, false,
		    false, true },
		{ "zeros with positive values before", { 5, 6 }, { 0, 0 }, 20, 20,
		    VERDICT_BETTER, false, false, true },
		{ "values with no values", { 1, 1 }, { 1, 1 }, 6, 0, VERDICT_UNSURE, false,
		    false, false },
	};
	static struct made old, new;

	for (size_t k = 0; k < COUNT(cases); k++) {
		struct two_sample c;

		old.count = new.count = 0;
		for (size_t i = 0; i < cases[k].olds; i++)
			put(&old, 0, INT64_MIN, (int64_t)i,
			    cases[k].old[0] + (cases[k].old[1] - cases[k].old[0]) *
			                          (double)i / (double)cases[k].olds);
		for (size_t i = 0; i < cases[k].news; i++)
			put(&new, 1, INT64_MIN, (int64_t)i,
			    cases[k].new[0] + (cases[k].new[1] - cases[k].new[0]) *
			                          (double)i / (double)cases[k].news);
		c = measure(&old, &new, &plain);
		tap_ok(c.verdict == cases[k].verdict && !isnan(c.ratio) == cases[k].ratio &&
		           !isnan(c.ratio_lo) == cases[k].interval &&
		           !isnan(c.p) == cases[k].p,
		    "comparing %s gives %s (ratio %g, %g to %g, p %.3g)", cases[k].what,
		    verdict_names[c.verdict], c.ratio, c.ratio_lo, c.ratio_hi, c.p);
	}
}

int main(void)
{
	test_edges();
	test_alike();
	test_levels();
	test_drift();
	test_coverage();
	test_equivalence();
	return tap_end();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Verdicts against their intervals and p, and the number of values that they need.
 */
#include "tests/compare/made_sides.h"

/* Returns whether the interval and p support a verdict. */
static bool supported(const struct two_sample *c, double margin)
{
	bool ratio = !isnan(c->ratio) || !isnan(c->ratio_lo);
	double lo = ratio ? c->ratio_lo : c->diff_lo, hi = ratio ? c->ratio_hi : c->diff_hi;
	double none = ratio ? 1 : 0;
	double top = ratio ? 1 + margin : margin * fmin(fabs(c->old), fabs(c->new));
	double bottom = ratio ? 1 / (1 + margin) : -top;

	switch (c->verdict) {
	case VERDICT_WORSE:
		return lo > top && lo > none && c->p < 0.05;
	case VERDICT_BETTER:
		return hi < bottom && hi < none && c->p < 0.05;
	case VERDICT_SAME:
		return lo >= bottom && hi <= top;
	default:
		return !(lo > top || hi < bottom) || c->p_adj >= 0.05;
	}
}

/* Values of all families near the margin, also about 0, in sides and pairs, half of them
 * with limits. */
static void test_supported(void)
{
	enum { ROUNDS = TAP_ROUNDS(300) };
	static const double margins[] = { 0, 0.02, 0.1 };
	static const double moves[] = { 1, 1.02, 1.1, 1.3 };
	static struct made old, new;

	rng_seed(&rng, 71);
	for (size_t f = 0; f < COUNT(families); f++) {
		int wrong = 0, disagree = 0, verdicts[VERDICT_DIFFERS + 1] = { 0 };

		for (size_t i = 0; i < ROUNDS; i++) {
			struct two_sample_opts opts = plain;
			struct two_sample c;
			size_t m = 2 + rng_below(&rng, 40), n = 2 + rng_below(&rng, 40);

			opts.threshold = margins[i % COUNT(margins)];
			opts.inference.test = &infer_tests[i % 5 == 0];
			fill(&old, &families[f], 0, m, 1);
			fill(&new, &families[f], i / 2 % 2, n, moves[i / 3 % COUNT(moves)]);
			for (size_t k = 0; i % 7 == 0 && k < n; k++)
				new.value[k] -= 100;
			old.limit = i % 4 < 2 ? 0 : 90 + 40 * rng_uniform(&rng);
			new.limit = i % 4 < 1   ? 0
			            : i % 8 < 6 ? old.limit
			                        : 90 + 40 * rng_uniform(&rng);
			c = measure(&old, &new, &opts);
			wrong += !supported(&c, opts.threshold);
			/* without ties, an interval without 1 and p < 0.05 are the same */
			disagree += f < 4 && !isnan(c.ratio_lo) &&
			            (c.ratio_lo > 1 || c.ratio_hi < 1) != (c.p < 0.05);
			verdicts[c.verdict]++;
		}
		tap_ok(!wrong && !disagree,
		    "p and the interval of %s values support each verdict and each other "
		    "(%d and %d do not; %d better, %d worse, %d same, %d unsure)",
		    families[f].name, wrong, disagree, verdicts[VERDICT_BETTER],
		    verdicts[VERDICT_WORSE], verdicts[VERDICT_SAME],
		    verdicts[VERDICT_UNSURE]);
	}
}

/* A second comparison has runs_needed more values than the first. */
static void test_needed(void)
{
	enum { ROUNDS = TAP_ROUNDS(300), EACH = 8, AFFORDABLE = 600 };
	static const struct {
		double ratio, sd;
		bool paired;
	} cases[] = { { 1.1, 0.1, false }, { 1.06, 0.08, false }, { 1.1, 0.1, true },
		{ 1, 0.02, false }, { 1.005, 0.02, false } };
	static struct made old, new;

	rng_seed(&rng, 61);
	for (size_t k = 0; k < COUNT(cases); k++) {
		int asked = 0, told = 0;

		for (int i = 0; i < ROUNDS; i++) {
			size_t n = EACH;
			struct two_sample c;

			for (int again = 0; again < 2; again++) {
				old.count = new.count = 0;
				for (size_t s = 0; s < n; s++) {
					put(&old, 0, INT64_MIN, (int64_t)s,
					    100 * exp(cases[k].sd * normal()));
					put(&new, !cases[k].paired, INT64_MIN, (int64_t)s,
					    100 * cases[k].ratio *
					        exp(cases[k].sd * normal()));
				}
				c = measure(&old, &new, &plain);
				if (again)
					told += c.verdict != VERDICT_UNSURE;
				else if (c.verdict != VERDICT_UNSURE ||
				         !(c.runs_needed <= AFFORDABLE))
					break;
				else
					asked++;
				n = EACH + (size_t)c.runs_needed;
			}
		}
		tap_ok(asked * 15 >= ROUNDS * 2 && told * 100 >= asked * 65 && told * 100 <= asked * 97,
		    "a ratio of %g and a spread of %g%s: runs_needed decides %d unsure "
		    "comparisons in %d %%",
		    cases[k].ratio, cases[k].sd, cases[k].paired ? ", pairs" : "", asked,
		    asked ? told * 100 / asked : 0);
	}
}

int main(void)
{
	test_supported();
	test_needed();
	return tap_end();
}

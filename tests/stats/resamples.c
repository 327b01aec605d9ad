/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints resamples and the ends of their intervals, as lines of JSON.
 * tests/stats/vs_r_scipy.t gives the same resamples to another implementation.
 */
#include <math.h>
#include <stdio.h>

#include "base/rng.h"
#include "stats/bootstrap.h"

enum { MOST = 60 };

static void print(const char *name, const double *x, size_t n)
{
	printf(", \"%s\": [", name);
	for (size_t i = 0; i < n; i++)
		printf("%s%.17g", i ? ", " : "", x[i]);
	printf("]");
}

static void print_case(struct bootstrap *b, const struct hierarchy *old,
    const struct hierarchy *new, bool paired, double confidence)
{
	double units[MOST];

	printf("{ \"paired\": %d, \"confidence\": %g", paired, confidence);
	hierarchy_units(old, units);
	print("old", units, old->units);
	hierarchy_units(new, units);
	print("new", units, new->units);
	for (size_t m = 0; interval_methods[m].prob; m++) {
		struct inference_opts opts = { .confidence = confidence,
			.seed = 7,
			.resamples = 2000,
			.interval = &interval_methods[m] };
		struct interval ends = { NAN, NAN };
		const double *ratio;
		size_t count;

		if (paired)
			bootstrap_pairs(b, old, new, &opts, &ends);
		else
			bootstrap_sides(b, old, new, &opts, &ends);
		if (!m) {
			ratio = bootstrap_ratios(b, &count);
			print("ratios", ratio, count);
		}
		print(interval_methods[m].name, (double[]){ ends.lo, ends.hi }, 2);
	}
	puts(" }");
}

int main(void)
{
	struct bootstrap *b = bootstrap_open();
	struct rng rng;

	/* With this seed every jackknife has a difference. Without one the acceleration is
	 * 0 here, and the quotient of rounding errors elsewhere. */
	rng_seed(&rng, 74);
	for (int k = 0; k < 30; k++) {
		struct sample_id id[MOST];
		double old[MOST], new[MOST];
		bool paired = k % 2, nested = k % 3 == 2, coarse = k % 5 == 4;
		size_t m = 6 + rng_below(&rng, MOST - 5);
		size_t n = paired ? m : 6 + rng_below(&rng, MOST - 5);
		enum location location = k % 7 == 6 ? LOCATION_MEAN : LOCATION_MEDIAN;
		enum tier tier = nested ? TIER_RUN : TIER_SAMPLE;
		struct hierarchy before, after;

		for (size_t i = 0; i < MOST; i++) {
			id[i] = (struct sample_id){ nested ? (uint32_t)i / 6 : 0,
				(int64_t)i % 6 / 3, (int64_t)i };
			old[i] = 10 - 8 * log(1 - rng_uniform(&rng));
			new[i] = (paired ? old[i] : 10) - 8 * log(1 - rng_uniform(&rng));
			if (coarse) {
				old[i] = round(old[i]);
				new[i] = round(new[i]);
			}
		}
		if (nested)
			m = n = MOST;
		hierarchy_init(&before, location, tier, id, old, m);
		hierarchy_init(&after, location, tier, id, new, n);
		print_case(b, &before, &after, paired, k % 4 ? 0.95 : 0.8);
		hierarchy_free(&after);
		hierarchy_free(&before);
	}
	bootstrap_close(b);
	return 0;
}

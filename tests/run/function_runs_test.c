/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pure parts of measuring functions: whether a series is steady, and speed-up.
 */
#include <math.h>

#include "base/rng.h"
#include "run/speedup.h"
#include "stats/steady.h"
#include "tests/lib/tap.h"

enum { N = 24 };

/* A series around 100 with some noise (of the size of its spread), and what is added to it.
 */
static bool steady_with(double noise, double late, double drift, uint64_t seed)
{
	struct rng r;
	double value[N];

	rng_seed(&r, seed);
	for (int i = 0; i < N; i++) {
		value[i] = 100 + noise * (double)rng_below(&r, 1000) / 1000 + drift * i;
		if (i >= N / 2)
			value[i] += late;
	}
	return steady_is(value, N);
}

static void test_steady(void)
{
	int steady = 0;

	tap_ok(steady_with(0, 0, 0, 1), "a constant series is steady");
	tap_ok(!steady_with(0.5, 5, 0, 1), "a series with a step up of 5%% is not steady");
	tap_ok(
	    !steady_with(0.5, -5, 0, 1), "a series with a step down of 5%% is not steady");
	tap_ok(steady_with(0.1, 1, 0, 1),
	    "a series with a significant step of 1%% is steady");
	tap_ok(!steady_with(1, 0, 0.5, 1),
	    "a series with a drift of 0.5%% per sample is not steady");
	tap_ok(steady_with(0.1, 0, 0.05, 1),
	    "a series with a drift of 0.05%% per sample is steady");
	for (uint64_t seed = 1; seed <= 1000; seed++)
		steady += steady_with(50, 0, 0, seed);
	tap_ok(steady >= 930,
	    "noise alone is found unsteady in at most 5%% of cases (%d of 1000 steady)",
	    steady);
}

static void test_speedup(void)
{
	tap_ok(speedup_throughput(10, 5e9) == 2,
	    "ten pieces in five seconds are a throughput of two per second");
	tap_ok(speedup_of(6, 2) == 3, "the speed-up is the ratio of two throughputs");
	tap_ok(isnan(speedup_of(NAN, 2)) && isnan(speedup_of(2, NAN)),
	    "the speed-up is NAN unless both throughputs are known");
	tap_ok(speedup_efficiency(3, 4) == 0.75,
	    "the efficiency is the speed-up divided by the workers");
}

int main(void)
{
	test_steady();
	test_speedup();
	return tap_end();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drifts and steps in simulated series: whether each is found as such, and the values
 * reported for a known drift.
 */
#include <math.h>

#include "base/rng.h"
#include "stats/change.h"
#include "stats/drift.h"
#include "tests/lib/tap.h"

enum { VALUES = 60, SERIES = 100, LEAST = 4 };

static double normal(struct rng *r)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += rng_uniform(r);
	return sum - 6;
}

/* Series with an sd of 1, and the number of SERIES that must be found as each shape. */
static const struct {
	const char *what;
	double memory;      /* autocorrelation */
	double drift;       /* from the first value to the last */
	double step, again; /* at a third and at two thirds */
	int none_least, steps_least, drifts_least, drifts_most;
} cases[] = {
	{ "without a change", 0, 0, 0, 0, 90, 0, 0, 2 },
	{ "without a change, with memory", 0.5, 0, 0, 0, 85, 0, 0, 5 },
	{ "with a step of 2 sd", 0, 0, 2, 0, 0, 90, 0, 9 },
	{ "with a step of 3 sd", 0, 0, 3, 0, 0, 94, 0, 6 },
	{ "with a step of 3 sd, with memory", 0.3, 0, 3, 0, 0, 85, 0, 12 },
	{ "with two steps of 3 sd upwards", 0, 0, 3, 3, 0, 92, 0, 8 },
	{ "with a drift by 3 sd", 0, 3, 0, 0, 0, 0, 70, 100 },
	{ "with a drift by 5 sd", 0, 5, 0, 0, 0, 0, 88, 100 },
	{ "with a drift by 50 sd", 0, 50, 0, 0, 0, 0, 98, 100 },
	{ "with a drift by 10 sd, with memory", 0.5, 10, 0, 0, 0, 0, 88, 100 },
	{ "with a drift by 10 sd and a step of 5 sd", 0, 10, 5, 0, 0, 0, 96, 100 },
};

static void make_series(struct rng *r, size_t which, double *x)
{
	double memory = cases[which].memory, e = normal(r);

	for (size_t i = 0; i < VALUES; i++) {
		if (i)
			e = memory * e + sqrt(1 - memory * memory) * normal(r);
		x[i] = 1000 + e + cases[which].drift * (double)i / (VALUES - 1) +
		       (i >= VALUES / 3 ? cases[which].step : 0) +
		       (i >= VALUES * 2 / 3 ? cases[which].again : 0);
	}
}

static void test_simulated(size_t which)
{
	int none = 0, steps = 0, drifts = 0, covered = 0, placed = 0;
	struct rng r;

	rng_seed(&r, 400 + which);
	for (unsigned k = 0; k < SERIES; k++) {
		struct change_opts opts = {
			.alpha = 0.05, .least = LEAST, .permutations = 999, .seed = k
		};
		struct change change[VALUES / LEAST];
		double x[VALUES], slope = cases[which].drift / (VALUES - 1);
		struct drift d;

		make_series(&r, which, x);
		size_t count = change_find(x, VALUES, &opts, change);
		if (drift_find(&(struct drift_series){ x, VALUES, LEAST, 0.95 }, change,
		        count, &d)) {
			drifts++;
			covered += d.slope_lo <= slope && slope <= d.slope_hi;
			placed += d.steps == 1 && change[0].at + 2 >= VALUES / 3 &&
			          change[0].at <= VALUES / 3 + 2;
		} else if (count)
			steps++;
		else
			none++;
	}
	tap_ok(none >= cases[which].none_least && steps >= cases[which].steps_least &&
	           drifts >= cases[which].drifts_least &&
	           drifts <= cases[which].drifts_most,
	    "of %d series %s, %d have no change, %d steps and %d a drift", SERIES,
	    cases[which].what, none, steps, drifts);
	if (cases[which].drift > 0)
		tap_ok(covered >= drifts * 85 / 100,
		    "the interval of the slope contains the true slope in %d of %d series "
		    "%s",
		    covered, drifts, cases[which].what);
	if (cases[which].drift > 0 && cases[which].step > 0)
		tap_ok(placed >= 90,
		    "the step in addition to the drift is found in its place in %d of 100 "
		    "series",
		    placed);
}

static void test_exact(void)
{
	double line[20], flat[20], level[20];
	struct change step = { .at = 10 };
	struct drift d;

	for (size_t i = 0; i < 20; i++) {
		line[i] = 100 + 2 * (double)i;
		flat[i] = 7;
		level[i] = i < 10 ? 0 : -1;
	}
	tap_ok(drift_find(&(struct drift_series){ line, 20, LEAST, 0.95 }, &step, 1, &d) &&
	           d.steps == 0 && fabs(d.slope - 2) < 1e-9 && fabs(d.first - 100) < 1e-9 &&
	           fabs(d.last - 138) < 1e-9 && d.p < 1e-9,
	    "a line without noise is a drift with its slope and ends");
	tap_ok(!drift_find(&(struct drift_series){ flat, 20, LEAST, 0.95 }, &step, 0, &d),
	    "equal values do not drift");
	step.at = 10;
	tap_ok(
	    !drift_find(&(struct drift_series){ level, 20, LEAST, 0.95 }, &step, 1, &d) &&
	        step.at == 10,
	    "a step without noise stays a step");
	tap_ok(!drift_find(&(struct drift_series){ line, 7, LEAST, 0.95 }, &step, 0, &d),
	    "fewer than 8 values have no drift");
}

/* A line by 2% of a step, and noise by 1% of the line. */
static void test_step_and_line(void)
{
	struct change step = { .at = 20 };
	struct drift d;
	double x[40];

	for (size_t i = 0; i < 40; i++)
		x[i] = 100 + (double)i / 20 + (i < 20 ? 0 : 100) +
		       ((double)(7 * i % 5) - 2) / 100;
	tap_ok(drift_find(&(struct drift_series){ x, 40, LEAST, 0.95 }, &step, 1, &d) &&
	           d.steps == 1 && step.at == 20 && d.p < 1e-9 && step.p < 1e-9,
	    "a line and a step that are far greater than the noise have a tiny p");
	for (size_t i = 0; i < 40; i++)
		x[i] += i < 2 ? -100 : i >= 20 && i < 38 ? -100 : 0;
	tap_ok(drift_find(&(struct drift_series){ x, 40, LEAST, 0.95 }, &step, 1, &d) &&
	           (!d.steps || (step.at >= LEAST && step.at + LEAST <= 40)),
	    "a step is not so near to an end that too few values are beyond it");
}

int main(void)
{
	test_exact();
	test_step_and_line();
	for (size_t i = 0; i < COUNT(cases); i++)
		test_simulated(i);
	return tap_end();
}

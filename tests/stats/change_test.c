/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points: the statistic against its definition, its p against all permutations, the
 * changes found in known series, and the rates of false changes.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/change.h"
#include "stats/e_divisive.h"
#include "stats/prewhiten.h"
#include "tests/lib/tap.h"

enum { LONGEST = 20000 };

static double normal(struct rng *r)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += rng_uniform(r);
	return sum - 6;
}

/* Fills n values about 100 with an sd of 1, an autocorrelation r, and a step at one place.
 */
static void series(struct rng *rng, double *x, size_t n, double r, size_t at, double step)
{
	double e = normal(rng);

	for (size_t i = 0; i < n; i++) {
		if (i)
			e = r * e + sqrt(1 - r * r) * normal(rng);
		x[i] = 100 + e + (i >= at ? step : 0);
	}
}

static double mean_distance(
    const double *x, size_t from, size_t to, const double *y, size_t begin, size_t end)
{
	double sum = 0, pairs = 0;

	for (size_t i = from; i < to; i++)
		for (size_t k = begin; k < end; k++)
			if (x != y || i != k) {
				sum += fabs(x[i] - y[k]);
				pairs++;
			}
	return sum / pairs;
}

/* Returns the statistic by its definition. y is a copy of x. */
static double defined(const double *x, const double *y, size_t n, size_t at)
{
	double energy = 2 * mean_distance(x, 0, at, y, at, n) -
	                mean_distance(x, 0, at, x, 0, at) -
	                mean_distance(x, at, n, x, at, n);

	return energy * (double)at * (double)(n - at) / (double)n;
}

static void test_statistic(void)
{
	double x[40], y[40], worst = 0, best;
	struct e_divisive *d = e_divisive_open(40);
	struct division found;
	bool same_place = true;
	struct rng rng;

	rng_seed(&rng, 1);
	for (size_t n = 4; n <= 40; n++) {
		series(&rng, x, n, 0, n / 2, 1);
		for (size_t i = 0; i < n && n % 3 == 0; i++)
			x[i] = round(x[i]); /* ties */
		memcpy(y, x, sizeof(y));
		for (size_t least = 2; 2 * least <= n; least++) {
			best = -HUGE_VAL;
			for (size_t at = least; at + least <= n; at++)
				best = fmax(best, defined(x, y, n, at));
			same_place &= e_divisive_find(d, x, n, least, &found) &&
			              fabs(defined(x, y, n, found.at) - best) < 1e-10;
			worst = fmax(worst, fabs(found.statistic - best));
		}
	}
	tap_ok(worst < 1e-10,
	    "e_divisive_find() returns the statistic as defined (error %.3g)", worst);
	tap_ok(same_place, "e_divisive_find() finds the place with the largest statistic");
	tap_ok(!e_divisive_find(d, x, 7, 4, &found),
	    "e_divisive_find() finds no place with 4 values on each side of 7");
	for (size_t i = 0; i < 40; i++)
		x[i] = 7;
	tap_ok(!e_divisive_find(d, x, 40, 2, &found),
	    "e_divisive_find() finds no place in equal values");
	e_divisive_close(d);
}

/* Counts the orders of the values with a statistic as great (Heap's algorithm). */
static void each_order(struct e_divisive *d, double *x, size_t k, size_t n, double seen,
    double *great, double *orders)
{
	struct division found;

	if (k == 1) {
		*orders += 1;
		*great += e_divisive_find(d, x, n, 2, &found) &&
		          found.statistic >= seen * (1 - 1e-9);
		return;
	}
	for (size_t i = 0; i < k; i++) {
		size_t other = k % 2 ? 0 : i;
		double t;

		each_order(d, x, k - 1, n, seen, great, orders);
		t = x[other];
		x[other] = x[k - 1];
		x[k - 1] = t;
	}
}

static void test_permutations(void)
{
	double x[] = { 3, 1, 2, 2.5, 7, 6, 4, 9 }, y[COUNT(x)], great = 0, orders = 0, p,
	       exact;
	struct e_divisive *d = e_divisive_open(COUNT(x)),
	                  *other = e_divisive_open(COUNT(x));
	struct division found;
	struct rng rng;

	rng_seed(&rng, 5);
	memcpy(y, x, sizeof(x));
	e_divisive_find(d, x, COUNT(x), 2, &found);
	each_order(other, y, COUNT(y), COUNT(y), found.statistic, &great, &orders);
	exact = great / orders;
	p = e_divisive_permute(d, &found, 40000, 40000, &rng);
	tap_ok(fabs(p - exact) < 4 * sqrt(exact * (1 - exact) / 40000),
	    "e_divisive_permute() approximates the p of all %.0f orders (%.4f, exactly "
	    "%.4f)",
	    orders, p, exact);
	p = e_divisive_permute(d, &found, 40000, 10, &rng);
	tap_ok(p > exact / 4 && p < exact * 4,
	    "e_divisive_permute() approximates p if 10 great permutations are enough "
	    "(%.4f)",
	    p);
	p = e_divisive_ranks(d, &found) * 5;
	tap_ok(p >= exact, "the bound from ranks is not below the exact p (%.4f)", p);
	e_divisive_close(d);
	e_divisive_close(other);
}

static const struct change_opts usual = {
	.alpha = 0.05, .threshold = 0, .least = 4, .permutations = 999, .seed = 1
};

/* Returns the places of the changes found, such as "12 24 ", and fills the last change. */
static const char *places(
    const double *x, size_t n, struct change_opts opts, struct change *last)
{
	static struct change found[LONGEST];
	static char text[200];
	size_t count = change_find(x, n, &opts, found);

	text[0] = '\0';
	for (size_t i = 0; i < count && i < 20; i++)
		sprintf(text + strlen(text), "%zu ", found[i].at);
	if (count && last)
		*last = found[count - 1];
	return text;
}

static void test_made(void)
{
	struct change_opts opts = usual;
	struct change last = { 0 };
	double x[60];
	struct rng rng;

	for (size_t i = 0; i < 60; i++)
		x[i] = i < 12 ? 5 : 6;
	tap_text(
	    places(x, 24, usual, &last), "12 ", "change_find() finds a step without noise");
	tap_ok(last.before == 5 && last.after == 6,
	    "change_find() returns the medians before and after a step");
	tap_text(
	    places(x + 8, 8, usual, NULL), "4 ", "change_find() finds a step in 8 values");
	tap_text(places(x + 9, 8, usual, NULL), "",
	    "change_find() finds no step after only 3 values");
	tap_text(
	    places(x + 9, 7, usual, NULL), "", "change_find() finds no step in 7 values");
	tap_text(places(x + 12, 20, usual, NULL), "",
	    "change_find() finds no step in equal values");
	tap_text(
	    places(x, 0, usual, NULL), "", "change_find() finds no step without values");
	opts.threshold = 0.25;
	tap_text(
	    places(x, 24, opts, NULL), "", "change_find() finds no step within the margin");
	opts.threshold = 0.19;
	tap_text(places(x, 24, opts, NULL), "12 ",
	    "change_find() finds a step just beyond the margin");
	for (size_t i = 0; i < 60; i++)
		x[i] = i < 12 ? 0 : i < 36 ? -1 : 3;
	tap_text(places(x, 60, usual, NULL), "12 36 ",
	    "change_find() finds steps between values of 0 and below");

	opts.threshold = 0.02;
	for (size_t i = 0; i < 60; i++)
		x[i] = i < 20 ? 100 : i < 36 ? 200 : 202;
	tap_text(places(x, 60, usual, NULL), "20 36 ",
	    "change_find() finds a small step after a large one");
	tap_text(places(x, 60, opts, &last), "20 ",
	    "change_find() removes a step within the margin after a larger one");
	tap_ok(last.before == 100 && last.after == 202,
	    "the medians are those up to the steps that remain after the margin");
	for (size_t i = 0; i < 60; i++)
		x[i] = i < 24 ? 100 : i < 40 ? 101 : 200;
	tap_text(places(x, 60, opts, &last), "40 ",
	    "change_find() removes a step within the margin before a larger one");
	tap_ok(last.before == 100 && last.after == 200,
	    "the medians are those from the steps that remain after the margin");

	rng_seed(&rng, 3);
	series(&rng, x, 60, 0, 40, 8);
	x[10] = 0x1p1000;
	tap_text(places(x, 60, usual, NULL), "40 ",
	    "change_find() finds a step in spite of a huge value");
	x[10] = -9.2e18;
	tap_text(places(x, 60, usual, NULL), "40 ",
	    "change_find() finds a step in spite of the least integer");
	series(&rng, x, 60, 0, 60, 0);
	x[30] += 1000;
	tap_text(places(x, 60, usual, NULL), "",
	    "change_find() does not take a spike for a step");
	x[30] -= 1000;
	x[59] += 1000;
	tap_text(places(x, 60, usual, NULL), "",
	    "change_find() does not take a spike at the end for a step");
	x[58] += 1000;
	tap_text(places(x, 60, usual, NULL), "",
	    "change_find() does not take two spikes at the end for a step");
	series(&rng, x, 60, 0, 30, 8);
	for (size_t i = 45; i < 60; i++)
		x[i] -= 8;
	tap_text(places(x, 60, usual, NULL), "30 45 ",
	    "change_find() finds a step up and a step down");
	opts = usual;
	opts.window = 20;
	tap_text(places(x, 60, opts, NULL), "30 45 ",
	    "change_find() finds a step up and a step down in windows");
}

/* Counts the series in which a change is found, and the changes at the place of the step.
 */
static void count(double r, size_t n, size_t step_at, double step, size_t window,
    size_t reps, size_t *any, size_t *right)
{
	static double x[LONGEST];
	static struct change found[LONGEST];
	struct change_opts opts = usual;
	struct rng rng;

	rng_seed(&rng, 99);
	*any = *right = 0;
	opts.window = window;
	for (size_t i = 0; i < reps; i++) {
		size_t changes;

		opts.seed = i;
		series(&rng, x, n, r, step_at, step);
		changes = change_find(x, n, &opts, found);
		*any += changes > 0;
		for (size_t k = 0; k < changes; k++)
			*right += found[k].at + 1 >= step_at && found[k].at <= step_at + 1;
	}
}

/* The counts are of fixed seeds. The limits allow for chance beyond the rates in the
 * manual. */
static void test_rates(void)
{
	static const struct {
		double r;
		size_t n, at;
		double step;
		size_t window, reps, least, most;
	} rates[] = {
		{ 0, 24, 24, 0, 0, 400, 0, 26 },
		{ 0.3, 24, 24, 0, 0, 400, 0, 32 },
		{ 0.5, 24, 24, 0, 0, 2000, 0, 130 },
		{ 0.5, 100, 100, 0, 50, 2000, 0, 135 },
		{ 0, 24, 12, 3, 0, 400, 360, 400 },
		{ 0.5, 100, 100, 0, 0, 200, 0, 18 },
		{ 0, 500, 500, 0, 100, 200, 0, 18 },
		{ 0.5, 500, 500, 0, 100, 200, 0, 18 },
		{ 0, 24, 12, 5, 0, 100, 97, 100 },
		{ 0.35, 24, 12, 5, 0, 100, 80, 100 },
		{ 0, 100, 60, 3, 0, 100, 97, 100 },
		{ 0, 1000, 300, 3, 100, 50, 48, 50 },
		{ 0, LONGEST, 7777, 4, 0, 4, 4, 4 },
	};

	for (size_t i = 0; i < COUNT(rates); i++) {
		size_t any, right;

		count(rates[i].r, rates[i].n, rates[i].at, rates[i].step, rates[i].window,
		    rates[i].reps, &any, &right);
		tap_ok(any >= rates[i].least && any <= rates[i].most &&
		           (rates[i].step == 0 || right * 10 >= any * 8),
		    "r = %g, %zu values and a step of %g: changes are found in %zu of %zu "
		    "series, %zu of them in place",
		    rates[i].r, rates[i].n, rates[i].step, any, rates[i].reps, right);
	}
}

static void test_memory(void)
{
	static double x[LONGEST], y[LONGEST], scratch[LONGEST];
	size_t place = 5000, middle = 10;
	struct rng rng;
	double r;

	rng_seed(&rng, 11);
	for (int i = 0; i < 3; i++) {
		double rho = 0.3 * i;

		series(&rng, x, LONGEST, rho, LONGEST / 2, 50);
		for (size_t k = 0; k < LONGEST; k += 1000)
			x[k] += 500;
		r = prewhiten_of_differences(x, LONGEST, scratch);
		tap_ok(fabs(r - rho) < 0.05,
		    "r = %.1f is estimated from differences in spite of spikes and a step "
		    "(%.3f)",
		    rho, r);
		series(&rng, x, LONGEST, rho, 5000, 50);
		r = prewhiten_of_parts(x, LONGEST, &place, 1, 0);
		tap_ok(fabs(r - rho) < 0.03, "r = %.1f is estimated from two sides (%.3f)",
		    rho, r);
	}
	prewhiten(x, LONGEST, r, y);
	tap_ok(prewhiten_of_parts(y, LONGEST, &place, 1, 0) < 0.02,
	    "prewhiten() removes the autocorrelation");
	for (size_t i = 0; i < 20; i++)
		x[i] = 3;
	tap_ok(prewhiten_of_parts(x, 20, &middle, 1, 3) == 0 &&
	           prewhiten_of_differences(x, 20, scratch) == 0,
	    "equal values have no autocorrelation");
	/* up, up, down, down: differences of 1, and of 0 or 2 two places apart, of which 6
	 * of 10 are among the 16 of 20 that count */
	for (size_t i = 0; i < 22; i++)
		x[i] = i % 4 == 3 ? 1 : (double)(i % 4);
	tap_ok(fabs(prewhiten_of_differences(x, 22, scratch) - 0.5 -
	            0.4 * sqrt(0.75 / 22)) < 1e-12,
	    "r of known differences is raised by its standard error");
}

int main(void)
{
	test_statistic();
	test_permutations();
	test_made();
	test_memory();
	test_rates();
	return tap_end();
}

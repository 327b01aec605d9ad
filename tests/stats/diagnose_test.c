/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dip against published values, and the checks of a diagnosis against known samples.
 */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "stats/diagnose.h"
#include "stats/dip.h"
#include "stats/stats.h"
#include "tests/lib/tap.h"

/* Hartigan and Hartigan's example, section 5 of their paper: statistics faculties. */
static void test_dip(void)
{
	static const double faculty[] = { 30, 33, 35, 36, 37, 37, 39, 39, 39, 39, 39, 40,
		40, 40, 40, 41, 42, 43, 43, 43, 44, 44, 45, 45, 46, 46, 47, 47, 48, 48, 48,
		49, 50, 50, 51, 52, 52, 53, 53, 53, 53, 53, 54, 54, 57, 57, 59, 60, 60, 60,
		61, 61, 61, 61, 62, 62, 62, 62, 63, 66, 70, 72, 72 };
	static const double equal[] = { 3, 3, 3, 3 }, even[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	double x[24], mirror[24];
	int differ = 0;
	struct rng r;

	rng_seed(&r, 11);
	tap_ok(fabs(dip_of(faculty, COUNT(faculty)) - 0.0595238095238095) < 1e-14,
	    "dip_of() returns the dip of the published example");
	tap_ok(dip_of(equal, COUNT(equal)) == 0 && dip_of(equal, 1) == 0,
	    "equal values have a dip of 0");
	for (int k = 0; k < 200; k++) {
		size_t n = 4 + (size_t)k % 20;

		for (size_t i = 0; i < n; i++)
			x[i] = floor(rng_uniform(&r) * 12);
		stats_sort(x, n);
		for (size_t i = 0; i < n; i++)
			mirror[i] = -x[n - 1 - i];
		differ += fabs(dip_of(x, n) - dip_of(mirror, n)) > 1e-14;
	}
	tap_ok(differ == 0, "the negatives of values have their dip (%d differ)", differ);
	tap_ok(fabs(dip_of(even, COUNT(even)) - 1.0 / 16) < 1e-15,
	    "evenly spaced values have the least dip, 1 / 2n");
}

/* Quantiles from the table of M. Maechler in R's diptest, which is of as many samples. */
static void test_dip_p(void)
{
	static const struct {
		size_t n;
		double p, dip;
	} cases[] = { { 10, 0.1, 0.1304621496 }, { 10, 0.05, 0.1396113951 },
		{ 10, 0.01, 0.1596841589 }, { 10, 0.001, 0.180611196 },
		{ 20, 0.05, 0.1051302183 }, { 50, 0.01, 0.0811998415 },
		{ 50, 0.001, 0.094093011 }, { 100, 0.05, 0.0511279443 },
		{ 200, 0.1, 0.0339967814 }, { 200, 0.001, 0.0497198 },
		{ 1000, 0.05, 0.0169343970 }, { 1000, 0.01, 0.0196080260 },
		{ 5000, 0.05, 0.0076506368 }, { 5000, 0.001, 0.01034988 } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		double p = dip_p(cases[i].dip, cases[i].n);

		tap_ok(fabs(log(p / cases[i].p)) < 0.1,
		    "%zu values with a dip of %g have p = %g (%.3g)", cases[i].n,
		    cases[i].dip, cases[i].p, p);
	}
	tap_ok(dip_p(0.05, 10) <= 1 && dip_p(0.25, 10) < 1e-6 && dip_p(0.25, 100000) >= 0,
	    "dip_p() is between 0 and 1");
}

static void test_clock(void)
{
	static const double ticks[] = { 7, 3, 5, 5, 3, 3, 7, 7, 5, 3 },
	                    uneven[] = { 7, 3, 4.5, 3, 3, 3, 7, 7, 7, 3 },
	                    many[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, few[] = { 1, 1, 2 };
	struct symptom s = diagnose_clock(ticks, COUNT(ticks));

	tap_ok(s.certain && s.value == 2 && isnan(s.p),
	    "diagnose_clock() finds that values are two apart");
	tap_ok(!diagnose_clock(uneven, COUNT(uneven)).certain,
	    "diagnose_clock() finds nothing in uneven steps");
	tap_ok(!diagnose_clock(many, COUNT(many)).certain,
	    "diagnose_clock() finds nothing in ten different values");
	s = diagnose_clock(few, COUNT(few));
	tap_ok(!s.certain && isnan(s.value) && isnan(s.p),
	    "diagnose_clock() does not check three values");
}

static void test_outliers(void)
{
	double x[30], y[30];
	struct rng r;
	struct symptom s;

	rng_seed(&r, 3);
	for (size_t i = 0; i < COUNT(x); i++)
		x[i] = 1000 + 10 * (rng_uniform(&r) + rng_uniform(&r) + rng_uniform(&r));
	tap_ok(diagnose_outliers(x, COUNT(x), 0.05).value == 0,
	    "diagnose_outliers() finds none among sums of uniform numbers");
	x[3] = 1500;
	x[20] = 100;
	s = diagnose_outliers(x, COUNT(x), 0.05);
	tap_ok(s.value == 2 && s.p < 1e-6,
	    "diagnose_outliers() finds one outlier above and one below");
	for (size_t i = 0; i < COUNT(y); i++)
		y[i] = i % 3 ? 5 : (double)i;
	tap_ok(isnan(diagnose_outliers(y, COUNT(y), 0.05).p),
	    "diagnose_outliers() does not check values of which most are equal");
	s = diagnose_outliers(x, 9, 0.05);
	tap_ok(
	    isnan(s.p) && isnan(s.value), "diagnose_outliers() does not check nine values");
}

/* Segments are checked separately: a step between them is neither drift nor
 * autocorrelation. */
static void test_segments(void)
{
	double x[60], same[60];
	size_t start[] = { 0, 20, 40 }, some[] = { 0, 58, 59 };
	struct diagnosed d = { .value = x, .n = 60, .start = start, .starts = 3 },
	                 whole = d, more = d;
	struct rng r;

	whole.starts = 1;
	rng_seed(&r, 5);
	for (size_t i = 0; i < 60; i++) {
		x[i] = rng_uniform(&r) + (double)(i / 20) * 10;
		same[i] = (double)(i / 20);
	}
	tap_ok(diagnose_drift(&whole).p < 1e-6 && diagnose_autocorrelation(&whole).p < 1e-6,
	    "steps within a segment are found as drift and autocorrelation");
	tap_ok(diagnose_drift(&d).p > 0.05 && diagnose_autocorrelation(&d).p > 0.05,
	    "steps between segments are neither drift nor autocorrelation");
	more.start = some;
	more.starts = 3;
	tap_ok(diagnose_autocorrelation(&more).p < 1e-6 && diagnose_drift(&more).p < 1e-6,
	    "a segment of one value leaves the others to be checked");
	tap_ok(isnan(diagnose_companion(&d, same).p),
	    "diagnose_companion() does not check a constant metric");
	tap_ok(diagnose_companion(&d, x).p < 1e-6 &&
	           fabs(diagnose_companion(&d, x).value - 1) < 1e-12,
	    "diagnose_companion() finds that values correlate with themselves");
}

int main(void)
{
	test_dip();
	test_dip_p();
	test_clock();
	test_outliers();
	test_segments();
	return tap_end();
}

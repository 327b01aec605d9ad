/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests axes and their units, the numbers on them, and bins. */
#include <math.h>
#include <stdlib.h>

#include "figure/axis.h"
#include "tests/lib/tap.h"

static void test_units(void)
{
	static const struct {
		double largest;
		const char *unit;
		bool utf8;
		double size;
		const char *text;
	} cases[] = {
		{ 0, "ns", true, 1, "ns" },
		{ 999, "ns", true, 1, "ns" },
		{ 1000, "ns", true, 1e3, "µs" },
		{ 1000, "ns", false, 1e3, "us" },
		{ 425e6, "ns", true, 1e6, "ms" },
		{ 599e9, "ns", true, 1e9, "s" },
		{ 600e9, "ns", true, 60e9, "min" },
		{ 36e12, "ns", true, 3600e9, "h" },
		{ 1000, "B", true, 1, "B" },
		{ 0x1p20, "B", true, 0x1p20, "MiB" },
		{ 5e10, "flop/s", true, 1e9, "Gflop/s" },
		{ 0.002, "J", true, 1e-3, "mJ" },
		{ 0, "J", true, 1, "J" },
		{ 50, "%", true, 1, "%" },
		{ 9000, "1", true, 1, "" },
		{ 90000, "", true, 1e3, "thousand" },
		{ 3e6, "1", true, 1e6, "million" },
		{ 3e9, "1/s", true, 1e9, "G/s" },
		{ 3, "1/s", true, 1, "1/s" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct axis_unit u =
		    axis_unit_for(cases[i].largest, cases[i].unit, cases[i].utf8);

		tap_ok(u.size == cases[i].size && strcmp(u.text, cases[i].text) == 0,
		    "%g %s is shown in '%s' of %g (got '%s' of %g)", cases[i].largest,
		    cases[i].unit, cases[i].text, cases[i].size, u.text, u.size);
	}
}

/* Returns the texts of the tics, joined by spaces. */
static char *tics(const struct axis *a)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < a->tics; i++)
		buf_printf(&b, "%s%s", i ? " " : "", a->tic[i].text);
	return b.ptr ? b.ptr : str_copy("");
}

static void tics_are(struct axis a, const char *want, const char *what)
{
	char *got = tics(&a);

	tap_text(got, want, what);
	free(got);
	axis_free(&a);
}

static void test_axes(void)
{
	static const double powers[] = { 1, 2, 4, 8, 16 },
	                    steps[] = { 1, 2, 3, 4, 5, 6, 7, 8 },
	                    zero[] = { 0, 1, 10, 100 }, two[] = { 1, 1000 },
	                    crowd[] = { 1, 1.01, 1.02, 2, 3 };
	struct axis a;

	tics_are(axis_linear(3, 98, true, 6), "0 20 40 60 80 100",
	    "tics from zero go in steps of 20");
	tics_are(axis_linear(1.01, 1.08, false, 8),
	    "1.01 1.02 1.03 1.04 1.05 1.06 1.07 1.08",
	    "tics have as many decimals as their step");
	tics_are(axis_linear(-3, 3, true, 4), "-2 0 2", "tics are on both sides of zero");
	tics_are(
	    axis_log(100, 1e6), "100 1000 10000 100000 1e+06", "tics are at powers of ten");
	tics_are(axis_log(15, 480), "20 50 100 200 500",
	    "tics are at 1, 2 and 5 over few decades");
	tics_are(axis_log(240, 330), "250 300",
	    "an axis without two of these tics has tics at even steps");
	tics_are(axis_log(5.3, 9), "6 7 8 9",
	    "an axis with one of these tics also has tics at even steps");
	a = axis_linear(7, 7, false, 5);
	tap_ok(a.from < 7 && a.to > 7, "equal values have room on both sides");
	axis_free(&a);
	a = axis_linear(0, 0, true, 5);
	tap_ok(a.from == 0 && a.to > 0, "zero has room above it");
	axis_free(&a);
	a = axis_linear(1, 1e300, true, 5);
	tap_ok(a.tics >= 2 && a.tics < 20, "huge values have few tics");
	axis_free(&a);

	tap_ok(axis_geometric(powers, COUNT(powers)), "powers of two are geometric");
	tap_ok(!axis_geometric(steps, COUNT(steps)), "1 to 8 is not geometric");
	tap_ok(!axis_geometric(zero, COUNT(zero)), "values with a zero are not geometric");
	tap_ok(!axis_geometric(two, COUNT(two)), "two values are not geometric");

	a = axis_log(1, 16);
	axis_tics_at(&a, powers, COUNT(powers), 60);
	tics_are(a, "1 2 4 8 16", "tics are at the measured places");
	a = axis_linear(1, 3, false, 5);
	axis_tics_at(&a, crowd, COUNT(crowd), 60);
	tics_are(a, "1 2 3", "tics are not where they would overlap");
	a = axis_log(1, 100);
	tap_ok(fabs(axis_place(&a, 10) - 0.5) < 1e-12,
	    "ten is half way from 1 to 100 on a logarithmic axis");
	axis_free(&a);
}

static void test_numbers(void)
{
	static const struct {
		double x;
		const char *want;
	} cases[] = { { 9999, "9999" }, { 10000, "10k" }, { 12500, "12.5k" },
		{ 16384, "16,384" }, { -100000, "-100k" }, { 1048576, "1,048,576" },
		{ 2.5e6, "2.5M" }, { 3e9, "3G" }, { 0.25, "0.25" }, { 1e15, "1e+15" } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[64];

		axis_number(text, sizeof(text), cases[i].x);
		tap_ok(strcmp(text, cases[i].want) == 0, "%.10g on an axis is %s (%s)",
		    cases[i].x, cases[i].want, text);
	}
}

static void test_bins(void)
{
	double ramp[1000], same[10];
	struct bins b;
	size_t found = 0;

	for (size_t i = 0; i < COUNT(ramp); i++)
		ramp[i] = (double)i;
	for (size_t i = 0; i < COUNT(same); i++)
		same[i] = 5;
	tap_ok(fabs(bins_width(ramp, COUNT(ramp)) - 2 * 499.5 / 10) < 1e-9,
	    "bins are 2 IQR / n^(1/3) wide (Freedman and Diaconis)");
	tap_ok(bins_width(same, COUNT(same)) == 0, "bins of equal values have no width");
	same[9] = 13;
	tap_ok(bins_width(same, COUNT(same)) == 8.0 / 5,
	    "bins of values without IQR are as wide as Sturges has them");
	b = bins_cover(0, 999, 99.9, 100);
	tap_ok(b.first == 0 && b.width == 100 && b.count == 10,
	    "the width of bins is rounded up");
	for (size_t i = 0; i < COUNT(ramp); i++)
		found += bins_find(&b, ramp[i]) == i / 100;
	tap_ok(found == COUNT(ramp), "each value is in the bin that begins at or below it");
	b = bins_cover(0, 10, 1, 100);
	tap_ok(b.count == 10 && bins_find(&b, 10) == 9,
	    "the last bin includes its upper edge");
	b = bins_cover(0, 1e9, 1e-3, 50);
	tap_ok(b.count <= 50 && b.first + b.width * (double)b.count >= 1e9,
	    "there are never more bins than there is room for");
	b = bins_cover(7, 7, 0, 50);
	tap_ok(
	    b.count == 1 && bins_find(&b, 7) == 0 && b.width > 0, "one value has one bin");
}

int main(void)
{
	test_units();
	test_axes();
	test_numbers();
	test_bins();
	return tap_end();
}

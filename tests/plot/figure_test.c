/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests axes and their units, bins, labels, whiskers, the placement of names, and the
 * reduction of points.
 */
#include <math.h>
#include <stdlib.h>

#include "figure/axis.h"
#include "figure/points.h"
#include "plot/layout.h"
#include "plot/layout_names.h"
#include "tests/lib/tap.h"
#include "text/display_text.h"
#include "text/display_width.h"

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

static void test_labels(void)
{
	struct buf b = { 0 };
	char *label[3], *line[2], *part[3] = { "one", "two three", "four" },
	                          wide[] = "a part that is too wide";
	size_t lines;

	display_text_label(&b, TEXT("a\033[31m\n\tµ\xff"), true);
	tap_text(b.ptr, "a\\x1b[31m\\n\\tµ\\xff",
	    "control characters and broken UTF-8 are visible in a label");
	b.len = 0;
	display_text_label(&b, TEXT("µs…x"), false);
	tap_text(b.ptr, "?s?x", "a label without UTF-8 has one ? for each character");
	buf_free(&b);
	tap_ok(display_width(TEXT("µs…")) == 3, "the width of a label is in columns");
	tap_ok(display_width(TEXT("快速 sort（한）")) == 15,
	    "characters of East Asia are two columns wide");

	label[0] = str_copy("a/long/start --with=1 a/long/middle/that/fills --end, n=10");
	label[1] = str_copy("a/long/start --with=1 a/long/middle/that/fills --end, n=20");
	label[2] = str_copy("a/long/start --with=2 a/long/middle/that/fills --end, n=10");
	display_text_fit(label, 3, 24, true);
	tap_text(label[1], "a/long…1 a/long…nd, n=20",
	    "both differences of labels are kept when they are cut");
	for (int i = 0; i < 3; i++)
		free(label[i]);

	label[0] = str_copy("short");
	label[1] = str_copy("0123456789abcdefghij");
	display_text_fit(label, 2, 10, true);
	tap_text(label[0], "short", "a label that fits is not cut");
	tap_text(label[1], "01234…ghij", "the middle of a long label is left out");
	free(label[0]);
	free(label[1]);

	label[0] = str_copy("/long/common/path/to/a/thing/with/a/tail");
	label[1] = str_copy("/long/common/path/to/b/thing/with/a/tail");
	display_text_fit(label, 2, 16, false);
	tap_ok(strcmp(label[0], label[1]) != 0 && strlen(label[0]) <= 16,
	    "labels that differ in the middle still differ when cut (%s, %s)", label[0],
	    label[1]);
	free(label[0]);
	free(label[1]);

	label[0] =
	    str_copy("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb");
	label[1] =
	    str_copy("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb");
	label[2] = str_copy("zzz");
	display_text_fit(label, 3, 12, true);
	tap_ok(strcmp(label[0], label[1]) != 0 && display_width(text_of(label[0])) <= 12,
	    "labels that cannot be distinguished are numbered (%s, %s)", label[0],
	    label[1]);
	for (size_t i = 0; i < 3; i++)
		free(label[i]);

	lines = display_text_wrap(part, 3, 12, true, line, 2);
	tap_ok(lines == 2, "three parts are wrapped into two lines");
	tap_text(line[0], "one,", "the first line ends after a part");
	tap_text(line[1], "two three, …", "the last line has the rest, cut");
	free(line[0]);
	free(line[1]);
	lines = display_text_wrap((char *[]){ wide }, 1, 12, true, line, 2);
	tap_ok(lines == 2, "a part that is too wide takes two lines");
	tap_text(line[0], "a part that", "a part that is too wide is broken at a blank");
	tap_text(line[1], "is too wide", "the next line has the rest of the part");
	free(line[0]);
	free(line[1]);
}

static void test_whiskers(void)
{
	double value[] = { 1, 2, 3, 4, 5, 6, 7, 8, 100 };
	struct mark m = { .value = value, .n = COUNT(value) };
	struct whiskers w = whiskers_of(&m);

	tap_ok(w.q1 == 3 && w.q3 == 7, "the quartiles of a box are of type 7");
	tap_ok(w.lo == 1 && w.hi == 8 && w.first == 0 && w.last == 8,
	    "whiskers end at values, and values beyond them are outliers");
	m.n = 1;
	w = whiskers_of(&m);
	tap_ok(w.lo == 1 && w.hi == 1 && w.q1 == 1, "one value is its own whisker");
	m.n = 0;
	w = whiskers_of(&m);
	tap_ok(isnan(w.lo) && isnan(w.q1), "a mark without values has no whiskers");
}

/* A line of 10000 points with one peak and one dip, over 50 columns. */
static void test_decimation(void)
{
	enum { N = 10000, COLUMNS = 50 };
	static struct point line[N], few[4 * COLUMNS];
	size_t kept, peaks = 0, dips = 0;
	bool ordered = true;

	for (size_t i = 0; i < N; i++)
		line[i] = (struct point){ (double)i + 1, i == 3141   ? 99
			                                 : i == 5926 ? -99
			                                             : (double)(i % 7) };
	kept = points_decimate(line, N, COLUMNS, false);
	tap_ok(kept <= 4 * COLUMNS && kept > COLUMNS,
	    "a column keeps at most four points (%zu)", kept);
	for (size_t i = 0; i < kept; i++) {
		peaks += line[i].x == 3142 && line[i].value == 99;
		dips += line[i].x == 5927 && line[i].value == -99;
		ordered = ordered && (i == 0 || line[i].x > line[i - 1].x);
	}
	tap_ok(peaks == 1 && dips == 1, "the smallest and the largest point are kept");
	tap_ok(ordered, "points that are kept stay in order");
	tap_ok(line[0].x == 1 && line[kept - 1].x == N,
	    "the first and the last point are kept");

	for (size_t i = 0; i < COUNT(few); i++)
		few[i] = (struct point){ (double)i, (double)(i * i % 11) };
	tap_ok(points_decimate(few, COUNT(few), COLUMNS, false) == COUNT(few),
	    "a line with four points a column is kept whole");
	tap_ok(points_decimate(few, COUNT(few), 0, false) == COUNT(few),
	    "a line over no columns is kept whole");

	for (size_t i = 0; i < N; i++)
		line[i] = (struct point){ (double)i + 1, (double)(i % 7) };
	kept = points_decimate(line, N, COLUMNS, true);
	for (size_t i = 0; i < 5; i++)
		tap_ok(line[i].x == (double)i + 1,
		    "columns of a logarithmic x are narrow at its beginning (%g)",
		    line[i].x);
}

static bool overlap(const struct names_point *a, const struct names_point *b, double column)
{
	return fabs(a->name_y - b->name_y) < 20 * 0.9 - 1e-9 &&
	       a->name_x < b->name_x + b->width * column - 1e-9 &&
	       b->name_x < a->name_x + a->width * column - 1e-9;
}

static void test_names(void)
{
	struct names_room room = { .right = 800, .bottom = 400, .column = 8, .row = 20 };
	struct names_line roof = { 0, 205, 800, 205 };
	struct names_point one = { .x = 400, .y = 200, .width = 10 }, edge = one, crowd[40];
	size_t shown = 0, covered = 0, led = 0;

	names_place(&one, 1, &room);
	tap_ok(one.shown && one.name_x > one.x && one.name_y == one.y,
	    "a name is on the right of its point");
	edge.x = 790;
	names_place(&edge, 1, &room);
	tap_ok(edge.shown && edge.name_x + edge.width * room.column <= room.right,
	    "a name stays within the axes");
	room.line = &roof;
	room.lines = 1;
	names_place(&one, 1, &room);
	tap_ok(one.shown && fabs(one.name_y - 205) >= 0.45 * room.row,
	    "a name does not cover a line");
	room.lines = 0;
	for (size_t i = 0; i < COUNT(crowd); i++)
		crowd[i] = (struct names_point){ .x = 400 + (double)(i % 8) * 6,
			.y = 200 + (double)(i / 8) * 6,
			.width = 12 };
	names_place(crowd, COUNT(crowd), &room);
	for (size_t i = 0; i < COUNT(crowd); i++) {
		shown += crowd[i].shown;
		for (size_t k = 0; k < i && crowd[i].shown; k++)
			covered +=
			    crowd[k].shown && overlap(&crowd[i], &crowd[k], room.column);
	}
	tap_ok(covered == 0, "names do not cover each other");
	tap_ok(shown > 0 && shown < COUNT(crowd),
	    "names without room are left out (%zu of %zu)", shown, COUNT(crowd));
	room.leaders = true;
	names_place(crowd, COUNT(crowd), &room);
	for (size_t i = 0; i < COUNT(crowd); i++)
		led += crowd[i].shown && crowd[i].led;
	names_place(&one, 1, &room);
	tap_ok(led > 0 && one.shown && !one.led,
	    "names that are far from their points have lines to them (%zu)", led);
}

int main(void)
{
	test_units();
	test_axes();
	test_numbers();
	test_bins();
	test_labels();
	test_whiskers();
	test_decimation();
	test_names();
	return tap_end();
}

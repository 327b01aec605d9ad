/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests the scripts of kinds that show more than marks: trends, timelines and rooflines.
 */
#include "plots.h"

/* A history of 40 commits: one of two series becomes slower by a quarter at the 25th. */
static struct buf history(bool times)
{
	struct buf b = { 0 };

	buf_str(&b, "run,time,commit,bench,sample,metric,unit,value\n");
	for (int d = 0; d < 40; d++)
		for (int bench = 0; bench < 2; bench++)
			for (int s = 0; s < 6; s++) {
				char time[32] = "";

				if (times)
					snprintf(time, sizeof(time),
					    "2026-03-%02dT%02d:00:00Z", 1 + d / 2,
					    d % 2 * 12);
				buf_printf(&b, "r%d,%s,c%02df00d,%s,%d,wall,ns,%.0f\n", d,
				    time, d, bench ? "sort" : "gemm", s,
				    (bench ? 1e6 : 2e6) * (bench && d >= 24 ? 1.25 : 1) +
				        (d * 7919 + s * 104729) % 9973);
			}
	return b;
}

static void test_trend(void)
{
	/* 2026-03-13, 2026-03-06 and 2026-03-15 at midnight, UTC */
	const double changed = 1773360000, v1 = 1772755200, v2 = 1773532800;
	struct buf h = history(true), untimed = history(false);
	char *d = draw(
	         "trend", &h, (struct request){ .mark = { "v1=c10", "v2=2026-03-15" } }),
	     *line = block(d, "changes"), *points = block(d, "points"), *by_commit, *other;
	double x = 0, before, after, percent = 0, worse = 0, series = 0;

	sscanf(line, "%lf %lf %lf %lf %lf %lf", &x, &before, &after, &percent, &worse,
	    &series);
	tap_ok(count_lines(line) == 1 && x == changed && round(percent) == 25 &&
	           worse == 1 && series == 1,
	    "a trend has its change of level, at its time (%s)", line);
	column_is(
	    d, "levels", 3, 10, "10.05 12.55", "a trend has the levels on both sides");
	tap_ok(value_of(d, "flag_at[1]") == v1, "a mark is at its commit");
	tap_ok(value_of(d, "flag_at[2]") == v2, "a mark is at its time");
	tap_ok(
	    count_lines(points) == 80, "a trend has a point for each commit of a series");
	free(points);
	free(line);
	free(d);
	d = draw("trend", &h, (struct request){ .x = "commit" });
	column_is(d, "changes", 1, 1, "24", "-x commit counts the commits");
	tap_ok(says(d, "c00f00d"), "-x commit names the commits");
	by_commit = block(d, "changes");
	free(d);
	d = draw("trend", &untimed, (struct request){ 0 });
	other = block(d, "changes");
	tap_text(other, by_commit, "a history without times lies along its commits");
	free(other);
	free(by_commit);
	free(d);
	buf_free(&h);
	buf_free(&untimed);
}

/* Series of two metrics, two samples each of 5000 moments, one of which is a peak. */
static void test_timeline(void)
{
	struct buf b = { 0 };
	double lo = INFINITY, hi = 0, peak_at = 0;
	size_t peaks = 0;
	char *d, *lines;

	buf_str(&b, "bench,sample,t,metric,unit,value\n");
	for (int s = 0; s < 2; s++)
		for (int t = 0; t < 5000; t++)
			buf_printf(&b, "a,%d,%d000000,rss,B,%d\na,%d,%d000000,power,W,%d\n",
			    s, t, (s && t == 777 ? 9 : 1) * 1048576 + t, s, t, 40 + t % 3);
	d = draw("timeline", &b, (struct request){ 0 });
	tap_ok(says(d, "rss (MiB)"), "a timeline has a panel for each metric");
	tap_ok(value_of(d, "name_count") == 2, "a timeline has no panel without a metric");
	lines = block(d, "curves");
	tap_ok(count_lines(lines) >= 1000 && count_lines(lines) < 20000,
	    "the curves of a timeline are thinned (%zu)", count_lines(lines));
	for (char *rest = lines, *line; (line = strsep(&rest, "\n"));) {
		double x, place, value, panel;

		if (sscanf(line, "%lf %lf %lf %lf", &x, &place, &value, &panel) != 4)
			continue;
		if (panel == 0 && value > 9) {
			peaks++;
			peak_at = x;
		} else if (panel == 1) {
			lo = fmin(lo, value);
			hi = fmax(hi, value);
		}
	}
	tap_ok(peaks == 1 && peak_at == 0.777, "a thinned curve keeps its peak");
	tap_ok(lo == 40 && hi == 42, "values are written next to their places");
	free(lines);
	free(d);
	buf_free(&b);
}

/* A curve that lacks the values of a second, and a metric that is always 0. */
static void test_gaps(void)
{
	struct buf b = { 0 };
	char *d;

	buf_str(&b, "bench,sample,t,metric,unit,value\n");
	for (int t = 0; t < 40; t++)
		if (t < 10 || t >= 20)
			buf_printf(&b,
			    "a,0,%d00000000,rss,B,%d\na,0,%d00000000,write_rate,B/s,0\n", t,
			    1 + t, t);
	d = draw("timeline", &b, (struct request){ 0 });
	tap_ok(strstr(d, "\n0.9 ") && strstr(d, "\n\n2 "),
	    "a curve is interrupted where values are missing");
	tap_ok(value_of(d, "name_count") == 1 && strstr(d, "write_rate always 0"),
	    "a metric that is always 0 has no panel");
	free(d);
	d = draw("timeline", &b, (struct request){ .metric = "write_rate" });
	tap_ok(value_of(d, "name_count") == 1,
	    "a metric that is always 0 is drawn if -y names it");
	free(d);
	buf_free(&b);
}

/* Histories of `count` benchmarks, of which the first becomes slower. */
static struct buf histories(int count)
{
	struct buf b = { 0 };

	buf_str(&b, "run,bench,commit,time,metric,unit,value\n");
	for (int i = 0; i < count; i++)
		for (int day = 1; day <= 28; day++)
			buf_printf(&b, "r%d,b%d,c%d,2026-02-%02dT00:00:00Z,wall,ns,%d\n",
			    day, i, day, day,
			    (i + 1) * 1000000 * (i || day < 15 ? 1 : 2) + day % 5);
	return b;
}

static void test_panels(void)
{
	struct buf few = histories(4), many = histories(5);
	char *d = draw("trend", &few, (struct request){ 0 });

	tap_ok(value_of(d, "panels") == 0 && value_of(d, "key_count") == 4,
	    "four series of a trend share a panel and have a key");
	free(d);
	d = draw("trend", &many, (struct request){ 0 });
	tap_ok(value_of(d, "panels") == 5 && value_of(d, "value_to") == 5,
	    "five series of a trend have five panels");
	tap_ok(value_of(d, "key_count") == 0 && value_of(d, "name_count") == 5,
	    "the panels of a trend have names instead of a key");
	tap_ok(says(d, "+100% worse") && value_of(d, "remark_color[1]") == 0xc8102e,
	    "a change for the worse has its percentage in red");
	column_is(d, "levels", 4, 1, "0 0", "levels belong to the series that changes");
	free(d);
	d = draw("trend", &many, (struct request){ .format = "txt" });
	tap_ok(value_of(d, "panels") == 0, "a trend of characters has one panel");
	free(d);
	buf_free(&few);
	buf_free(&many);
}

static void test_roofline(void)
{
	struct buf b = { 0 };
	char *d;

	buf_str(&b, "kind,bench,backend,metric,unit,value\n");
	for (int s = 0; s < 7; s++)
		buf_printf(&b,
		    "kernel,gemm,cpu,flop_rate,flop/s,20000000000%d\n"
		    "kernel,gemm,cpu,bandwidth,B/s,2e9\n"
		    "kernel,dot,cpu,flop_rate,flop/s,1000000000%d\n"
		    "kernel,dot,cpu,bandwidth,B/s,4e10\n",
		    s, s);
	buf_str(&b, "kernel,gemm,cpu,peak_flop_rate,flop/s,4e11\n"
	            "kernel,gemm,cpu,peak_bandwidth,B/s,5e10\n");
	d = draw("roofline", &b, (struct request){ 0 });
	column_is(
	    d, "points", 1, 1, "100 0.25", "a roofline has points at their intensity");
	column_is(d, "points", 2, 1, "200 10", "a roofline has points at their rate");
	column_is(
	    d, "roofs", 2, 1, "3.003 400 400", "a roof rises to the peak of its device");
	column_is(d, "roofs", 1, 1, "0.06006 8 416.3", "a roof bends at its ridge");
	tap_ok(strstr(d, "\n>50.00 GB/s\n>400.0 Gflop/s\n>gemm\n>dot\n"),
	    "a roofline names its roofs and points");
	free(d);
	buf_free(&b);
}

int main(void)
{
	if (!plots_begin())
		return 1;
	test_trend();
	test_panels();
	test_timeline();
	test_gaps();
	test_roofline();
	plots_end();
	return tap_end();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests the scripts of all kinds of plots without gnuplot: what each kind draws from
 * which rows.
 */
#include "plots.h"

/* Returns rows of two subjects at two levels, with ten values each. */
static struct buf samples(void)
{
	struct buf b = { 0 };

	buf_str(&b, "bench,level,sample,metric,unit,value\n");
	for (int s = 0; s < 10; s++)
		for (int level = 1; level <= 9; level += 8) {
			buf_printf(
			    &b, "gzip,%d,%d,wall,ns,%d000000\n", level, s, 20 + level + s);
			buf_printf(
			    &b, "zstd,%d,%d,wall,ns,%d000000\n", level, s, 10 + level + s);
		}
	return b;
}

/* Returns rows of two lines along n. */
static struct buf sweep(void)
{
	struct buf b = { 0 };

	buf_str(&b, "bench,n,sample,metric,unit,value\n");
	for (int n = 1000; n <= 16000; n *= 2)
		for (int s = 0; s < 8; s++) {
			buf_printf(&b, "fast,%d,%d,wall,ns,%d\n", n, s, n * 10 + s);
			buf_printf(&b, "slow,%d,%d,wall,ns,%d\n", n, s, n / 50 * n + s);
		}
	return b;
}

/* Returns eight values for each of 1, 2 and 4 threads; value, unless NULL, replaces them.
 */
static struct buf threads(const char *metric, const char *unit, const char *value)
{
	struct buf b = { 0 };

	buf_str(&b, "bench,threads,sample,metric,unit,value\n");
	for (int n = 1; n <= 4; n *= 2)
		for (int s = 0; s < 8; s++) {
			buf_printf(&b, "sort,%d,%d,%s,%s,", n, s, metric, unit);
			if (value)
				buf_printf(&b, "%s\n", value);
			else
				buf_printf(&b, "%.0f\n", 8e6 / n * (1 + n / 10.0) + s);
		}
	return b;
}

/* Returns the rows that do not begin with a word. */
static struct buf without(const struct buf *csv, const char *word)
{
	struct buf b = { 0 };

	for (const char *at = csv->ptr; *at; at += strcspn(at, "\n") + 1)
		if (strncmp(at, word, strlen(word)) != 0)
			buf_printf(&b, "%.*s\n", (int)strcspn(at, "\n"), at);
	return b;
}

static struct buf rows(const char *csv)
{
	struct buf b = { 0 };

	buf_str(&b, csv);
	return b;
}

/* 1 to 8, and 100 */
static const char outlier[] =
    "bench,metric,unit,value\na,m,ns,1\na,m,ns,2\na,m,ns,3\n"
    "a,m,ns,4\na,m,ns,5\na,m,ns,6\na,m,ns,7\na,m,ns,8\na,m,ns,100\n";

static void test_lanes(void)
{
	struct buf s = samples(), o = rows(outlier),
	           few = rows("bench,metric,unit,value,status\na,m,ns,5,ok\na,m,ns,7,ok\n"
	                      "b,m,ns,9,failed:exit=1\n"),
	           one = without(&s, "zstd");
	char *d = draw("box", &s, (struct request){ .x = "bench", .group = "bench" });

	column_is(
	    d, "points", 3, 1, "20 20", "n is the number of the values that are pooled");
	tap_ok(strstr(d, "pooled over level"), "a plot says that it pooled values");
	free(d);
	d = draw("bar", &one, (struct request){ 0 });
	tap_ok(strstr(d, "n = 10, gzip"), "a plot says what was held constant");
	free(d);
	d = draw("box", &o, (struct request){ 0 });
	block_is(d, "points", "1 5 9 1 100 3 7 1 8",
	    "a box has type 7 quartiles and whiskers within 1.5 interquartile ranges");
	block_is(d, "outliers", "1 100", "values beyond the whiskers are outliers");
	free(d);
	d = draw("bar", &few, (struct request){ 0 });
	block_is(d, "intervals", "1e9 1e9 1e9 1e9 1e9 1e9 1e9 1e9 1e9",
	    "two values give no interval");
	block_is(d, "points", "1 6 2 5 7 5.5 6.5 5 7", "a lane without values has no bar");
	tap_ok(says(d, "1 failed"), "a lane without values says why");
	free(d);
	buf_free(&s);
	buf_free(&o);
	buf_free(&few);
	buf_free(&one);
}

/* Quantiles of a hundred runs, and of a series that depends on itself. */
static void test_quantiles(void)
{
	struct buf b = { 0 }, waves = { 0 };
	char *d, *points, *bands;
	double x, at, lo, hi;

	buf_str(&b, "run,bench,sample,metric,unit,value\n");
	buf_str(&waves, "bench,sample,metric,unit,value\n");
	for (int i = 0; i < 101; i++)
		buf_printf(&b, "r%d,a,0,wall,ns,%d\n", i, 100 + i * 37 % 101);
	for (int i = 0; i < 400; i++)
		buf_printf(&waves, "a,%d,wall,ns,%d\n", i, 100 + i / 100 % 2 * 50 + i % 7);
	d = draw("quantiles", &b, (struct request){ 0 });
	points = block(d, "quantiles");
	bands = block(d, "bands");
	tap_ok(sscanf(points, "%lf %lf", &x, &at) == 2 && x == 2 && at == 150,
	    "quantiles begin at the median (%s)", points);
	tap_ok(strstr(points, "\n101 199.0099") && strstr(points, "\n202 200"),
	    "quantiles end at the largest value");
	tap_ok(sscanf(bands, "%lf %lf %lf %lf", &x, &at, &lo, &hi) == 4 && x == 2 &&
	           at == 150 && lo == 140 && hi == 160,
	    "quantiles of independent values have the interval of the median (%s)", bands);
	tap_ok(count_lines(bands) > 10 && count_lines(bands) < 22,
	    "the band ends where there are too few values (%zu)", count_lines(bands));
	tap_ok(says(d, "50%%") && says(d, "90%%") && says(d, "99%%"),
	    "the x axis has quantiles in percent");
	free(points);
	free(bands);
	free(d);
	d = draw("quantiles", &waves, (struct request){ 0 });
	bands = block(d, "bands");
	tap_ok(begin_with(bands, "1e9") == 1,
	    "quantiles of few values that depend on each other have no band");
	free(bands);
	free(d);
	buf_free(&b);
	buf_free(&waves);
}

static void test_values(void)
{
	struct buf s = samples(), o = rows(outlier), dots = { 0 };
	size_t n = 0, least = 0, most = 0;
	double sum = 0;
	char *d = draw("hist", &s, (struct request){ 0 }),
	     *counts = column(d, "bins", 4, 1);

	for (char *rest = counts, *field; (field = strsep(&rest, " "));)
		sum += strtod(field, NULL);
	tap_ok(sum == 40, "the bins of a histogram hold every value (%g of 40)", sum);
	free(counts);
	free(d);
	d = draw("strip", &s, (struct request){ 0 });
	counts = block(d, "dots");
	tap_ok(count_lines(counts) == 40, "a strip has a dot for each value");
	free(counts);
	free(d);
	buf_str(&dots, "bench,metric,value\n");
	for (int i = 0; i < 20000; i++)
		buf_printf(&dots, "a,x,%d\n", i * 7919 % 20011);
	d = draw("strip", &dots, (struct request){ 0 });
	counts = column(d, "dots", 2, 1000);
	for (char *rest = counts, *field; (field = strsep(&rest, " ")); n++) {
		least += strtod(field, NULL) == 0;
		most += strcmp(field, "2.001e+04") == 0;
	}
	tap_ok(n >= 100 && n < 10000, "a strip has no more dots than can be distinguished");
	tap_ok(least && most, "the smallest and the largest value are among the dots");
	free(counts);
	free(d);
	d = draw("ecdf", &o, (struct request){ 0 });
	block_is(d, "steps",
	    "1 0\n1 0.1111111111111111\n2 0.2222222222222222\n3 0.3333333333333333\n"
	    "4 0.4444444444444444\n5 0.5555555555555556\n6 0.6666666666666666\n"
	    "7 0.7777777777777778\n8 0.8888888888888888\n100 1",
	    "an ecdf has the share up to each value");
	free(d);
	d = draw("ecdf", &s, (struct request){ 0 });
	tap_ok(begin_with(d, "symbol[") == 4, "each subject of an ecdf has a curve");
	tap_ok(value_of(d, "key_count") == 4, "each curve of an ecdf is in the key");
	free(d);
	d = draw("ecdf", &s, (struct request){ .group = "bench" });
	tap_ok(begin_with(d, "symbol[") == 2, "-g joins the subjects of an ecdf");
	free(d);
	test_quantiles();
	buf_free(&s);
	buf_free(&o);
	buf_free(&dots);
}

static void test_speedup(void)
{
	static const struct {
		const char *metric, *unit, *value, *want, *what;
	} cases[] = {
		{ "wall", "ns", NULL, "1 1.833 3.143",
		    "a speedup of times is how many times they are less" },
		{ "throughput", "1/s", NULL, "1 0.5455 0.3182",
		    "a speedup of rates is how many times they are more" },
		{ "speedup", "1", "1.5", "1.5 1.5 1.5",
		    "the metric speedup is drawn as it is" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf t = threads(cases[i].metric, cases[i].unit, cases[i].value);
		char *d = draw("speedup", &t, (struct request){ 0 });

		column_is(d, "points", 2, 1, cases[i].want, cases[i].what);
		if (i == 0) {
			column_is(
			    d, "points", 1, 1, "1 2 4", "a speedup lies along threads");
			tap_ok(value_of(d, "ideal") == 1, "a speedup has the ideal line");
		}
		free(d);
		buf_free(&t);
	}
}

/* Series have the same colors in the plots of two metrics, even if some lack one metric. */
static void test_colors(void)
{
	static const char *const metric[] = { "wall", "rss" };
	struct buf b = { 0 };
	char *d;

	buf_str(&b, "bench,n,metric,unit,value\n");
	for (int bench = 0; bench < 3; bench++)
		for (int n = 1; n <= 2; n++)
			for (int m = 0; m < 2; m++)
				if (m || bench == 1)
					buf_printf(&b, "b%d,%d,%s,ns,%d\n", bench, n,
					    metric[m], n + m);
	d = draw("line", &b, (struct request){ .metric = "rss" });
	tap_ok(strstr(d, "\nCOLOR[1] = '#0169de'\nCOLOR[2] = '#d57f04'\nCOLOR[3]"),
	    "series have colors in order of appearance");
	free(d);
	d = draw("line", &b, (struct request){ .metric = "wall" });
	tap_ok(!strstr(d, "COLOR[2]") && strstr(d, "\nCOLOR[1] = '#d57f04'\n"),
	    "the first series of a metric keeps the color that it has in the whole input");
	free(d);
	d = draw("bar", &b, (struct request){ .metric = "rss", .x = "bench" });
	tap_ok(strstr(d, "\nCOLOR[1] = '#209") || strstr(d, "\nCOLOR[1] = '#1f"),
	    "the values of a numeric factor begin with the light end of the ramp");
	tap_ok(strstr(d, "\nCOLOR[2] = '#440154'"),
	    "the values of a numeric factor end with the dark end of the ramp");
	free(d);
	buf_free(&b);
}

static void test_line(void)
{
	struct buf n = sweep(), slow = { 0 }, many = { 0 };
	char *d = draw("line", &n, (struct request){ 0 }), *thin, *named, *end;

	tap_ok(value_of(d, "x_log") == 1, "x spaced by factors is logarithmic");
	tap_ok(says(d, "wall by n, bench"), "the factor that varies lies along x");
	tap_ok(begin_with(d, "symbol[") == 2, "each subject has a line");
	free(d);
	d = draw("line", &n, (struct request){ .log_x = LOG_NO, .log_y = LOG_NO });
	tap_ok(value_of(d, "x_log") == 0, "x is linear where that is asked for");
	free(d);
	d = draw("line", &n, (struct request){ .group = "bench" });
	slow = without(&n, "fast");
	thin = draw("line", &slow, (struct request){ .group = "bench" });
	tap_ok(value_of(thin, "symbol[1]") == 0 && value_of(d, "symbol[2]") == 1,
	    "series have symbols in order of appearance");
	free(thin);
	thin = draw("line", &slow,
	    (struct request){ .group = "bench", .color = { "fast", "slow" } });
	tap_ok(
	    value_of(thin, "symbol[1]") == 1 && strstr(thin, "\nCOLOR[1] = '#d57f04'\n"),
	    "a name in the list of colors has its color in every plot");
	free(thin);
	free(d);

	buf_str(&many, "n,metric,value\n");
	for (int i = 1; i <= 60000; i++)
		buf_printf(&many, "%d,x,%d\n", i, i == 31415 ? 99 : i % 7);
	d = draw("line", &many, (struct request){ 0 });
	thin = block(d, "points");
	tap_ok(count_lines(thin) >= 100 && count_lines(thin) < 10000,
	    "of 60000 places a line has those that can be seen");
	tap_ok(strstr(thin, "\n31415 99 "), "the largest value of a long line is drawn");
	free(d);
	d = draw("line", &many, (struct request){ .x = "n" });
	named = block(d, "points");
	tap_text(named, thin, "a long line is the same when -x names its x");
	free(thin);
	free(named);
	free(d);
	end = strstr(many.ptr, "\n1,x");
	slow.len = 0;
	buf_printf(&slow, "n,metric,value\none%s", end + 2);
	refuses(draw("line", &slow, (struct request){ .x = "n" }), "'one' is not a number",
	    "a place that is no number is refused in long input");
	buf_free(&n);
	buf_free(&slow);
	buf_free(&many);
}

static void test_factors(void)
{
	struct buf n = sweep(), s = samples(), net = { 0 };
	static const struct {
		const char *preset, *title;
	} cases[] = {
		{ "latency", "wall by batch, device" },
		{ "throughput", "throughput by batch, device" },
		{ "memory", "max_rss by batch, device" },
	};
	char *d = draw("heat", &n, (struct request){ .x = "bench", .group = "n" });

	column_is(
	    d, "cells", 1, 1, "1 1 1 1 1 2 2 2 2 2", "-x names the columns of a heat map");
	column_is(
	    d, "cells", 2, 1, "1 2 3 4 5 1 2 3 4 5", "-g names the lanes of a heat map");
	free(d);
	d = draw("bar", &s, (struct request){ 0 });
	tap_ok(says(d, "level=1") && says(d, "level=9"), "a second factor has colors");
	tap_ok(says(d, "wall (ms)"), "one unit serves the whole axis");
	free(d);

	buf_str(&net, "bench,device,batch,metric,unit,value\n");
	for (int b = 1; b <= 8; b *= 2)
		for (int dev = 0; dev < 2; dev++)
			buf_printf(&net,
			    "net,dev%d,%d,throughput,1/s,%g\nnet,dev%d,%d,max_rss,B,%d\n"
			    "net,dev%d,%d,wall,ns,%d0000000\n",
			    dev, b, 100.0 * b / (b + dev + 1), dev, b, b * 1048576, dev, b,
			    b + dev + 1);
	for (size_t i = 0; i < COUNT(cases); i++) {
		d = draw(cases[i].preset, &net, (struct request){ 0 });
		tap_ok(says(d, cases[i].title), "%s lies along the batch", cases[i].preset);
		free(d);
	}
	d = draw("hardware", &net, (struct request){ 0 });
	tap_ok(says(d, "dev0") && says(d, "dev1"), "hardware has a lane for each device");
	free(d);
	d = draw("architecture", &net, (struct request){ .x = "batch" });
	tap_ok(
	    says(d, "throughput by batch, device") || strstr(d, "\n>throughput by batch"),
	    "-x overrules a preset");
	free(d);
	buf_free(&n);
	buf_free(&s);
	buf_free(&net);
}

int main(void)
{
	if (!plots_begin())
		return 1;
	test_lanes();
	test_values();
	test_speedup();
	test_colors();
	test_line();
	test_factors();
	plots_end();
	return tap_end();
}

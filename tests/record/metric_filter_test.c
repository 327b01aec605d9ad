/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The selection of metrics by patterns.
 */
#include "record/metric_filter.h"
#include "tests/lib/tap.h"

/* Returns whether the filter selects a row of this metric. */
static bool selects(struct metric_filter *m, const char *metric)
{
	struct text cell[COL_FACTORS] = { 0 };
	const struct row row = { .cell = cell };

	cell[COL_METRIC] = text_of(metric);
	return metric_filter_row(m, &row);
}

static void test_selection(void)
{
	static const struct {
		const char *patterns, *metric;
		bool selected;
	} cases[] = {
		{ "wall", "wall", true },
		{ "wall", "wallet", false },
		{ "wall", "Wall", false },
		{ "user,sys", "sys", true },
		{ "cache-*", "cache-misses", true },
		{ "cache-*", "cache", false },
		{ "*", "", true },
		{ "[uw]*", "user", true },
		{ "cpu?cycles?", "cpu,cycles/", true },
		{ "cpu,cycles/", "cpu,cycles/", true },
		{ "cpu,cycles/", "cpu", true },
		{ "a[1]", "a[1]", true },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct fault f;
		struct metric_filter *m = metric_filter_open(&cases[i].patterns, 1, &f);

		tap_ok(selects(m, cases[i].metric) == cases[i].selected,
		    "the pattern %s %s the metric '%s'", cases[i].patterns,
		    cases[i].selected ? "selects" : "does not select", cases[i].metric);
		metric_filter_close(m);
	}
}

static void test_check(void)
{
	static const char *const lists[] = { "wall,cache-*", "sys" };
	struct fault f;
	struct metric_filter *m = metric_filter_open(lists, COUNT(lists), &f);

	metric_filter_check(m, &f);
	tap_text(f.text, "--metric: no metric matches 'wall' (there are: none)",
	    "a filter without rows reports that the input has no metric");
	for (int i = 0; i < 2; i++) {
		tap_ok(selects(m, "wall"), "a filter selects wall in round %d", i);
		tap_ok(!selects(m, "ok"), "a filter rejects ok in round %d", i);
		tap_ok(selects(m, "sys"), "a filter selects sys in round %d", i);
	}
	tap_ok(
	    metric_filter_check(m, &f) < 0, "a pattern that matched no metric is an error");
	tap_text(f.text, "--metric: no metric matches 'cache-*' (there are: wall, ok, sys)",
	    "the message about an unmatched pattern lists the metrics once each");
	tap_ok(selects(m, "cache-misses") && metric_filter_check(m, &f) == 0,
	    "a filter passes its check when each pattern has matched");
	metric_filter_close(m);
}

static void test_many_metrics(void)
{
	static const char *const list = "wall";
	struct fault f;
	struct metric_filter *m = metric_filter_open(&list, 1, &f);

	for (int i = 0; i < 60; i++) {
		char name[16];

		snprintf(name, sizeof(name), "m%d", i);
		selects(m, name);
	}
	metric_filter_check(m, &f);
	tap_ok(strlen(f.text) < 170 && strstr(f.text, ", m21 and 38 more)"),
	    "the message about an unmatched pattern lists as many metrics as fit: %s",
	    f.text);
	metric_filter_close(m);
}

static void test_lists(void)
{
	static const char *const bad[] = { "", "wall,", ",wall", "wall,,sys" };
	struct fault f;
	struct metric_filter *all = metric_filter_open(NULL, 0, &f);

	tap_ok(selects(all, "wall") && metric_filter_check(all, &f) == 0,
	    "a filter without patterns selects every metric");
	metric_filter_close(all);
	for (size_t i = 0; i < COUNT(bad); i++)
		tap_ok(!metric_filter_open(&bad[i], 1, &f),
		    "the list '%s' is rejected for its empty pattern", bad[i]);
}

int main(void)
{
	test_selection();
	test_check();
	test_many_metrics();
	test_lists();
	return tap_end();
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a report about changes over time. Changes are found once, as bench-compare
 * --history finds them, for the answer, the tables and the plots.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_items_priv.h"

enum {
	RUNS_LEAST = 4,   /* of a benchmark on a host */
	SEGMENT = 4,      /* values between two changes */
	TREND_LINES = 12, /* in a plot */
	POINTS = 3,       /* commits or runs that tables and plots show side by side */
};

bool report_has_history(const struct report *r)
{
	return r->metrics && r->inventory.longest >= RUNS_LEAST;
}

struct newest *report_newest(struct report *r)
{
	const struct inventory *s = &r->inventory;
	bool commits =
	    s->commits.count > 1 || (s->commits.count && intern_text(&s->commits, 0).len);
	size_t points = commits ? s->commits.count : s->longest;

	return points > POINTS ? &r->newest : NULL;
}

void report_history_open(struct report *r, struct bench_csv *stream)
{
	const struct history_opts opts = { .inference = INFERENCE_DEFAULTS,
		.threshold = 0.02,
		.least = SEGMENT,
		.facts = bench_csv_facts(stream),
		.all_decides = r->opts->metrics > 0 };

	if (report_has_history(r))
		r->history = history_open(bench_csv_schema(stream), &opts);
}

/* Returns whether the options select a metric. */
static bool is_judged(const struct report *r, struct text metric)
{
	for (size_t i = 0; i < r->metrics; i++)
		if (text_is(metric, r->metric[i]))
			return true;
	return !r->opts->metrics;
}

void report_history_row(struct report *r, const struct row *row)
{
	enum row_kind kind = inventory_row_kind(row);

	if (r->history && (kind == ROW_PLAIN || kind == ROW_TIMED) &&
	    is_judged(r, row->cell[COL_METRIC]))
		history_row(r->history, row);
}

int report_history_finish(struct report *r, struct fault *f)
{
	if (!r->history)
		return 0;
	if (history_finish(r->history, r->table, f) < 0)
		return -1;
	history_find(r->history, false);
	r->change = report_changes_list(r->history, &r->changes);
	return 0;
}

/* Ranks series by their largest change. */
static double weight_of(const void *ctx, const struct groups *g, size_t group)
{
	const struct report *r = ctx;

	return report_changes_largest(r->history, r->change, r->changes, g, group);
}

static void plan_plot(struct report *r, struct part *p, const char *metric)
{
	static const char *const together[] = { "commit", "env" };
	const struct report_filter_opts opts = { .metric = metric,
		.kind = { [ROW_PLAIN] = true },
		.together = together,
		.togethers = COUNT(together),
		.weight = weight_of,
		.weight_ctx = r,
		.weight_name = "changes",
		.most = TREND_LINES };
	struct item *it = part_add(p, ITEM_FIGURE, "%s over time", metric);

	item_draw(it, "trend", false);
	item_option(it, "-y", metric);
	it->filter = report_filter_open(r->schema, r->coming, &opts);
}

void report_plan_trend(struct report *r, struct part *p)
{
	struct item *it = part_add(p, ITEM_TABLE, "changes over time, worst first");

	it->id = "trend-table";
	it->keep = 3;
	it->nothing = "No change found.";
	it = part_add(p, ITEM_TABLE, "changes of other metrics, which decide nothing");
	it->id = "trend-others";
	it->keep = 3;
	it->fold = "Changes of other metrics";
	part_add(p, ITEM_ABSENT, "metrics that did not change");
	for (size_t i = 0; i < r->metrics; i++)
		plan_plot(r, p, r->metric[i]);
}

/* Returns whether series of a metric decide. */
static bool decides(const struct history *h, const char *metric)
{
	size_t count;
	const struct history_series *list = history_list(h, &count);

	for (size_t i = 0; i < count; i++)
		if (text_is(
		        groups_cell(history_groups(h), list[i].group, COL_METRIC), metric))
			return list[i].decides;
	return false;
}

/* Returns whether a series of a metric changed. */
static bool changed(const struct report *r, const char *metric)
{
	for (size_t i = 0; i < r->changes; i++)
		if (text_is(groups_cell(history_groups(r->history),
		                r->change[i].series->group, COL_METRIC),
		        metric))
			return true;
	return false;
}

void report_ready_trend(struct report *r, struct part *p)
{
	struct item *figure = &p->item[p->count - r->metrics], *note = figure - 1;
	struct buf calm = { 0 };
	char tests[32];

	report_changes_put(&p->item[0].out, r->history, r->change, r->changes, true);
	report_changes_put(&p->item[1].out, r->history, r->change, r->changes, false);
	for (size_t i = 0; i < r->metrics; i++) {
		bool primary = decides(r->history, r->metric[i]);
		size_t n = history_tests(r->history, primary);

		snprintf(tests, sizeof(tests), "%zu", n);
		if (!primary && !changed(r, r->metric[i])) {
			figure[i].shown = ITEM_ABSENT;
			buf_printf(&calm, "%s%s", calm.len ? ", " : "", r->metric[i]);
		} else if (n) {
			item_option(&figure[i], "--tests", tests);
		}
	}
	if (calm.len) {
		note->shown = ITEM_TEXT;
		free(note->caption);
		note->caption = str_format(
		    "Other metrics without changes are not drawn: %s.", calm.ptr);
	}
	buf_free(&calm);
}

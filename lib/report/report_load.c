/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a report about measurements under load, and about models that generate
 * tokens.
 */
#include "report/report_items_priv.h"

static const char quantiles[] =
    "n,failed,median,median_lo,median_hi,p90,p90_lo,p90_hi,p99,p99_lo,p99_hi,max";

static bool has_plain(const struct report *r, const char *name)
{
	const struct inventory_metric *m = inventory_metric(&r->inventory, name);

	return m && m->rows[ROW_PLAIN];
}

bool report_has_load(const struct report *r)
{
	return has_plain(r, "latency") && has_plain(r, "offered_rate") &&
	       has_plain(r, "throughput");
}

bool report_has_tokens(const struct report *r)
{
	const struct inventory *s = &r->inventory;

	return inventory_metric(s, "first_token") || inventory_metric(s, "per_token") ||
	       inventory_metric(s, "inter_token");
}

/* Opens a filter for the newest values of a history; NULL: all values. */
static struct report_filter *newest_rows(struct report *r)
{
	struct report_filter_opts opts = {
		.kind = { [ROW_PLAIN] = true, [ROW_TIMED] = true },
		.failed = true,
		.most = SIZE_MAX,
		.newest = report_newest(r)
	};

	return opts.newest ? report_filter_open(r->schema, r->coming, &opts) : NULL;
}

/* Adds a table of metrics, whose names end with NULL, those that the stream has. */
static void add_table(struct report *r, struct part *p, const char *id, const char *caption,
    const char *statistics, const char *const *metric)
{
	struct item *it = part_add(p, ITEM_TABLE, "%s", caption);

	item_run(it, "bench-stat", "--list-bounds", "-s", statistics, NULL);
	for (; *metric; metric++)
		if (inventory_metric(&r->inventory, *metric))
			item_option(it, "--metric", *metric);
	if (schema_find(r->schema, TEXT("rate")) >= 0)
		item_option(it, "--sort", "rate");
	it->filter = newest_rows(r);
	it->id = id;
}

static void add_plot(
    struct report *r, struct part *p, const char *kind, const char *caption)
{
	struct item *it = part_add(p, ITEM_FIGURE, "%s", caption);

	item_draw(it, kind, false);
	it->filter = newest_rows(r);
}

void report_plan_load(struct report *r, struct part *p)
{
	static const char *const times[] = { "latency", "wait", "service", NULL };
	static const char *const rates[] = { "offered_rate", "throughput", "utilization",
		"goodput", "slo_share", "lag", "max_rate", NULL };

	if (report_newest(r))
		part_add(p, ITEM_TEXT, "The newest values of each series.");
	add_table(
	    r, p, "load-times", "times of requests, from their arrival", quantiles, times);
	add_table(r, p, "load-rates", "medians of the periods",
	    "n,median,ci_lo,ci_hi,min,max", rates);
	add_plot(r, p, "load", "latency by rate");
	add_plot(r, p, "capacity", "latency by throughput");
	add_plot(r, p, "goodput", "offered, completed and timely requests");
}

/* Returns whether requests produced tokens: their metric has values that are ok. */
static bool has_tokens(const struct report *r)
{
	const struct inventory_metric *m = inventory_metric(&r->inventory, "first_token");

	return m && m->rows[ROW_PLAIN] + m->rows[ROW_TIMED];
}

/* Adds a plot of the tokens of requests, of some subjects if there are many. */
static void add_token_plot(struct report *r, struct part *p)
{
	enum { SUBJECTS = 12 };
	static const char *const together[] = { "metric", "unit" };
	struct item *it =
	    part_add(p, ITEM_FIGURE, "generated tokens of requests over time");

	item_draw(it, "tokens", true);
	it->filter = report_filter_open(r->schema, r->coming,
	    &(struct report_filter_opts){
	        .kind = { [ROW_PLAIN] = true, [ROW_TIMED] = true },
	        .failed = true,
	        .newest = report_newest(r),
	        .together = together,
	        .togethers = COUNT(together),
	        .most = SUBJECTS });
}

void report_plan_tokens(struct report *r, struct part *p)
{
	static const char *const times[] = { "first_token", "per_token", "inter_token",
		NULL };
	static const char *const rates[] = { "user_token_rate", "token_rate", NULL };

	add_table(r, p, "token-times", "times of generated tokens", quantiles, times);
	if (has_plain(r, rates[0]) || has_plain(r, rates[1]))
		add_table(r, p, "token-rates",
		    "tokens per second, for each user and in all",
		    "n,median,ci_lo,ci_hi,min,max", rates);
	if (has_tokens(r))
		add_token_plot(r, p);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts that a report can have, in the order of the page, with the condition for each
 * and the programs that make it. To add a part, add a row to part_rows[].
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_items_priv.h"

enum {
	LINES = 12,      /* lines of a plot */
	CURVES = 6,      /* subjects of a timeline */
	OPERATIONS = 30, /* operations in a plot */
};

static bool always(const struct report *r)
{
	(void)r;
	return true;
}

static bool has_budget(const struct report *r)
{
	return r->opts->budget;
}

/* Opens a filter without stacks and operations, which have their own parts, and with the
 * newest values of a history; NULL if this is the whole stream. */
static struct report_filter *summarized(struct report *r)
{
	struct report_filter_opts opts = {
		.failed = true, .most = SIZE_MAX, .newest = report_newest(r)
	};

	if (!opts.newest && !inventory_has(&r->inventory, ROW_STACK) &&
	    !inventory_has(&r->inventory, ROW_OPERATION))
		return NULL;
	opts.kind[ROW_PLAIN] = opts.kind[ROW_TIMED] = true;
	return report_filter_open(r->schema, r->coming, &opts);
}

static bool has_values(const struct report *r)
{
	return inventory_has(&r->inventory, ROW_PLAIN) ||
	       inventory_has(&r->inventory, ROW_TIMED) || !r->inventory.counted;
}

/* Returns whether there are values to compare, other than those of profiles. */
static bool has_baseline(const struct report *r)
{
	return r->opts->baseline && report_has_judged(r);
}

/* Adds a table of the main metrics, or of the others; there may be no others. */
static struct item *add_summary(
    struct report *r, struct part *p, const char *caption, bool others, bool all)
{
	const struct report_filter_opts opts = { .failed = true,
		.kind = { [ROW_PLAIN] = true, [ROW_TIMED] = true },
		.newest = report_newest(r),
		.inventory = &r->inventory,
		.others = others,
		.most = SIZE_MAX };
	struct item *it = part_add(p, ITEM_TABLE, "%s", caption);

	item_run(it, "bench-stat", "--list-bounds", "-s",
	    "n,failed,median,ci_lo,ci_hi,mean,sd,min,p95,max,outliers", NULL);
	it->filter = all ? summarized(r) : report_filter_open(r->schema, r->coming, &opts);
	it->id = others ? "summary-others" : "summary-table";
	return it;
}

static void plan_summary(struct report *r, struct part *p)
{
	static const char summary_caption[] =
	    "medians with 95% confidence intervals, ci_lo to ci_hi";
	const size_t metrics = r->inventory.metrics;
	size_t main = 0;

	for (size_t i = 0; i < metrics; i++)
		main += r->inventory.metric[i].main;
	if (report_newest(r))
		part_add(p, ITEM_TEXT, "The newest values of each series.");
	if (main)
		add_summary(r, p, summary_caption, false, main == metrics);
	if (main < metrics)
		add_summary(r, p, summary_caption, true, !main)->fold =
		    main ? "Other metrics" : NULL;
}

static void plan_findings(struct report *r, struct part *p)
{
	struct item *it = part_add(p, ITEM_TABLE, "problems with the values");

	item_run(it, "bench-stat", "--csv", "--diagnose", NULL);
	it->filter = summarized(r);
	it->id = "findings-table";
	it->nothing = "No problems found in the values that could be checked.";
}

static bool has_timed(const struct report *r)
{
	return inventory_has(&r->inventory, ROW_TIMED);
}

static void plan_timeline(struct report *r, struct part *p)
{
	static const char *const together[] = { "metric", "unit" };
	struct item *it = part_add(p, ITEM_FIGURE, "metrics during the measurement");

	item_draw(it, "timeline", true);
	it->filter = report_filter_open(r->schema, r->coming,
	    &(struct report_filter_opts){ .kind = { [ROW_TIMED] = true },
	        .newest = report_newest(r),
	        .together = together,
	        .togethers = COUNT(together),
	        .most = CURVES });
}

/* Returns whether a benchmark has values of flop_rate and of another metric. */
static bool has_flop_rate_and(const struct inventory *s, const char *other)
{
	const struct inventory_metric *m = inventory_metric(s, "flop_rate"),
	                              *n = inventory_metric(s, other);

	for (size_t i = 0; m && n && i < m->benches.known; i++)
		if (m->benches.has[i] && i < n->benches.known && n->benches.has[i])
			return true;
	return false;
}

static bool has_roofs(const struct report *r)
{
	return has_flop_rate_and(&r->inventory, "arithmetic_intensity") ||
	       has_flop_rate_and(&r->inventory, "bandwidth");
}

static void plan_roofline(struct report *r, struct part *p)
{
	struct item *it = part_add(
	    p, ITEM_FIGURE, "performance reached, and the measured peaks of the device");

	(void)r;
	item_draw(it, "roofline", true);
}

/* Returns the factor workers or threads of a metric if it varies; otherwise NULL. */
static const char *crowd(const struct report *r, const struct inventory_metric *m)
{
	for (size_t i = 0; m && i < m->factors; i++) {
		const char *name = r->schema->name[m->factor[i].column];

		if ((strcmp(name, "workers") == 0 || strcmp(name, "threads") == 0) &&
		    m->factor[i].numeric && m->factor[i].values.count > 1)
			return name;
	}
	return NULL;
}

/* Returns the metric that shows how performance scales, or NULL. */
static const struct inventory_metric *of_crowd(const struct report *r)
{
	static const char *const names[] = { "speedup", "throughput", "wall" };

	for (size_t i = 0; i < COUNT(names); i++) {
		const struct inventory_metric *m =
		    inventory_metric(&r->inventory, names[i]);

		if (crowd(r, m))
			return m;
	}
	return NULL;
}

static bool has_crowd(const struct report *r)
{
	return of_crowd(r);
}

static void plan_speedup(struct report *r, struct part *p)
{
	const struct inventory_metric *m = of_crowd(r);
	const char *x = crowd(r, m);
	const struct report_filter_opts opts = { .metric = m->name,
		.kind = { [ROW_PLAIN] = true },
		.newest = report_newest(r),
		.along = x,
		.most = LINES };
	struct item *it = part_add(p, ITEM_FIGURE, "%s by %s", m->name, x);

	item_draw(it, "speedup", false);
	item_option(it, "-y", m->name);
	item_option(it, "-x", x);
	it->filter = report_filter_open(r->schema, r->coming, &opts);
}

static bool has_stacks(const struct report *r)
{
	return inventory_has(&r->inventory, ROW_STACK);
}

static bool has_operations(const struct report *r)
{
	const struct inventory_metric *m = inventory_metric(&r->inventory, "wall");

	return m && m->rows[ROW_OPERATION];
}

static void plan_operations(struct report *r, struct part *p)
{
	struct report_filter_opts opts = { .metric = "wall",
		.kind = { [ROW_OPERATION] = true },
		.newest = report_newest(r),
		.by_size = true,
		.most = SIZE_MAX };
	struct item *it = part_add(p, ITEM_TABLE, "operations of models, longest first");

	item_run(it, "bench-stat", "--csv", "-s", "n,median,ci_lo,ci_hi,max", NULL);
	it->filter = report_filter_open(r->schema, r->coming, &opts);
	it->id = "operations-table";
	opts.most = OPERATIONS;
	it = part_add(p, ITEM_FIGURE, "wall by operation");
	item_draw(it, "bar", true);
	item_option(it, "-y", "wall");
	it->filter = report_filter_open(r->schema, r->coming, &opts);
}

static bool has_machines(const struct report *r)
{
	return r->machines > 0;
}

static void plan_data(struct report *r, struct part *p)
{
	struct item *it = part_add(p, ITEM_DOWNLOAD, "the samples of this report");

	it->name = "samples.csv";
	it->type = "text/csv";
	it = part_add(p, ITEM_DOWNLOAD, "the output of bench-stat");
	it->name = "summary.csv";
	it->type = "text/csv";
	item_run(it, "bench-stat", "--csv", NULL);
	it->filter = summarized(r);
	it = part_add(p, ITEM_DOWNLOAD, "the output of bench-stat as JSON");
	it->name = "summary.json";
	it->type = "application/json";
	item_run(it, "bench-stat", "--json", NULL);
	it->filter = summarized(r);
}

const struct part_row part_rows[] = {
	{ "answer", "Answer", always, .plan = report_plan_answer,
	    .complete = report_complete_answer },
	{ "warnings", "Data quality", always, .plan = report_plan_warnings },
	{ "verdicts", "Verdicts", has_baseline, .plan = report_plan_verdicts },
	{ "budgets", "Budgets", has_budget, .plan = report_plan_budgets },
	{ "trend", "Trend", report_has_history, .plan = report_plan_trend,
	    .ready = report_ready_trend },
	{ "backends", "Backends", report_has_backends, .plan = report_plan_backends,
	    .ready = report_ready_backends },
	{ "load", "Load", report_has_load, .plan = report_plan_load },
	{ "tokens", "Generated tokens", report_has_tokens, .plan = report_plan_tokens },
	{ "plots", "Plots", report_has_plots, .plan = report_plan_plots,
	    .ready = report_ready_plots },
	{ "models", "Models", report_has_models, .plan = report_plan_models,
	    .ready = report_ready_plots },
	{ "start", "Start of models", report_has_start, .plan = report_plan_start },
	{ "timeline", "Timeline", has_timed, .plan = plan_timeline },
	{ "roofline", "Roofline", has_roofs, .plan = plan_roofline },
	{ "speedup", "Speedup", has_crowd, .plan = plan_speedup },
	{ "flame", "Profiles", has_stacks, .plan = report_plan_profiles },
	{ "operations", "Operations", has_operations, .plan = plan_operations },
	{ "summary", "Summary", has_values, .plan = plan_summary },
	{ "findings", "Findings", has_values, .plan = plan_findings },
	{ "machines", "Machines", has_machines, .plan = report_plan_machines },
	{ "data", "Data", always, .plan = plan_data },
};
const size_t part_rows_count = COUNT(part_rows);

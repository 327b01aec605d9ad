/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a report with a plot of each metric. Models have their own, because they
 * are too unlike kernels for a common axis.
 */
#include <stdlib.h>
#include <string.h>

#include "report/report_items_priv.h"

enum {
	PLOT_LANES = 60, /* boxes or bars of a plot */
	PLOT_LINES = 12, /* lines of a plot */
	WIDE_RANGE = 50, /* ratio of values from which an axis is logarithmic */
};

static const struct inventory_metric *drawn_metric(
    const struct report *r, const char *name, bool models)
{
	const struct inventory_metric *m =
	    inventory_metric_of(&r->inventory, text_of(name), models);

	return m && m->rows[ROW_PLAIN] ? m : NULL;
}

static bool has_drawn(const struct report *r, bool models)
{
	for (size_t i = 0; i < r->metrics; i++)
		if (drawn_metric(r, r->metric[i], models))
			return true;
	return false;
}

bool report_has_plots(const struct report *r)
{
	return has_drawn(r, false);
}

bool report_has_models(const struct report *r)
{
	return has_drawn(r, true);
}

static void select_rows(struct report *r, struct item *it, const struct inventory_metric *m,
    const char *along, size_t most)
{
	const struct report_filter_opts opts = { .metric = m->name,
		.kind = { [ROW_PLAIN] = true },
		.timeouts = true,
		.newest = report_newest(r),
		.models = m->models,
		.others_than_models = !m->models,
		.along = along,
		.most = most };

	it->filter = report_filter_open(r->schema, r->coming, &opts);
}

/* Returns what a metric means and which direction is better, allocated; NULL: neither is
 * known. */
static char *meaning_of(const struct report *r, const struct inventory_metric *m)
{
	static const char *const directions[] = { [BETTER_LOWER] = "lower is better",
		[BETTER_HIGHER] = "higher is better",
		[BETTER_NEITHER] = NULL };
	const struct metric *known = metrics_find(r->table, text_of(m->name));
	const char *direction =
	    directions[metrics_better(r->table, text_of(m->name), text_of(m->unit))];

	if (!known)
		return direction ? str_copy(direction) : NULL;
	return direction ? str_format("%s, %s", known->meaning, direction)
	                 : str_copy(known->meaning);
}

/* Adds a plot of a metric by something. */
static struct item *add_plot(struct report *r, struct part *p,
    const struct inventory_metric *m, const char *by, const char *kind)
{
	struct item *it = part_add(p, ITEM_FIGURE, "%s by %s", m->name, by);

	it->meaning = meaning_of(r, m);
	item_draw(it, kind, false);
	item_option(it, "-y", m->name);
	return it;
}

/* Adds lines along the factor with the most values or, without one, boxes. */
static void plan_metric(struct report *r, struct part *p, const struct inventory_metric *m)
{
	const struct inventory_factor *along = inventory_along(r->schema, m);
	const char *x = along ? r->schema->name[along->column] : NULL;
	struct item *it;

	if (along) {
		it = add_plot(r, p, m, x, "line");
		item_option(it, "-x", x);
	} else {
		it = add_plot(r, p, m, "subject", "box");
		if (m->least > 0 && m->greatest / m->least > WIDE_RANGE)
			item_option(it, "--log", "y");
	}
	select_rows(r, it, m, x, along ? PLOT_LINES : PLOT_LANES);
}

static void put_note(struct report *r, struct part *p)
{
	if (report_newest(r))
		part_add(p, ITEM_TEXT, "The plots show the newest values of each series.");
}

void report_plan_plots(struct report *r, struct part *p)
{
	put_note(r, p);
	for (size_t i = 0; i < r->metrics; i++) {
		const struct inventory_metric *m = drawn_metric(r, r->metric[i], false);

		if (m)
			plan_metric(r, p, m);
	}
}

/* Returns the first of some columns in which a metric has several values, or NULL. */
static const char *varying(const struct report *r, const struct inventory_metric *m,
    const char *const *names, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		if (strcmp(names[k], "bench") == 0 && m->benches.count > 1)
			return names[k];
		for (size_t i = 0; i < m->factors; i++)
			if (strcmp(r->schema->name[m->factor[i].column], names[k]) == 0 &&
			    m->factor[i].values.count > 1)
				return names[k];
	}
	return NULL;
}

/* Adds bars of a preset of bench-plot if one of its columns varies. */
static void plan_bars(struct report *r, struct part *p, const struct inventory_metric *m,
    const char *preset, const char *const *names, size_t count)
{
	const char *x = varying(r, m, names, count);
	struct item *it;

	if (!x)
		return;
	it = add_plot(r, p, m, preset, preset);
	item_option(it, "-x", x);
	select_rows(r, it, m, NULL, PLOT_LANES);
}

static void plan_model_metric(
    struct report *r, struct part *p, const struct inventory_metric *m)
{
	static const char *const batches[] = { "batch", "batch_size" };
	static const char *const hardware[] = { "device", "backend" };
	static const char *const architecture[] = { "arch", "bench" };
	const char *batch = varying(r, m, batches, COUNT(batches));
	size_t before = p->count;
	struct item *it;

	if (batch) {
		it = add_plot(r, p, m, batch, "line");
		item_option(it, "-x", batch);
		select_rows(r, it, m, batch, PLOT_LINES);
	}
	plan_bars(r, p, m, "hardware", hardware, COUNT(hardware));
	plan_bars(r, p, m, "architecture", architecture, COUNT(architecture));
	if (p->count == before)
		plan_metric(r, p, m);
}

void report_plan_models(struct report *r, struct part *p)
{
	put_note(r, p);
	for (size_t i = 0; i < r->metrics; i++) {
		const struct inventory_metric *m = drawn_metric(r, r->metric[i], true);

		if (m)
			plan_model_metric(r, p, m);
	}
}

/* A subject with one value has no box. */
void report_ready_plots(struct report *r, struct part *p)
{
	(void)r;
	for (size_t i = 0; i < p->count; i++) {
		struct item *it = &p->item[i];

		if (it->drawn && strcmp(it->argv[1], "box") == 0 &&
		    report_filter_rows(it->filter) == report_filter_subjects(it->filter))
			item_redraw(it, "bar");
	}
}

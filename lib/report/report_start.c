/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a report about the start of models: the time of each phase until the first
 * result, next to that of a later iteration, for each backend.
 */
#include "report/report_items_priv.h"

/* The phases in their order, and a later iteration. */
static const char *const phases[] = { "open", "load", "compile", "first", "wall" };
enum { STEADY = COUNT(phases) - 1 };

static bool has_phase(const struct report *r, const char *name)
{
	return inventory_metric_of(&r->inventory, text_of(name), true);
}

bool report_has_start(const struct report *r)
{
	for (size_t i = 0; i < STEADY; i++)
		if (has_phase(r, phases[i]))
			return true;
	return false;
}

void report_plan_start(struct report *r, struct part *p)
{
	const struct report_filter_opts opts = { .failed = true,
		.kind = { [ROW_PLAIN] = true },
		.models = true,
		.newest = report_newest(r),
		.most = SIZE_MAX };
	struct item *it;

	if (report_newest(r))
		part_add(p, ITEM_TEXT, "The newest values of each series.");
	it = part_add(p, ITEM_TABLE,
	    "medians of the phases of the start, and of a later iteration (wall)");
	item_run(it, "bench-stat", "--list-bounds", "-s",
	    "n,failed,median,ci_lo,ci_hi,min,max", NULL);
	for (size_t i = 0; i < COUNT(phases); i++)
		if (has_phase(r, phases[i]))
			item_option(it, "--metric", phases[i]);
	it->filter = report_filter_open(r->schema, r->coming, &opts);
	it->id = "start-table";
}

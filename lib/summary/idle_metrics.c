/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Idle metrics; see idle_metrics.h.
 */
#include <stdlib.h>

#include "summary/idle_metrics.h"
#include "text/display_text.h"

/* Returns whether all samples of a group succeeded and say that nothing happened. */
static bool is_idle(const struct groups *g, struct collect *c, size_t group)
{
	const struct collected *values = collect_group(c, group);
	double idle = text_is(groups_cell(g, group, COL_METRIC), "ok") ? 1 : 0;

	if (!values->count || values->failed || values->limits)
		return false;
	for (size_t i = 0; i < values->count; i++)
		if (values->value[i] != idle)
			return false;
	return true;
}

bool *idle_metrics(const struct groups *g, struct collect *c)
{
	size_t count = groups_count(g), hidden = 0;
	bool *idle = mem_zero(count + 1, sizeof(*idle));
	bool *busy = mem_zero(count + 1, sizeof(*busy)); /* by the number of the metric */
	struct intern metrics = { 0 };

	for (size_t i = 0; i < count; i++) {
		size_t metric = intern_add(&metrics, groups_cell(g, i, COL_METRIC));

		busy[metric] |= !is_idle(g, c, i);
	}
	for (size_t i = 0; i < count; i++) {
		idle[i] = !busy[intern_add(&metrics, groups_cell(g, i, COL_METRIC))];
		hidden += idle[i];
	}
	intern_free(&metrics);
	free(busy);
	if (hidden && hidden < count)
		return idle;
	free(idle);
	return NULL;
}

void idle_metrics_note(const struct groups *g, const bool *idle, struct buf *lines)
{
	struct intern metrics = { 0 };
	bool ok = false;

	for (size_t i = 0; i < groups_count(g); i++)
		if (idle[i])
			intern_add(&metrics, groups_cell(g, i, COL_METRIC));
	buf_printf(lines, "%zu metric%s hidden, because all values are 0", metrics.count,
	    metrics.count == 1 ? "" : "s");
	for (size_t i = 0; i < metrics.count; i++)
		ok |= text_is(intern_text(&metrics, i), "ok");
	buf_str(lines, ok ? " (ok: 1): " : ": ");
	for (size_t i = 0; i < metrics.count; i++) {
		buf_str(lines, i ? ", " : "");
		display_text_clean(lines, intern_text(&metrics, i));
	}
	buf_str(lines, " (use --wide to show them)\n");
	intern_free(&metrics);
}

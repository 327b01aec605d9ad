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

	if (!values->count || values->missing->failed || values->missing->limits)
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

/* Appends the names of the hidden metrics, of ok or of the others, and what all their
 * values are. */
static void put_metrics(
    struct buf *lines, const struct intern *metrics, bool ok, const char *value)
{
	size_t count = 0;

	for (size_t i = 0; i < metrics->count; i++) {
		if (text_is(intern_text(metrics, i), "ok") != ok)
			continue;
		buf_str(lines, count++ ? ", " : " ");
		display_text_clean(lines, intern_text(metrics, i));
	}
	if (count)
		buf_printf(lines, " (always %s),", value);
}

void idle_metrics_note(const struct groups *g, const bool *idle, struct buf *lines)
{
	struct intern metrics = { 0 };

	for (size_t i = 0; i < groups_count(g); i++)
		if (idle[i])
			intern_add(&metrics, groups_cell(g, i, COL_METRIC));
	buf_str(lines, "metrics hidden:");
	put_metrics(lines, &metrics, false, "0");
	put_metrics(lines, &metrics, true, "1");
	lines->len--;
	buf_str(lines, " (use --wide to show them)\n");
	intern_free(&metrics);
}

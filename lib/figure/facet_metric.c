/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The choice of a metric, whose groups are picked; see facet.h.
 */
#include <string.h>

#include "base/intern.h"
#include "figure/facet_priv.h"
#include "text/display_text.h"

/* Appends the names of the metrics of the groups, for a message. */
static void list_metrics(const struct groups *groups, struct buf *b)
{
	struct intern seen = { 0 };

	for (size_t i = 0; i < groups_count(groups); i++) {
		size_t before = seen.count;
		struct text metric = groups_cell(groups, i, COL_METRIC);

		if (intern_add(&seen, metric) == before) {
			buf_str(b, before ? ", " : "");
			display_text_label(b, metric, true);
		}
	}
	intern_free(&seen);
}

struct text facet_cell(const struct facet *fa, size_t pick, size_t column)
{
	return groups_cell(fa->groups, fa->pick[pick], column);
}

static void pick_metric(struct facet *fa, struct text metric)
{
	fa->picks = 0;
	for (size_t i = 0; i < groups_count(fa->groups); i++)
		if (text_equal(groups_cell(fa->groups, i, COL_METRIC), metric))
			*VEC_ADD(fa->pick, fa->picks, fa->pick_cap) = i;
}

struct text facet_next_name(const char **list)
{
	struct text name = { *list, strcspn(*list, ",") };

	*list = name.ptr[name.len] ? name.ptr + name.len + 1 : NULL;
	return name;
}

static int choose_metric(struct facet *fa, const struct facet_opts *opts, struct fault *f)
{
	struct buf names = { 0 };
	size_t all = groups_count(fa->groups);

	if (!all)
		return fault_set(f, "no rows, so there is nothing to draw");
	for (const char *list = opts->prefer_metric;
	     !opts->only_metric && list && !fa->picks;)
		pick_metric(fa, facet_next_name(&list));
	if (!fa->picks && !opts->only_metric)
		pick_metric(fa, TEXT("wall"));
	if (!fa->picks) {
		pick_metric(fa, groups_cell(fa->groups, 0, COL_METRIC));
		if (fa->picks != all)
			fa->picks = 0;
	}
	if (fa->picks)
		return 0;
	list_metrics(fa->groups, &names);
	fault_set(f, "several metrics: choose one with -y: %s", names.ptr);
	buf_free(&names);
	return -1;
}

static int check_units(const struct facet *fa, struct fault *f)
{
	struct text unit = facet_cell(fa, 0, COL_UNIT);

	for (size_t i = 1; i < fa->picks; i++) {
		struct text other = facet_cell(fa, i, COL_UNIT);
		struct text metric = facet_cell(fa, i, COL_METRIC);

		if (!text_equal(unit, other))
			return fault_set(f,
			    "metric %.*s has two units, '%.*s' and '%.*s', and one axis "
			    "cannot show both",
			    (int)metric.len, metric.ptr, (int)unit.len, unit.ptr,
			    (int)other.len, other.ptr);
	}
	return 0;
}

int facet_choose_metric(struct facet *fa, const struct facet_opts *opts, struct fault *f)
{
	return choose_metric(fa, opts, f) < 0 || check_units(fa, f) < 0 ? -1 : 0;
}

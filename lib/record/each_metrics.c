/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See each_metrics.h. The values of a series are consecutive in most streams, so the class
 * of the last metric is kept.
 */
#include "record/each_metrics.h"

int each_metrics_has(struct each_metrics *e, struct text metric, struct fault *f)
{
	const struct metric *found;

	if (!e->table && !(e->table = metrics_open(f)))
		return -1;
	if (text_equal(metric, text_in(&e->last)))
		return e->each;
	found = metrics_find(e->table, metric);
	e->each = found && found->is_each;
	e->last.len = 0;
	buf_text(&e->last, metric);
	return e->each;
}

int each_metrics_mark(struct each_metrics *e, struct row *row, struct fault *f)
{
	int each = 0;

	if (row->t != ROW_NONE)
		each = each_metrics_has(e, row->cell[COL_METRIC], f);
	row->each = each > 0;
	return each < 0 ? -1 : 0;
}

void each_metrics_free(struct each_metrics *e)
{
	metrics_free(e->table);
	buf_free(&e->last);
	*e = (struct each_metrics){ 0 };
}

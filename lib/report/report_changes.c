/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the changes of a history; see report_changes.h. */
#include <math.h>
#include <stdlib.h>

#include "io/csv_reader.h"
#include "report/report_changes.h"
#include "text/units.h"

static const char *verdict_of(const struct series_change *c)
{
	static const char *const names[] = { [CHANGE_WORSE] = "worse",
		[CHANGE_BETTER] = "better",
		[CHANGE_DIFFERS] = "differs" };

	return names[c->verdict];
}

static int worst_first(const void *a, const void *b)
{
	const struct series_change *x = a, *y = b;

	if (x->series->decides != y->series->decides)
		return x->series->decides ? -1 : 1;
	if (x->verdict != y->verdict)
		return x->verdict < y->verdict ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Returns a change of a series; a drift is a change from its first to its last point. */
static struct series_change change_of(
    const struct history *h, const struct history_series *s, const struct change *c)
{
	const struct history_point *points = history_points(h) + s->first;
	double moved = fabs(log(change_ratio(c->before, c->after)));

	return (struct series_change){ .series = s,
		.change = c,
		.from = c == &s->whole ? points : &points[c->at] - 1,
		.at = &points[c->at],
		.verdict = s->better == BETTER_NEITHER ? CHANGE_DIFFERS
		           : history_worse(s, c)       ? CHANGE_WORSE
		                                       : CHANGE_BETTER,
		.size = isfinite(moved) ? moved : 0 };
}

struct series_change *report_changes_list(const struct history *h, size_t *count)
{
	size_t series, cap = 0;
	const struct history_series *list = history_list(h, &series);
	struct series_change *out = NULL;

	*count = 0;
	for (size_t i = 0; i < series; i++) {
		const struct history_series *s = &list[i];

		if (s->drifts)
			*VEC_ADD(out, *count, cap) = change_of(h, s, &s->whole);
		for (size_t k = 0; k < s->changes; k++)
			*VEC_ADD(out, *count, cap) = change_of(h, s, &s->change[k]);
		if (s->drifts + s->changes)
			out[*count - 1].newest = true;
	}
	if (*count)
		qsort(out, *count, sizeof(*out), worst_first);
	return out;
}

/* Returns whether groups of two sets are the same series. Only provenance may differ. */
static bool is_same_series(
    const struct groups *a, size_t i, const struct groups *b, size_t k)
{
	for (size_t id = 0; id < groups_schema(a)->count && id < groups_schema(b)->count;
	     id++)
		if ((id == COL_HOST || column_kind(id) == COLUMN_SUBJECT) &&
		    !text_equal(groups_cell(a, i, id), groups_cell(b, k, id)))
			return false;
	return true;
}

double report_changes_largest(const struct history *h, const struct series_change *list,
    size_t count, const struct groups *g, size_t group)
{
	double largest = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].size > largest &&
		    is_same_series(history_groups(h), list[i].series->group, g, group))
			largest = list[i].size;
	return largest;
}

static void put_number(struct buf *b, double value)
{
	char text[NUMBER_TEXT_MAX];

	buf_byte(b, ',');
	if (isfinite(value))
		buf_put(b, text, number_print(text, value));
}

static void put_cell(struct buf *b, struct text t)
{
	buf_byte(b, ',');
	csv_reader_put_field(b, t);
}

/* Returns the columns of the subject: bench first, and at last host, metric and unit. */
static size_t *columns_of(const struct history *h, size_t *count)
{
	static const size_t last[] = { COL_HOST, COL_METRIC, COL_UNIT };
	size_t *all, n = 0, found = groups_columns(history_groups(h), &all),
	             *out = mem_zero(found + COUNT(last) + 1, sizeof(*out));

	out[n++] = COL_BENCH;
	for (size_t i = 0; i < found; i++)
		if (all[i] != COL_BENCH && all[i] != COL_HOST && all[i] != COL_METRIC &&
		    all[i] != COL_UNIT)
			out[n++] = all[i];
	for (size_t i = 0; i < COUNT(last); i++)
		out[n++] = last[i];
	free(all);
	*count = n;
	return out;
}

static void put_change(struct buf *b, const struct history *h,
    const struct series_change *c, const size_t *column, size_t columns)
{
	double ratio = change_ratio(c->change->before, c->change->after);
	char text[NUMBER_TEXT_MAX];

	if (isfinite(ratio))
		buf_put(b, text, number_print(text, ratio - 1));
	put_cell(b, text_of(verdict_of(c)));
	for (size_t i = 0; i < columns; i++)
		put_cell(b, groups_cell(history_groups(h), c->series->group, column[i]));
	put_cell(b, history_text(h, c->at->time));
	put_cell(b, history_text(h, c->at->commit));
	put_number(b, c->change->before);
	put_number(b, c->change->after);
	put_number(b, c->change->p);
	put_cell(b, c->change == &c->series->whole ? TEXT("drift") : TEXT("step"));
	buf_byte(b, '\n');
}

void report_changes_put(struct buf *b, const struct history *h,
    const struct series_change *list, size_t count, bool decides)
{
	size_t columns, *column = columns_of(h, &columns);

	buf_str(b, "change,verdict");
	for (size_t i = 0; i < columns; i++)
		put_cell(b, text_of(groups_schema(history_groups(h))->name[column[i]]));
	buf_str(b, ",time,commit,before,after,p,shape\n");
	for (size_t i = 0; i < count; i++)
		if (list[i].series->decides == decides)
			put_change(b, h, &list[i], column, columns);
	free(column);
}

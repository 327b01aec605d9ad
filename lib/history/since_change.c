/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See since_change.h. The old side has a value for each point, the new side a value for
 * each run of the newest point. In a series that drifts, the old values are moved along the
 * line to the newest point.
 */
#include <stdlib.h>

#include "compare/two_sample_table.h"
#include "history/history_notes.h"
#include "history/history_table.h"
#include "history/newest_test.h"
#include "history/since_change.h"

/* The columns after the two-sample columns. */
enum field { SINCE = TWO_SAMPLE_COLUMNS, COMMIT, PRIMARY, FIELDS };

static const struct render_column fields[FIELDS] = {
	TWO_SAMPLE_COLUMN_NAMES,
	[SINCE] = { .name = "since", .rank = 3 },
	[COMMIT] = { .name = "commit", .rank = 3 },
	[PRIMARY] = { .name = "primary", .plain_only = true },
};

static void measure_change(
    const struct history *h, struct since_change *row, const struct two_sample_opts *opts)
{
	const struct history_series *s = row->series;
	const struct history_point *points = history_points(h), *newest;
	size_t last = s->first + s->count - 1, n = last - row->from;
	double *old = mem_zero(n, sizeof(*old));

	newest = &points[last];
	for (size_t i = 0; i < n; i++) {
		old[i] = points[row->from + i].value;
		if (s->drifts)
			old[i] += s->drift.slope * (double)(n - i);
	}
	const struct newest_values values = { .old = old,
		.olds = n,
		.new = history_runs(h, newest),
		.news = newest->runs,
		.drifted = s->drifts ? s->count - 1 : 0 };

	newest_test_measure(&values, opts->inference.confidence, &row->result);
	row->constant = true;
	for (size_t i = 0; i < n; i++)
		row->constant &= old[i] == old[0];
	for (size_t i = 0; i < newest->runs; i++)
		row->constant &= history_runs(h, newest)[i] == old[0];
	free(old);
}

/* Corrects the p of the series that decide, or of the others, for their number. */
static void adjust_sort(
    struct since_change *list, size_t count, bool deciding, enum adjust adjust)
{
	double *p = mem_zero(count + 1, sizeof(*p));
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].series->decides == deciding)
			p[n++] = list[i].result.p;
	adjust_p(adjust, p, n);
	for (size_t i = n = 0; i < count; i++)
		if (list[i].series->decides == deciding)
			list[i].result.p_adj = p[n++];
	free(p);
}

struct since_change *since_change_all(const struct history *h,
    const struct inference_opts *inference, enum adjust adjust, size_t *count)
{
	struct two_sample_opts opts = { .inference = *inference };
	size_t all, n = 0;
	const struct history_series *s = history_list(h, &all);
	struct since_change *list = mem_zero(all + 1, sizeof(*list));

	for (size_t i = 0; i < all; i++) {
		const struct history_point *newest =
		    history_points(h) + s[i].first + s[i].count - 1;

		if (s[i].count < 2 || !history_in_range(h, newest))
			continue;
		list[n].series = &s[i];
		list[n].from =
		    s[i].first + (s[i].changes ? s[i].change[s[i].changes - 1].at : 0);
		measure_change(h, &list[n], &opts);
		n++;
	}
	adjust_sort(list, n, true, adjust);
	adjust_sort(list, n, false, adjust);
	for (size_t i = 0; i < n; i++) {
		opts.better = list[i].series->better;
		opts.threshold = list[i].series->threshold;
		newest_test_judge(&list[i].result, &opts);
	}
	*count = n;
	return list;
}

static void fill_cells(struct cell cell[FIELDS], const struct history *h,
    const struct since_change *row, const char *unit, struct buf *change)
{
	const struct history_point *points = history_points(h);

	two_sample_cells(&row->result, unit, change, cell);
	cell[SINCE] = CELL_OF_TEXT(history_point_name(h, &points[row->from]));
	cell[COMMIT] = CELL_OF_TEXT(
	    history_point_name(h, &points[row->series->first + row->series->count - 1]));
	cell[PRIMARY] = CELL_OF_TEXT(row->series->decides ? TEXT("yes") : TEXT(""));
}

const struct history_point *since_change_newest(const struct history *h)
{
	const struct history_point *newest = NULL;
	size_t all;
	const struct history_series *s = history_list(h, &all);

	for (size_t i = 0; i < all; i++)
		if (s[i].count && history_in_range(h, history_last(h, &s[i])) &&
		    (!newest || history_precedes(newest, history_last(h, &s[i]))))
			newest = history_last(h, &s[i]);
	return newest;
}

int since_change_print(const struct history *h, const struct since_change *list,
    size_t count, const struct output *out)
{
	const struct groups *groups = history_groups(h);
	size_t *id, keys = history_columns(h, &id);
	struct render *render = history_render(h, fields, FIELDS, out);
	struct cell *cell = mem_zero(keys + FIELDS, sizeof(*cell));
	struct buf change = { 0 };

	for (size_t i = 0; i < count; i++) {
		if ((!list[i].series->decides || list[i].constant) && !render_all_rows(out))
			continue;
		struct text text = groups_cell(groups, list[i].series->group, COL_UNIT);
		char *unit = mem_text(text.ptr, text.len);

		for (size_t k = 0; k < keys; k++)
			cell[k] =
			    CELL_OF_TEXT(groups_cell(groups, list[i].series->group, id[k]));
		fill_cells(cell + keys, h, &list[i], unit, &change);
		render_row(render, cell);
		free(unit);
	}
	buf_free(&change);
	free(cell);
	free(id);
	return render_close(render);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints changes as rows; see history_table.h.
 */
#include <math.h>
#include <stdlib.h>

#include "compare/two_sample_table.h"
#include "history/history_table.h"

enum field {
	TIME,
	COMMIT_BEFORE,
	COMMIT,
	BEFORE,
	AFTER,
	CHANGE, /* in tables */
	RATIO,
	P,
	SHAPE,
	SLOPE,
	SLOPE_LO,
	SLOPE_HI,
	VERDICT, /* in tables */
	PRIMARY,
	FIELDS
};

static const struct render_column fields[FIELDS] = {
	[TIME] = { .name = "time", .rank = 3 },
	[COMMIT_BEFORE] = { .name = "commit_before", .rank = 6 },
	[COMMIT] = { .name = "commit" },
	[BEFORE] = { .name = "before", .rank = 2 },
	[AFTER] = { .name = "after", .rank = 2 },
	[CHANGE] = { .name = "change", .table_only = true, .look = LOOK_WHOLE, .rank = 1 },
	[RATIO] = { .name = "ratio", .rank = 8 },
	[P] = { .name = "p", .rank = 5 },
	[SHAPE] = { .name = "shape", .rank = 4 },
	[SLOPE] = { .name = "slope", .rank = 7 },
	[SLOPE_LO] = { .name = "slope_lo", .rank = 7 },
	[SLOPE_HI] = { .name = "slope_hi", .rank = 7 },
	[VERDICT] = { .name = "verdict", .table_only = true, .kept = true },
	[PRIMARY] = { .name = "primary", .plain_only = true },
};

size_t history_columns(const struct history *h, size_t **ids)
{
	static const size_t last[] = { COL_HOST, COL_METRIC, COL_UNIT };
	size_t *all, count = groups_columns(history_groups(h), &all), n = 0;

	all = mem_resize(all, count + COUNT(last), sizeof(*all));
	for (size_t i = 0; i < count; i++)
		if (all[i] != COL_HOST && all[i] != COL_METRIC && all[i] != COL_UNIT)
			all[n++] = all[i];
	for (size_t i = 0; i < COUNT(last); i++)
		all[n++] = last[i];
	*ids = all;
	return n;
}

/* The rows of changes that are printed. */
struct change_rows {
	const struct history *history;
	size_t *id, keys; /* the columns before the fields */
	struct cell *cell;
	struct buf change; /* the text of the cell of this name */
	struct render *out;
};

/* Fills the fields of a change: of the whole series, which is a drift, or of a step. */
static void fill_change(struct change_rows *rows, const struct history_series *s,
    const struct change *c, const char *unit)
{
	const bool drift = c == &s->whole;
	const struct history_point *points = history_points(rows->history) + s->first;
	const struct history_point *at = &points[c->at], *from = drift ? points : at - 1;
	const double ratio = change_ratio(c->before, c->after);
	const enum verdict verdict = s->better == BETTER_NEITHER ? VERDICT_DIFFERS
	                             : history_worse(s, c)       ? VERDICT_WORSE
	                                                         : VERDICT_BETTER;
	struct cell *cell = rows->cell + rows->keys;

	cell[TIME] = CELL_OF_TEXT(history_text(rows->history, at->time));
	cell[COMMIT_BEFORE] = CELL_OF_TEXT(history_text(rows->history, from->commit));
	cell[COMMIT] = CELL_OF_TEXT(history_text(rows->history, at->commit));
	cell[BEFORE] = CELL_IN_UNIT(c->before, unit);
	cell[AFTER] = CELL_IN_UNIT(c->after, unit);
	rows->change.len = 0;
	two_sample_put_ratio(&rows->change, ratio, NAN, NAN);
	cell[CHANGE] = CELL_OF_TEXT((text_in(&rows->change)));
	cell[RATIO] = CELL_IN_UNIT(ratio, "1");
	cell[P] = CELL_IN_UNIT(c->p, "1");
	cell[SHAPE] = CELL_OF_TEXT(drift ? TEXT("drift") : TEXT("step"));
	cell[SLOPE] = CELL_IN_UNIT(drift ? s->drift.slope : (double)NAN, unit);
	cell[SLOPE_LO] = CELL_IN_UNIT(drift ? s->drift.slope_lo : (double)NAN, unit);
	cell[SLOPE_HI] = CELL_IN_UNIT(drift ? s->drift.slope_hi : (double)NAN, unit);
	cell[VERDICT] = CELL_OF_TEXT(text_of(verdict_names[verdict]));
	cell[CHANGE].tint = cell[VERDICT].tint = verdict_tint(verdict);
	cell[PRIMARY] = CELL_OF_TEXT(s->decides ? TEXT("yes") : TEXT(""));
}

static void print_series(struct change_rows *rows, const struct history_series *s)
{
	const struct history *h = rows->history;
	struct text text = groups_cell(history_groups(h), s->group, COL_UNIT);
	char *unit = mem_text(text.ptr, text.len);

	for (size_t i = 0; i < rows->keys; i++)
		rows->cell[i] =
		    CELL_OF_TEXT(groups_cell(history_groups(h), s->group, rows->id[i]));
	/* A drift comes first, then the steps in addition to it. */
	for (size_t i = 0; i < s->changes + s->drifts; i++) {
		const bool drift = s->drifts && i == 0;
		const struct change *c = drift ? &s->whole : &s->change[i - s->drifts];

		if (!history_in_range(h, &history_points(h)[s->first + c->at]))
			continue;
		fill_change(rows, s, c, unit);
		render_row(rows->out, rows->cell);
	}
	free(unit);
}

struct render *history_render(const struct history *h,
    const struct render_column *fields_of, size_t count, const struct output *out)
{
	const struct groups *groups = history_groups(h);
	size_t *id, keys = history_columns(h, &id);
	struct render_column *column = mem_zero(keys + count, sizeof(*column));
	struct render *render;

	for (size_t i = 0; i < keys; i++)
		column[i] = (struct render_column){
			.name = groups_schema(groups)->name[id[i]],
			.plain_only = id[i] == COL_UNIT ||
			              (id[i] == COL_KIND && groups_constant(groups, id[i])),
			.factor = id[i] != COL_METRIC,
			.kept = id[i] == COL_METRIC && !groups_constant(groups, id[i]),
		};
	memcpy(column + keys, fields_of, count * sizeof(*fields_of));
	render = render_open(out, column, keys + count);
	free(column);
	free(id);
	return render;
}

bool history_has_rows(const struct history *h, bool all_rows)
{
	size_t count;
	const struct history_series *list = history_list(h, &count);

	for (size_t i = 0; i < count; i++) {
		const struct history_series *s = &list[i];
		const struct history_point *points = history_points(h) + s->first;

		if (!all_rows && !s->decides)
			continue;
		if (s->drifts && history_in_range(h, &points[s->whole.at]))
			return true;
		for (size_t k = 0; k < s->changes; k++)
			if (history_in_range(h, &points[s->change[k].at]))
				return true;
	}
	return false;
}

int history_print(const struct history *h, const struct output *out)
{
	struct change_rows rows = { .history = h,
		.out = history_render(h, fields, FIELDS, out) };
	size_t count;
	const struct history_series *list = history_list(h, &count);

	rows.keys = history_columns(h, &rows.id);
	rows.cell = mem_zero(rows.keys + FIELDS, sizeof(*rows.cell));
	for (size_t i = 0; i < count; i++)
		if (list[i].decides || render_all_rows(out))
			print_series(&rows, &list[i]);
	buf_free(&rows.change);
	free(rows.cell);
	free(rows.id);
	return render_close(rows.out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables whose rows begin with a group's key; see group_table.h.
 */
#include <stdlib.h>
#include <string.h>

#include "summary/group_table.h"

const char group_table_unit[] = "of the group";

struct group_table {
	const struct groups *groups;
	struct render *render;
	size_t *key; /* column ids */
	size_t keys, columns;
	struct cell *cell; /* of a row */
	struct text *text; /* of a group, by column id */
	struct buf unit;   /* of a group */
};

/* Fills in the columns of the key. */
static void choose_key(struct group_table *k, const char *without)
{
	size_t count = groups_columns(k->groups, &k->key);
	long omitted =
	    without ? schema_find(groups_schema(k->groups), text_of(without)) : -1;

	for (size_t i = 0; i < count; i++)
		if (omitted < 0 || k->key[i] != (size_t)omitted)
			k->key[k->keys++] = k->key[i];
}

struct group_table *group_table_open(
    const struct groups *g, const struct output *out, const struct group_table_opts *opts)
{
	struct group_table *k = mem_zero(1, sizeof(*k));
	struct render_column *all;

	k->groups = g;
	choose_key(k, opts->without);
	k->columns = opts->columns;
	all = mem_zero(k->keys + k->columns, sizeof(*all));
	for (size_t i = 0; i < k->keys; i++) {
		size_t id = k->key[i];
		bool aside = column_kind(id) == COLUMN_PROVENANCE || id == COL_KIND;

		all[i].name = groups_schema(g)->name[id];
		all[i].factor = id != COL_METRIC;
		all[i].kept = id == COL_METRIC && !groups_constant(g, id);
		all[i].plain_only =
		    id == COL_UNIT || (aside && !out->all_keys && groups_constant(g, id));
	}
	memcpy(all + k->keys, opts->column, k->columns * sizeof(*all));
	k->render = render_open(out, all, k->keys + k->columns);
	free(all);
	k->cell = mem_zero(k->keys + k->columns, sizeof(*k->cell));
	k->text = mem_zero(groups_schema(g)->count, sizeof(*k->text));
	return k;
}

void group_table_row(struct group_table *k, size_t group, const struct cell *cells)
{
	group_table_row_in(k, group, groups_cell(k->groups, group, COL_UNIT), cells);
}

void group_table_row_in(
    struct group_table *k, size_t group, struct text in, const struct cell *cells)
{
	groups_cells(k->groups, group, k->text);
	k->text[COL_UNIT] = in;
	k->unit.len = 0;
	buf_text(&k->unit, in);
	for (size_t i = 0; i < k->keys; i++)
		k->cell[i] = CELL_OF_TEXT(k->text[k->key[i]]);
	for (size_t i = 0; i < k->columns; i++) {
		struct cell *c = &k->cell[k->keys + i];

		*c = cells[i];
		if (c->unit == group_table_unit)
			c->unit = k->unit.ptr;
	}
	render_row(k->render, k->cell);
}

int group_table_close(struct group_table *k)
{
	int status = render_close(k->render);

	free(k->key);
	free(k->cell);
	free(k->text);
	buf_free(&k->unit);
	free(k);
	return status;
}

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
};

struct group_table *group_table_open(const struct groups *g, FILE *out,
    enum render_format format, bool all_keys, const struct render_column *columns,
    size_t count)
{
	struct group_table *k = mem_zero(1, sizeof(*k));
	struct render_column *all;

	k->groups = g;
	k->keys = groups_columns(g, &k->key);
	k->columns = count;
	all = mem_zero(k->keys + count, sizeof(*all));
	for (size_t i = 0; i < k->keys; i++) {
		size_t id = k->key[i];
		bool aside = column_kind(id) == COLUMN_PROVENANCE || id == COL_KIND;

		all[i].name = groups_schema(g)->name[id];
		all[i].factor = id != COL_METRIC;
		all[i].plain_only =
		    id == COL_UNIT || (aside && !all_keys && groups_constant(g, id));
	}
	memcpy(all + k->keys, columns, count * sizeof(*all));
	k->render = render_open(out, format, all, k->keys + count);
	free(all);
	return k;
}

void group_table_row(struct group_table *k, size_t group, const struct cell *cells)
{
	group_table_row_in(k, group, groups_cell(k->groups, group, COL_UNIT), cells);
}

void group_table_row_in(
    struct group_table *k, size_t group, struct text in, const struct cell *cells)
{
	struct cell *cell = mem_zero(k->keys + k->columns, sizeof(*cell));
	struct text *key = mem_zero(groups_schema(k->groups)->count, sizeof(*key));
	char *unit = mem_text(in.ptr, in.len);

	groups_cells(k->groups, group, key);
	key[COL_UNIT] = in;
	for (size_t i = 0; i < k->keys; i++)
		cell[i] = CELL_OF_TEXT(key[k->key[i]]);
	for (size_t i = 0; i < k->columns; i++) {
		struct cell *c = &cell[k->keys + i];

		*c = cells[i];
		if (c->unit == group_table_unit)
			c->unit = unit;
	}
	render_row(k->render, cell);
	free(unit);
	free(key);
	free(cell);
}

int group_table_close(struct group_table *k)
{
	int status = render_close(k->render);

	free(k->key);
	free(k);
	return status;
}

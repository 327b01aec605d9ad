/*
 * Comparisons -> rows; see compare_table.h.
 */
#include <stdlib.h>
#include <string.h>

#include "compare_table.h"
#include "geomean.h"

/* Columns of a result, behind those of the subject. */
enum field {
	N_OLD,
	N_NEW,
	OLD,
	NEW,
	RATIO,
	RATIO_LO,
	RATIO_HI,
	P,
	P_ADJ,
	EFFECT,
	VERDICT,
	RUNS_NEEDED,
	BASIS,
	MARGIN,
	FLOOR,
	LEVEL,
	FIELDS
};

static const struct render_column fields[FIELDS] = {
	[N_OLD] = { "n_old", false },
	[N_NEW] = { "n_new", false },
	[OLD] = { "old", false },
	[NEW] = { "new", false },
	[RATIO] = { "ratio", false },
	[RATIO_LO] = { "ratio_lo", false },
	[RATIO_HI] = { "ratio_hi", false },
	[P] = { "p", true },
	[P_ADJ] = { "p_adj", false },
	[EFFECT] = { "effect", true },
	[VERDICT] = { "verdict", false },
	[RUNS_NEEDED] = { "runs_needed", false },
	[BASIS] = { "basis", true },
	[MARGIN] = { "margin", true },
	[FLOOR] = { "floor", true },
	[LEVEL] = { "level", true },
};

static const enum tint tints[] = {
	[VERDICT_UNSURE] = TINT_DIM,
	[VERDICT_SAME] = TINT_NONE,
	[VERDICT_BETTER] = TINT_GOOD,
	[VERDICT_WORSE] = TINT_BAD,
	[VERDICT_DIFFERS] = TINT_NONE,
};

/* The subject's columns in the contract's order, with that of the sides among them. */
static size_t key_columns(const struct compare *c, size_t **ids)
{
	const struct schema *schema = groups_schema(compare_groups(c));
	size_t *keys, count = groups_columns(compare_groups(c), &keys), n = 0;
	size_t *order = mem_zero(schema->count, sizeof(*order));
	bool *wanted = mem_zero(schema->count, sizeof(*wanted));

	for (size_t i = 0; i < count; i++)
		wanted[keys[i]] = true;
	if (compare_by(c) >= 0)
		wanted[compare_by(c)] = true;
	schema_order(schema, order);
	for (size_t i = 0; i < schema->count; i++)
		if (wanted[order[i]])
			order[n++] = order[i];
	free(wanted);
	free(keys);
	*ids = order;
	return n;
}

static struct cell number(double x, const char *unit)
{
	return (struct cell){ .kind = CELL_NUMBER, .number = x, .unit = unit };
}

static void fill(struct cell cell[FIELDS], const struct comparison *row, const char *unit)
{
	const struct contrast *r = &row->result;

	cell[N_OLD] = CELL_OF_NUMBER((double)r->n_old);
	cell[N_NEW] = CELL_OF_NUMBER((double)r->n_new);
	cell[OLD] = number(r->old, unit);
	cell[NEW] = number(r->new, unit);
	cell[RATIO] = number(r->ratio, "1");
	cell[RATIO_LO] = number(r->ratio_lo, "1");
	cell[RATIO_HI] = number(r->ratio_hi, "1");
	cell[P] = number(r->p, "1");
	cell[P_ADJ] = number(r->p_adj, "1");
	cell[EFFECT] = number(r->effect, "1");
	cell[VERDICT] = CELL_OF_TEXT(text_of(verdict_names[r->verdict]));
	cell[VERDICT].tint = tints[r->verdict];
	cell[RUNS_NEEDED] = CELL_OF_NUMBER(r->runs_needed);
	cell[BASIS] = CELL_OF_TEXT(text_of(basis_names[r->basis]));
	cell[MARGIN] = number(row->margin, "1");
	cell[FLOOR] = number(row->floor, "1");
	cell[LEVEL] = CELL_OF_TEXT(text_of(level_names[row->level]));
}

static void print_row(const struct compare *c, const struct comparison *row,
    const size_t *id, size_t keys, struct cell *cell, struct render *out)
{
	const struct groups *groups = compare_groups(c);
	struct text unit = groups_cell(groups, row->group, COL_UNIT);
	char *unit_name = mem_text(unit.ptr, unit.len);

	for (size_t i = 0; i < keys; i++)
		cell[i] = CELL_OF_TEXT((long)id[i] == compare_by(c)
		                           ? compare_side_name(c, row->side)
		                           : groups_cell(groups, row->group, id[i]));
	fill(cell + keys, row, unit_name);
	render_row(out, cell);
	free(unit_name);
}

/* The subject's columns are empty: it is about all of them. */
static void print_mean(const struct compare *c, const struct geomean *mean,
    const size_t *id, size_t keys, struct cell *cell, struct render *out)
{
	const struct groups *groups = compare_groups(c);
	struct text unit = groups_cell(groups, mean->group, COL_UNIT);
	char *unit_name = mem_text(unit.ptr, unit.len);
	struct cell *field = cell + keys;

	for (size_t i = 0; i < keys + FIELDS; i++)
		cell[i] = (struct cell){ 0 };
	for (size_t i = 0; i < keys; i++) {
		if ((long)id[i] == compare_by(c))
			cell[i] = CELL_OF_TEXT(compare_side_name(c, mean->side));
		else if (id[i] == COL_METRIC || id[i] == COL_UNIT)
			cell[i] = CELL_OF_TEXT(groups_cell(groups, mean->group, id[i]));
	}
	field[N_OLD] = field[N_NEW] = CELL_OF_NUMBER((double)mean->count);
	field[OLD] = number(mean->old, unit_name);
	field[NEW] = number(mean->new, unit_name);
	field[RATIO] = number(mean->ratio, "1");
	field[RATIO_LO] = number(mean->lo, "1");
	field[RATIO_HI] = number(mean->hi, "1");
	field[VERDICT] = CELL_OF_TEXT(TEXT("geomean"));
	field[BASIS] = CELL_OF_TEXT(TEXT("ratio"));
	render_row(out, cell);
	free(unit_name);
}

static void print_means(const struct compare *c, const size_t *id, size_t keys,
    struct cell *cell, struct render *out)
{
	struct geomean *mean;
	size_t count = geomeans_of(c, &mean);

	for (size_t i = 0; i < count; i++)
		print_mean(c, &mean[i], id, keys, cell, out);
	free(mean);
}

static bool constant_kind(const struct compare *c, size_t id)
{
	return id == COL_KIND && compare_by(c) != COL_KIND &&
	       groups_constant(compare_groups(c), id);
}

static bool has_warnings(const struct comparison *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].level == LEVEL_WARNING)
			return true;
	return false;
}

int compare_print(
    const struct compare *c, bool geomean, FILE *out, enum render_format format)
{
	const struct schema *schema = groups_schema(compare_groups(c));
	size_t *id, keys = key_columns(c, &id), count;
	const struct comparison *list = compare_list(c, &count);
	struct render_column *column = mem_zero(keys + FIELDS, sizeof(*column));
	struct cell *cell = mem_zero(keys + FIELDS, sizeof(*cell));
	struct render *render;

	for (size_t i = 0; i < keys; i++)
		column[i] = (struct render_column){ schema->name[id[i]],
			id[i] == COL_UNIT || constant_kind(c, id[i]) };
	memcpy(column + keys, fields, sizeof(fields));
	column[keys + FLOOR].plain_only = !compare_has_floors(c);
	column[keys + LEVEL].plain_only = !has_warnings(list, count);
	render = render_open(out, format, column, keys + FIELDS);
	for (size_t i = 0; i < count; i++)
		print_row(c, &list[i], id, keys, cell, render);
	if (geomean)
		print_means(c, id, keys, cell, render);
	free(cell);
	free(column);
	free(id);
	return render_close(render);
}

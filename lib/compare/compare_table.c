/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints comparisons as rows; see compare_table.h.
 */
#include <stdlib.h>
#include <string.h>

#include "compare/compare_notes.h"
#include "compare/compare_table.h"
#include "compare/geomean.h"
#include "compare/two_sample_table.h"
#include "text/near_name.h"

/* The columns after the subject: the two-sample columns, then these. */
enum field {
	BASIS = TWO_SAMPLE_COLUMNS,
	MARGIN,
	FLOOR,
	LEVEL,
	PRIMARY,
	SHOWN, /* the columns before are shown by default */
	A12 = SHOWN,
	SHIFT,
	TEST,
	CENSORED_OLD,
	CENSORED_NEW,
	UNPAIRED_OLD,
	UNPAIRED_NEW,
	FIELDS
};

static const struct render_column fields[FIELDS] = {
	TWO_SAMPLE_COLUMN_NAMES,
	[BASIS] = { .name = "basis", .rank = 11 },
	[MARGIN] = { .name = "margin", .plain_only = true, .rank = 12 },
	[FLOOR] = { .name = "floor", .plain_only = true, .rank = 12 },
	[LEVEL] = { .name = "level", .plain_only = true, .rank = 1 },
	[PRIMARY] = { .name = "primary", .plain_only = true, .rank = 13 },
	[A12] = { .name = "a12" },
	[SHIFT] = { .name = "shift" },
	[TEST] = { .name = "test" },
	[CENSORED_OLD] = { .name = "censored_old" },
	[CENSORED_NEW] = { .name = "censored_new" },
	[UNPAIRED_OLD] = { .name = "unpaired_old" },
	[UNPAIRED_NEW] = { .name = "unpaired_new" },
};

/* Columns as other programs call them. */
static const struct name_alias foreign[] = { { "pvalue", "p" }, { "p-value", "p" },
	{ "p_value", "p" }, { "delta", "ratio" }, { "change", "ratio" },
	{ "speedup", "ratio" }, { "difference", "diff" }, { "before", "old" },
	{ "after", "new" } };

/* Returns the columns of the subject and of the sides, in the order of bench-csv(5). */
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

static void fill_cells(struct cell cell[FIELDS], const struct comparison *row,
    const char *unit, struct buf *change)
{
	const struct two_sample *r = &row->result;

	two_sample_cells(r, unit, change, cell);
	cell[BASIS] = CELL_OF_TEXT(text_of(basis_names[r->basis]));
	cell[MARGIN] = CELL_IN_UNIT(row->margin, "1");
	cell[FLOOR] = CELL_IN_UNIT(row->floor, "1");
	cell[LEVEL] = CELL_OF_TEXT(text_of(severity_names[row->severity]));
	cell[PRIMARY] = CELL_OF_TEXT(row->decides ? TEXT("yes") : TEXT(""));
	cell[A12] = CELL_IN_UNIT((1 + r->effect) / 2, "1");
	cell[SHIFT] = CELL_IN_UNIT(r->shift, unit);
	cell[TEST] = CELL_OF_TEXT(text_of(r->test ? r->test : ""));
	cell[CENSORED_OLD] = CELL_OF_NUMBER((double)r->censored_old);
	cell[CENSORED_NEW] = CELL_OF_NUMBER((double)r->censored_new);
	cell[UNPAIRED_OLD] = CELL_OF_NUMBER((double)r->unpaired_old.count);
	cell[UNPAIRED_NEW] = CELL_OF_NUMBER((double)r->unpaired_new.count);
}

/* A table: the columns of the subject, then the chosen columns of the result. */
struct print {
	const struct compare *compare;
	const struct compare_columns *columns;
	size_t *id, keys;
	struct cell *cell;  /* keys and all fields */
	struct cell *shown; /* keys and chosen fields */
	struct buf *change; /* the text of that cell */
	struct render *out;
};

static size_t shown_count(const struct compare_columns *columns)
{
	return columns->field ? columns->count : SHOWN;
}

static size_t shown_field(const struct compare_columns *columns, size_t i)
{
	return columns->field ? columns->field[i] : i;
}

static void put_row(const struct print *p)
{
	memcpy(p->shown, p->cell, p->keys * sizeof(*p->cell));
	for (size_t i = 0; i < shown_count(p->columns); i++)
		p->shown[p->keys + i] = p->cell[p->keys + shown_field(p->columns, i)];
	render_row(p->out, p->shown);
}

static long field_of(struct text name)
{
	for (long i = 0; i < FIELDS; i++)
		if (text_is(name, fields[i].name) && !fields[i].table_only)
			return i;
	return -1;
}

void compare_column_names(struct known_names *k)
{
	for (size_t i = 0; i < FIELDS; i++)
		if (!fields[i].table_only)
			known_names_add(k, text_of(fields[i].name));
}

int compare_choose(const char *list, struct compare_columns *out, struct fault *f)
{
	struct known_names known = { .alias = foreign, .aliases = COUNT(foreign) };
	size_t cap = 0;

	*out = (struct compare_columns){ 0 };
	for (const char *p = list;; p++) {
		struct text name = { p, strcspn(p, ",") };
		long field = field_of(name);

		if (field < 0) {
			compare_column_names(&known);
			return unknown_name(f, "unknown column", name, &known);
		}
		*VEC_ADD(out->field, out->count, cap) = (size_t)field;
		p += name.len;
		if (!*p)
			return 0;
	}
}

bool compare_chosen(const struct compare_columns *columns, const char *name)
{
	for (size_t i = 0; i < columns->count; i++)
		if (strcmp(fields[columns->field[i]].name, name) == 0)
			return true;
	return false;
}

static void print_row(const struct print *p, const struct comparison *row)
{
	const struct compare *c = p->compare;
	const struct groups *groups = compare_groups(c);
	struct text unit = groups_cell(groups, row->group, COL_UNIT);
	char *unit_name = mem_text(unit.ptr, unit.len);

	for (size_t i = 0; i < p->keys; i++)
		p->cell[i] = CELL_OF_TEXT((long)p->id[i] == compare_by(c)
		                              ? compare_side_name(c, row->side)
		                              : groups_cell(groups, row->group, p->id[i]));
	fill_cells(p->cell + p->keys, row, unit_name, p->change);
	put_row(p);
	free(unit_name);
}

/* Prints a geometric mean. The columns of the subject are empty. */
static void print_mean(const struct print *p, const struct geomean *mean)
{
	const struct compare *c = p->compare;
	const struct groups *groups = compare_groups(c);
	struct text unit = groups_cell(groups, mean->group, COL_UNIT);
	char *unit_name = mem_text(unit.ptr, unit.len);
	struct cell *field = p->cell + p->keys;

	for (size_t i = 0; i < p->keys + FIELDS; i++)
		p->cell[i] = (struct cell){ 0 };
	for (size_t i = 0; i < p->keys; i++) {
		size_t id = p->id[i];

		if ((long)id == compare_by(c))
			p->cell[i] = CELL_OF_TEXT(compare_side_name(c, mean->side));
		else if (id == COL_METRIC || id == COL_UNIT)
			p->cell[i] = CELL_OF_TEXT(groups_cell(groups, mean->group, id));
	}
	field[TWO_SAMPLE_N_OLD] = field[TWO_SAMPLE_N_NEW] =
	    CELL_OF_NUMBER((double)mean->count);
	field[TWO_SAMPLE_OLD] = CELL_IN_UNIT(mean->old, unit_name);
	field[TWO_SAMPLE_NEW] = CELL_IN_UNIT(mean->new, unit_name);
	p->change->len = 0;
	two_sample_put_ratio(p->change, mean->ratio, mean->lo, mean->hi);
	field[TWO_SAMPLE_CHANGE] =
	    CELL_OF_TEXT((text_in(p->change)));
	field[TWO_SAMPLE_RATIO] = CELL_IN_UNIT(mean->ratio, "1");
	field[TWO_SAMPLE_RATIO_LO] = CELL_IN_UNIT(mean->lo, "1");
	field[TWO_SAMPLE_RATIO_HI] = CELL_IN_UNIT(mean->hi, "1");
	field[TWO_SAMPLE_VERDICT] = CELL_OF_TEXT(TEXT("geomean"));
	field[BASIS] = CELL_OF_TEXT(TEXT("ratio"));
	field[PRIMARY] = CELL_OF_TEXT(mean->decides ? TEXT("yes") : TEXT(""));
	put_row(p);
	free(unit_name);
}

/* Prints the geometric means, without `all` only those of rows that may be shown. */
static void print_means(const struct print *p, bool all)
{
	struct geomean *mean;
	size_t count = geomeans_of(p->compare, &mean);

	for (size_t i = 0; i < count; i++)
		if (all || (mean[i].decides && mean[i].varies))
			print_mean(p, &mean[i]);
	free(mean);
}

static bool constant_kind(const struct compare *c, size_t id)
{
	return id == COL_KIND && compare_by(c) != COL_KIND &&
	       groups_constant(compare_groups(c), id);
}

static bool has_others(const struct comparison *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!list[i].decides)
			return true;
	return false;
}

/* Returns whether a row is in the output. If nothing can be compared, a table has no rows:
 * all of them would be unsure, and gate_put_nothing() names the subjects. */
static bool is_shown(
    const struct compare *c, const struct comparison *row, const struct output *out)
{
	return (row->decides && !compare_constant(row) && compare_any(c)) ||
	       render_all_rows(out);
}

void compare_note_table(
    const struct compare *c, const struct output *out, struct buf *lines)
{
	size_t count;
	const struct comparison *list = compare_list(c, &count);
	bool shown = false;

	for (size_t i = 0; i < count; i++)
		shown |= is_shown(c, &list[i], out);
	if (shown && compare_tests(c) > 1 && render_is_table(out))
		compare_put_intervals(lines, c, "p_adj");
	if (count && !shown && compare_any(c))
		buf_str(lines, "all values of the primary metrics are equal, so no row is "
		               "shown (use -v to show all rows)\n");
}

static bool has_warnings(const struct comparison *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].severity == SEVERITY_WARNING)
			return true;
	return false;
}

static bool has_differences(const struct comparison *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!isnan(list[i].result.diff) || !isnan(list[i].result.diff_lo) ||
		    !isnan(list[i].result.diff_hi))
			return true;
	return false;
}

int compare_print(const struct compare *c, const struct compare_columns *columns,
    bool geomean, const struct output *out)
{
	const struct schema *schema = groups_schema(compare_groups(c));
	struct buf change = { 0 };
	struct print p = { .compare = c, .columns = columns, .change = &change };
	struct render_column *column;
	size_t count;
	const struct comparison *list = compare_list(c, &count);

	p.keys = key_columns(c, &p.id);
	column = mem_zero(p.keys + shown_count(columns), sizeof(*column));
	p.cell = mem_zero(p.keys + FIELDS, sizeof(*p.cell));
	p.shown = mem_zero(p.keys + shown_count(columns), sizeof(*p.shown));
	for (size_t i = 0; i < p.keys; i++)
		column[i] = (struct render_column){ .name = schema->name[p.id[i]],
			.plain_only = p.id[i] == COL_UNIT || constant_kind(c, p.id[i]),
			.factor = p.id[i] != COL_METRIC,
			.kept = p.id[i] == COL_METRIC &&
			        !groups_constant(compare_groups(c), COL_METRIC) };
	for (size_t i = 0; i < shown_count(columns); i++) {
		column[p.keys + i] = fields[shown_field(columns, i)];
		column[p.keys + i].plain_only &= !columns->field;
		if (columns->field)
			column[p.keys + i].rank = 0;
	}
	if (!columns->field) {
		column[p.keys + FLOOR].plain_only = !compare_has_floors(c);
		column[p.keys + LEVEL].plain_only = !has_warnings(list, count);
		column[p.keys + PRIMARY].plain_only =
		    !out->all_rows || !has_others(list, count);
		for (size_t i = TWO_SAMPLE_DIFF; i <= TWO_SAMPLE_DIFF_HI; i++)
			column[p.keys + i].plain_only = !has_differences(list, count);
	}
	p.out = render_open(out, column, p.keys + shown_count(columns));
	for (size_t i = 0; i < count; i++)
		if (is_shown(c, &list[i], out))
			print_row(&p, &list[i]);
	if (geomean)
		print_means(&p, render_all_rows(out));
	buf_free(&change);
	free(p.shown);
	free(p.cell);
	free(column);
	free(p.id);
	return render_close(p.out);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Growth by series; see growth_table.h.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/growth.h"
#include "summary/chosen_statistic.h"
#include "summary/group_table.h"
#include "summary/growth_table.h"
#include "text/plural.h"
#include "text/units.h"

/* A group of one size. */
struct sized {
	size_t group, series;
	double size;
};

static int by_series(const void *a, const void *b)
{
	const struct sized *x = a, *y = b;

	if (x->series != y->series)
		return x->series < y->series ? -1 : 1;
	return (x->size > y->size) - (x->size < y->size);
}

/* The groups with a size, by series and size, and what the table leaves out. */
struct sized_groups {
	struct sized *at;
	size_t count;
	size_t without_size, not_positive; /* groups */
	size_t few;                        /* series that have too few sizes for a model */
};

/* Returns the number of the series of a group, given the strings of its key. */
static size_t series_of(struct intern *series, const struct text *cell, size_t cells,
    size_t column, struct buf *key)
{
	key->len = 0;
	for (size_t i = 0; i < cells; i++) {
		if (i != column)
			buf_text(key, cell[i]);
		buf_byte(key, '\0');
	}
	return intern_add(series, text_in(key));
}

static int size_of(struct text t, const char *column, double *size, struct fault *f)
{
	if (number_parse(t, size))
		return 0;
	return fault_set(f,
	    "--growth %s: '%.*s' is not a number, and sizes must be numbers", column,
	    t.len > 40 ? 40 : (int)t.len, t.ptr);
}

static int find_sizes(const struct groups *g, const char *name, size_t column,
    struct sized_groups *out, struct fault *f)
{
	size_t cells = groups_schema(g)->count;
	struct text *cell = mem_zero(cells, sizeof(*cell));
	struct intern series = { 0 };
	struct buf key = { 0 };
	int status = 0;

	out->at = mem_zero(groups_count(g) + 1, sizeof(*out->at));
	for (size_t i = 0; status == 0 && i < groups_count(g); i++) {
		struct sized *s = &out->at[out->count];

		groups_cells(g, i, cell);
		if (!cell[column].len) {
			out->without_size++;
			continue;
		}
		status = size_of(cell[column], name, &s->size, f);
		if (status == 0 && s->size <= 0) {
			out->not_positive++;
			continue;
		}
		s->group = i;
		s->series = series_of(&series, cell, cells, column, &key);
		out->count++;
	}
	intern_free(&series);
	buf_free(&key);
	free(cell);
	return status;
}

/* The sizes of a series with their medians, and what is missing. */
struct curve {
	double *size, *median;
	size_t count;
	size_t sizes;   /* that are different: one can be written in several ways */
	size_t missing; /* sizes without a median */
	bool positive;  /* all medians are */
};

/* Reads the medians of the groups of a series. */
static void read_curve(struct collect *c, const struct sized *at, size_t count,
    double confidence, struct curve *out)
{
	out->count = out->sizes = out->missing = 0;
	out->positive = true;
	for (size_t i = 0; i < count; i++) {
		struct chosen_summary s;

		chosen_summarize(c, at[i].group, NULL, confidence, false, &s);
		if (isnan(s.out.median)) {
			out->missing++;
			continue;
		}
		out->positive &= s.out.median > 0;
		out->sizes += !out->count || out->size[out->count - 1] != at[i].size;
		out->size[out->count] = at[i].size;
		out->median[out->count++] = s.out.median;
	}
}

enum {
	SIZES,
	FROM,
	TO,
	EXPONENT,
	EXPONENT_LO,
	EXPONENT_HI,
	MODEL,
	CONSTANT,
	FACTOR,
	ERROR,
	ALSO,
	MISSING,
	STATUS,
	COLUMNS
};
static const struct render_column columns[COLUMNS] = { { .name = "sizes", .rank = 5 },
	{ .name = "from", .rank = 4 }, { .name = "to", .rank = 4 }, { .name = "exponent" },
	{ .name = "exponent_lo", .rank = 1 }, { .name = "exponent_hi", .rank = 1 },
	{ .name = "model", .kept = true }, { .name = "constant", .rank = 6 },
	{ .name = "factor", .rank = 6 }, { .name = "error", .rank = 2 },
	{ .name = "also", .rank = 3 }, { .name = "missing", .rank = 8 },
	{ .name = "status", .rank = 7 } };

static struct cell in_unit(double value)
{
	struct cell c = CELL_OF_NUMBER(value);

	c.unit = group_table_unit;
	return c;
}

/* Returns a cell that is missing if the text is empty. */
static struct cell text_cell(struct text t)
{
	return t.len ? CELL_OF_TEXT(t) : (struct cell){ .kind = CELL_EMPTY };
}

/* Lists the other plausible models. */
static void put_also(struct buf *b, const struct growth *g)
{
	for (int m = 0; m < GROWTH_MODELS; m++)
		if (g->plausible[m] && m != g->model)
			buf_printf(b, "%s%s", b->len ? "; " : "", growth_models[m].name);
}

/* Prints the row of a series. Returns whether it has too few sizes for a model. */
static bool print_series(
    struct group_table *out, size_t group, const struct curve *curve, double confidence)
{
	struct growth g;
	struct buf also = { 0 };
	bool few;

	growth_of(
	    curve->size, curve->median, curve->positive ? curve->count : 0, confidence, &g);
	few = curve->positive && curve->sizes < GROWTH_LEAST_SIZES;
	put_also(&also, &g);
	struct cell cell[COLUMNS] = {
		[SIZES] = CELL_OF_NUMBER((double)curve->sizes),
		[FROM] = CELL_OF_NUMBER(curve->count ? curve->size[0] : NAN),
		[TO] = CELL_OF_NUMBER(curve->count ? curve->size[curve->count - 1] : NAN),
		[EXPONENT] = CELL_IN_UNIT(g.exponent, "1"),
		[EXPONENT_LO] = CELL_IN_UNIT(g.exponent_lo, "1"),
		[EXPONENT_HI] = CELL_IN_UNIT(g.exponent_hi, "1"),
		[MODEL] =
		    text_cell(text_of(g.model < 0 ? "" : growth_models[g.model].name)),
		[CONSTANT] = in_unit(g.constant),
		[FACTOR] = in_unit(g.factor),
		[ERROR] = CELL_IN_UNIT(g.error, "1"),
		[ALSO] = text_cell(text_in(&also)),
		[MISSING] = CELL_OF_NUMBER((double)curve->missing),
		[STATUS] = CELL_OF_TEXT(!curve->positive ? TEXT("not-positive")
		                        : few            ? TEXT("few")
		                                         : TEXT("ok")),
	};
	group_table_row(out, group, cell);
	buf_free(&also);
	return few;
}

static void print_all(struct group_table *rows, struct collect *c,
    const struct growth_opts *o, struct sized_groups *sized)
{
	struct curve curve;
	size_t end;

	curve.size = mem_zero(2 * sized->count + 1, sizeof(*curve.size));
	curve.median = curve.size + sized->count;
	for (size_t i = 0; i < sized->count; i = end) {
		const struct sized *at = &sized->at[i];

		for (end = i; end < sized->count && sized->at[end].series == at->series;)
			end++;
		if (o->hidden && o->hidden[at->group])
			continue;
		read_curve(c, at, end - i, o->confidence, &curve);
		sized->few += print_series(rows, at->group, &curve, o->confidence);
	}
	free(curve.size);
}

static void put_gaps(struct buf *lines, const struct sized_groups *s, const char *column)
{
	if (s->without_size)
		buf_printf(lines, "%zu group%s without a value of '%s' ignored\n",
		    s->without_size, plural_s(s->without_size), column);
	if (s->not_positive)
		buf_printf(lines, "%zu group%s ignored, whose '%s' is not greater than 0\n",
		    s->not_positive, plural_s(s->not_positive), column);
	if (s->few)
		buf_printf(lines,
		    "%zu row%s without a model, which needs at least %d values of '%s'\n",
		    s->few, plural_s(s->few), GROWTH_LEAST_SIZES, column);
}

int growth_print(const struct groups *g, struct collect *c, const struct growth_opts *o,
    struct buf *gaps, struct fault *f)
{
	struct sized_groups sized = { 0 };
	struct group_table *rows;
	long column;
	int status = -1;

	*f = (struct fault){ 0 };
	if (schema_need(groups_schema(g), o->column, f) < 0)
		return -1;
	column = schema_find(groups_schema(g), text_of(o->column));
	if (find_sizes(g, o->column, (size_t)column, &sized, f) == 0) {
		qsort(sized.at, sized.count, sizeof(*sized.at), by_series);
		rows = group_table_open(g, o->out,
		    &(struct group_table_opts){
		        .column = columns, .columns = COLUMNS, .without = o->column });
		print_all(rows, c, o, &sized);
		put_gaps(gaps, &sized, o->column);
		status = group_table_close(rows);
	}
	free(sized.at);
	return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes rows as CSV, a table or JSON, with the columns in which any row has a value, in
 * the order of bench-csv(5). JSON also has the facts of machines.
 */
#include <stdlib.h>

#include "convert/to.h"
#include "record/row_cell.h"

struct writer {
	struct render *render;
	size_t *order, columns;
	struct cell *cell;
};

static void *open_as(const struct row_writer_opts *o, enum render_format format)
{
	struct output out = *o->out;
	struct writer *w = mem_zero(1, sizeof(*w));
	const struct schema *schema = &o->rows->schema;
	struct render_column *column = mem_zero(schema->count, sizeof(*column));
	size_t *all = mem_zero(schema->count, sizeof(*all));

	w->order = mem_zero(schema->count, sizeof(*w->order));
	schema_order(schema, all);
	for (size_t i = 0; i < schema->count; i++)
		if (o->rows->used[all[i]]) {
			column[w->columns].name = schema->name[all[i]];
			column[w->columns].rank = column_rank(all[i]);
			column[w->columns].factor = column_rank(all[i]) > 0;
			w->order[w->columns++] = all[i];
		}
	w->cell = mem_zero(w->columns, sizeof(*w->cell));
	out.format = format;
	w->render = render_open(&out, column, w->columns);
	free(column);
	free(all);
	return w;
}

static void *csv_open(const struct row_writer_opts *o, struct fault *f)
{
	(void)f;
	return open_as(o, o->out->format);
}

static void *json_open(const struct row_writer_opts *o, struct fault *f)
{
	(void)f;
	return open_as(o, RENDER_JSON);
}

static void *lines_open(const struct row_writer_opts *o, struct fault *f)
{
	(void)f;
	return open_as(o, RENDER_JSON_LINES);
}

/* Writes a fact, for which only JSON has a place between rows. */
static void put_fact(void *writer, struct text env, struct text fact, struct text value)
{
	static const char *const names[] = { "env", "fact", "value" };
	struct writer *w = writer;

	render_object(w->render, names,
	    (struct cell[]){ CELL_OF_TEXT(env), CELL_OF_TEXT(fact), CELL_OF_TEXT(value) },
	    COUNT(names));
}

static int put_row(void *writer, const struct row *row, struct fault *f)
{
	struct writer *w = writer;

	(void)f;
	for (size_t i = 0; i < w->columns; i++)
		w->cell[i] = row_cell(row, w->order[i]);
	render_row(w->render, w->cell);
	return 0;
}

static int close_writer(void *writer, struct fault *f)
{
	struct writer *w = writer;
	int status = render_close(w->render);

	free(w->order);
	free(w->cell);
	free(w);
	return status < 0 ? fault_set(f, "standard output") : 0;
}

const struct row_writer csv_writer = { csv_open, put_row, close_writer, put_fact };
const struct row_writer json_writer = { json_open, put_row, close_writer, put_fact };
const struct row_writer json_lines_writer = { lines_open, put_row, close_writer, put_fact };

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of CSV or JSON in memory; see csv_table.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "io/csv_reader.h"
#include "io/csv_table.h"
#include "io/json_rows.h"
#include "text/plural.h"

struct table_reading {
	struct csv_table *table;
	struct csv_reader *reader;
	struct intern names; /* of the members of all objects of JSON */
	size_t *place;       /* of the members of an object among them */
};

static void begin_record(struct csv_table *g, uint64_t line)
{
	*VEC_ADD(g->record, g->records, g->record_cap) =
	    (struct csv_table_record){ g->cells, line };
}

/* Adds the names of the members of the next objects. */
static int take_names(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct table_reading *r = ctx;

	(void)f;
	(void)line;
	for (size_t i = 0; i < count; i++)
		if (csv_reader_form(r->reader) != RECORD_JSON_ROW)
			intern_add(&r->names, field[i]);
	return 0;
}

/* Adds an object as a row. */
static int take_object(struct table_reading *r, const struct text *field, size_t count,
    uint64_t line, struct fault *f)
{
	struct csv_table *g = r->table;
	const unsigned char *type = csv_reader_types(r->reader);
	size_t first = g->cells;

	for (size_t i = 0; i < count; i++)
		if (type[i] == FIELD_NESTED)
			return fault_set(f, "%s:%llu: %s: neither a text nor a number",
			    g->file, (unsigned long long)line, g->cell[r->place[i]]);
	begin_record(g, line);
	for (size_t i = 0; i < g->columns; i++)
		*VEC_ADD(g->cell, g->cells, g->cell_cap) = "";
	for (size_t i = 0; i < count; i++)
		g->cell[first + r->place[i]] = arena_text(&g->memory, field[i]);
	return 0;
}

static int take_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct table_reading *r = ctx;
	struct csv_table *g = r->table;
	enum record_form form = csv_reader_form(r->reader);

	if (form == RECORD_JSON_ROW)
		return take_object(r, field, count, line, f);
	if (form != RECORD_OF_CSV)
		r->place = mem_resize(r->place, count, sizeof(*r->place));
	else
		begin_record(g, line);
	for (size_t i = 0; i < count; i++) {
		if (form != RECORD_OF_CSV)
			r->place[i] = intern_add(&r->names, field[i]);
		else
			*VEC_ADD(g->cell, g->cells, g->cell_cap) =
			    arena_text(&g->memory, field[i]);
	}
	if (form == RECORD_OF_CSV && g->records == 1)
		g->columns = count;
	return 0;
}

static int read_text(struct table_reading *r, csv_reader_record *record, struct text t)
{
	struct csv_table *g = r->table;
	int status;

	r->reader = csv_reader_open(record, r);
	status = csv_reader_text(r->reader, g->file, t, &g->fault);
	csv_reader_close(r->reader);
	return status;
}

/* Reads the objects of JSON twice, first for their columns. */
static int read_json(struct table_reading *r, struct text t)
{
	struct csv_table *g = r->table;

	if (read_text(r, take_names, t) < 0)
		return -1;
	if (r->names.count)
		begin_record(g, 1);
	for (; g->columns < r->names.count; g->columns++)
		*VEC_ADD(g->cell, g->cells, g->cell_cap) =
		    arena_text(&g->memory, intern_text(&r->names, g->columns));
	return read_text(r, take_record, t);
}

static void parse_table(struct csv_table *g, struct text t, const char *file)
{
	struct table_reading r = { .table = g };

	g->file = file;
	g->failed = (json_rows_detect(t, true) ? read_json(&r, t)
	                                       : read_text(&r, take_record, t)) < 0;
	intern_free(&r.names);
	free(r.place);
}

static size_t fields_of(const struct csv_table *g, size_t record)
{
	size_t end = record + 1 < g->records ? g->record[record + 1].first : g->cells;

	return end - g->record[record].first;
}

int csv_table_read(struct csv_table *g, struct text csv, struct fault *f)
{
	parse_table(g, csv, "table");
	for (size_t i = 1; i < g->records; i++) {
		size_t fields = fields_of(g, i);

		if (fields == g->columns)
			continue;
		g->records = i;
		return fault_set(
		    f, "a table with rows of %zu and %zu fields", g->columns, fields);
	}
	if (g->failed)
		*f = g->fault;
	return g->failed ? -1 : 0;
}

size_t csv_table_rows(const struct csv_table *g)
{
	return g->records ? g->records - 1 : 0;
}

const char *csv_table_name(const struct csv_table *g, size_t column)
{
	return g->cell[column];
}

const char *csv_table_cell(const struct csv_table *g, size_t row, size_t column)
{
	return g->cell[g->record[row + 1].first + column];
}

void csv_table_set_cell(struct csv_table *g, size_t row, size_t column, struct text t)
{
	g->cell[g->record[row + 1].first + column] = arena_text(&g->memory, t);
}

long csv_table_column(const struct csv_table *g, const char *name)
{
	for (size_t i = 0; i < g->columns; i++)
		if (strcmp(g->cell[i], name) == 0)
			return (long)i;
	return -1;
}

static void put_record(const struct csv_table *g, size_t record, struct buf *b)
{
	for (size_t i = 0; i < g->columns; i++) {
		if (i)
			buf_byte(b, ',');
		csv_reader_put_field(b, text_of(g->cell[g->record[record].first + i]));
	}
	buf_byte(b, '\n');
}

void csv_table_put_header(const struct csv_table *g, struct buf *b)
{
	put_record(g, 0, b);
}

void csv_table_put_row(const struct csv_table *g, size_t row, struct buf *b)
{
	put_record(g, row + 1, b);
}

void csv_table_free(struct csv_table *g)
{
	arena_free(&g->memory);
	free(g->cell);
	free(g->record);
	*g = (struct csv_table){ 0 };
}

int csv_table_open(struct csv_table *g, struct text csv, const char *file, struct fault *f)
{
	parse_table(g, csv, file);
	if (!g->failed || g->records)
		return 0;
	*f = g->fault;
	return -1;
}

void csv_table_locate(
    const struct csv_table *g, const char *const *names, size_t count, size_t *at)
{
	for (size_t k = 0; k < count; k++) {
		at[k] = SIZE_MAX;
		for (size_t i = 0; i < g->columns; i++)
			if (strcmp(g->cell[i], names[k]) == 0)
				at[k] = i;
	}
}

int csv_table_require(const struct csv_table *g, const char *const *names, size_t count,
    size_t *at, struct fault *f)
{
	csv_table_locate(g, names, count, at);
	for (size_t k = 0; g->records && k < count; k++)
		if (at[k] == SIZE_MAX)
			return fault_set(
			    f, "%s:1: the header has no column '%s'", g->file, names[k]);
	return 0;
}

int csv_table_expect(const struct csv_table *g, size_t fields, struct fault *f)
{
	size_t count = g->records ? fields_of(g, g->now) : fields;

	return count == fields ? 0
	                       : csv_table_fault(g, f, "%zu field%s instead of %zu", count,
	                             plural_s(count), fields);
}

int csv_table_next(struct csv_table *g, struct fault *f)
{
	if (g->now + 1 < g->records) {
		g->now++;
		return 1;
	}
	if (g->failed)
		*f = g->fault;
	return g->failed ? -1 : 0;
}

size_t csv_table_fields(const struct csv_table *g)
{
	return fields_of(g, g->now);
}

uint64_t csv_table_line(const struct csv_table *g)
{
	return g->record[g->now].line;
}

struct text csv_table_field(const struct csv_table *g, size_t column)
{
	return column < fields_of(g, g->now)
	           ? text_of(g->cell[g->record[g->now].first + column])
	           : TEXT("");
}

int csv_table_fault(const struct csv_table *g, struct fault *f, const char *fmt, ...)
{
	struct fault why;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why.text, sizeof(why.text), fmt, ap);
	va_end(ap);
	return fault_set(
	    f, "%s:%llu: %s", g->file, (unsigned long long)csv_table_line(g), why.text);
}

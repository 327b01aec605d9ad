/* Tables of CSV in memory; see csv_table.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/csv_table.h"
#include "io/csv_reader.h"

static int take_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct grid *g = ctx;

	(void)f;
	*VEC_ADD(g->record, g->records, g->record_cap) =
	    (struct grid_record){ g->cells, line };
	for (size_t i = 0; i < count; i++)
		*VEC_ADD(g->cell, g->cells, g->cell_cap) =
		    mem_text(field[i].ptr, field[i].len);
	if (g->records == 1)
		g->columns = count;
	return 0;
}

static void parse(struct grid *g, struct text csv, const char *file)
{
	struct sheet *sheet = sheet_open(take_record, g);

	g->file = file;
	sheet_begin(sheet, file);
	g->failed = sheet_feed(sheet, csv.ptr, csv.len, &g->fault) < 0 ||
	            sheet_end(sheet, &g->fault) < 0;
	sheet_close(sheet);
}

static size_t fields_of(const struct grid *g, size_t record)
{
	size_t end = record + 1 < g->records ? g->record[record + 1].first : g->cells;

	return end - g->record[record].first;
}

int grid_read(struct grid *g, struct text csv, struct fault *f)
{
	parse(g, csv, "table");
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

size_t grid_rows(const struct grid *g)
{
	return g->records ? g->records - 1 : 0;
}

const char *grid_name(const struct grid *g, size_t column)
{
	return g->cell[column];
}

const char *grid_cell(const struct grid *g, size_t row, size_t column)
{
	return g->cell[g->record[row + 1].first + column];
}

long grid_column(const struct grid *g, const char *name)
{
	for (size_t i = 0; i < g->columns; i++)
		if (strcmp(g->cell[i], name) == 0)
			return (long)i;
	return -1;
}

static void put_record(const struct grid *g, size_t record, struct buf *b)
{
	for (size_t i = 0; i < g->columns; i++) {
		if (i)
			buf_byte(b, ',');
		sheet_field(b, text_of(g->cell[g->record[record].first + i]));
	}
	buf_byte(b, '\n');
}

void grid_put_header(const struct grid *g, struct buf *b)
{
	put_record(g, 0, b);
}

void grid_put_row(const struct grid *g, size_t row, struct buf *b)
{
	put_record(g, row + 1, b);
}

void grid_free(struct grid *g)
{
	for (size_t i = 0; i < g->cells; i++)
		free(g->cell[i]);
	free(g->cell);
	free(g->record);
	*g = (struct grid){ 0 };
}

int grid_open(struct grid *g, struct text csv, const char *file, struct fault *f)
{
	parse(g, csv, file);
	if (!g->failed || g->records)
		return 0;
	*f = g->fault;
	return -1;
}

void grid_locate(const struct grid *g, const char *const *names, size_t count, size_t *at)
{
	for (size_t k = 0; k < count; k++) {
		at[k] = SIZE_MAX;
		for (size_t i = 0; i < g->columns; i++)
			if (strcmp(g->cell[i], names[k]) == 0)
				at[k] = i;
	}
}

int grid_require(const struct grid *g, const char *const *names, size_t count, size_t *at,
    struct fault *f)
{
	grid_locate(g, names, count, at);
	for (size_t k = 0; g->records && k < count; k++)
		if (at[k] == SIZE_MAX)
			return fault_set(
			    f, "%s:1: the header has no column '%s'", g->file, names[k]);
	return 0;
}

int grid_expect(const struct grid *g, size_t fields, struct fault *f)
{
	size_t count = g->records ? fields_of(g, g->now) : fields;

	return count == fields
	           ? 0
	           : grid_fault(g, f, "%zu fields instead of %zu", count, fields);
}

int grid_next(struct grid *g, struct fault *f)
{
	if (g->now + 1 < g->records) {
		g->now++;
		return 1;
	}
	if (g->failed)
		*f = g->fault;
	return g->failed ? -1 : 0;
}

size_t grid_fields(const struct grid *g)
{
	return fields_of(g, g->now);
}

uint64_t grid_line(const struct grid *g)
{
	return g->record[g->now].line;
}

struct text grid_field(const struct grid *g, size_t column)
{
	return column < fields_of(g, g->now)
	           ? text_of(g->cell[g->record[g->now].first + column])
	           : TEXT("");
}

int grid_fault(const struct grid *g, struct fault *f, const char *fmt, ...)
{
	struct fault why;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why.text, sizeof(why.text), fmt, ap);
	va_end(ap);
	return fault_set(
	    f, "%s:%llu: %s", g->file, (unsigned long long)grid_line(g), why.text);
}

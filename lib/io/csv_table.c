/* Tables of CSV in memory; see csv_table.h. */
#include <stdlib.h>
#include <string.h>

#include "io/csv_table.h"
#include "io/csv_reader.h"

static int take_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct grid *g = ctx;

	(void)line;
	if (!g->columns)
		g->columns = count;
	if (count != g->columns)
		return fault_set(
		    f, "a table with rows of %zu and %zu fields", g->columns, count);
	for (size_t i = 0; i < count; i++)
		*VEC_ADD(g->cell, g->cells, g->cap) = mem_text(field[i].ptr, field[i].len);
	return 0;
}

int grid_read(struct grid *g, struct text csv, struct fault *f)
{
	struct sheet *sheet = sheet_open(take_record, g);
	int status;

	sheet_begin(sheet, "table");
	status = sheet_feed(sheet, csv.ptr, csv.len, f);
	if (status == 0)
		status = sheet_end(sheet, f);
	sheet_close(sheet);
	return status;
}

size_t grid_rows(const struct grid *g)
{
	return g->columns ? g->cells / g->columns - 1 : 0;
}

const char *grid_name(const struct grid *g, size_t column)
{
	return g->cell[column];
}

const char *grid_cell(const struct grid *g, size_t row, size_t column)
{
	return g->cell[(row + 1) * g->columns + column];
}

long grid_column(const struct grid *g, const char *name)
{
	for (size_t i = 0; i < g->columns; i++)
		if (strcmp(g->cell[i], name) == 0)
			return (long)i;
	return -1;
}

static void put_cells(const struct grid *g, char *const *cell, struct buf *b)
{
	for (size_t i = 0; i < g->columns; i++) {
		if (i)
			buf_byte(b, ',');
		sheet_field(b, text_of(cell[i]));
	}
	buf_byte(b, '\n');
}

void grid_put_header(const struct grid *g, struct buf *b)
{
	put_cells(g, g->cell, b);
}

void grid_put_row(const struct grid *g, size_t row, struct buf *b)
{
	put_cells(g, g->cell + (row + 1) * g->columns, b);
}

void grid_free(struct grid *g)
{
	for (size_t i = 0; i < g->cells; i++)
		free(g->cell[i]);
	free(g->cell);
	*g = (struct grid){ 0 };
}

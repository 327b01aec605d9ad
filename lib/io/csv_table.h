/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small file of CSV, or of JSON as json_rows.h describes it, in memory: the output of one
 * of our programs, which is displayed, sorted or shortened, or a table that people write,
 * which is read row by row. The columns of JSON are the members of all its objects.
 */
#ifndef IO_CSV_TABLE_H
#define IO_CSV_TABLE_H

#include "base/arena.h"
#include "base/base.h"

/* Zero it to begin. */
struct csv_table {
	const char **cell; /* of all records, the header's first */
	size_t cells, cell_cap;
	struct arena memory; /* of the cells */
	struct csv_table_record {
		size_t first;  /* of its cells */
		uint64_t line; /* on which it ends */
	} * record;
	size_t records, record_cap;
	size_t columns;     /* of the header; 0: there is none */
	const char *file;   /* for messages */
	size_t now;         /* the current record; 0: the header */
	bool failed;        /* the text after the records is not CSV */
	struct fault fault; /* why */
};

/*
 * Reads a table whose records all have as many fields as the header. Returns 0, or -1 and
 * the message. The caller frees the table in either case.
 */
int csv_table_read(struct csv_table *g, struct text csv, struct fault *f);
/* Returns the number of rows, without the header. */
size_t csv_table_rows(const struct csv_table *g);
const char *csv_table_name(const struct csv_table *g, size_t column);
/* Returns a cell; row 0 is the first after the header. */
const char *csv_table_cell(const struct csv_table *g, size_t row, size_t column);
/* Replaces the text of a cell by a copy of this one. */
void csv_table_set_cell(struct csv_table *g, size_t row, size_t column, struct text t);
/* Returns the column of this name, or -1. */
long csv_table_column(const struct csv_table *g, const char *name);
/* Appends the header as CSV. */
void csv_table_put_header(const struct csv_table *g, struct buf *b);
/* Appends a row as CSV. */
void csv_table_put_row(const struct csv_table *g, size_t row, struct buf *b);
void csv_table_free(struct csv_table *g);

/*
 * Begins to read a table row by row, at the header. The file's name must outlive the table.
 * Rows may have fewer or more fields than the header. Returns 0, even for an empty text, or
 * -1 and the message if the header is not CSV. The caller frees the table in either case.
 */
int csv_table_open(struct csv_table *g, struct text csv, const char *file, struct fault *f);
/* Sets at[i] to the position of the last column with name i, or to SIZE_MAX. */
void csv_table_locate(
    const struct csv_table *g, const char *const *names, size_t count, size_t *at);
/* Locates columns as csv_table_locate() does. Returns 0, or -1 and the message if the
 * header lacks one of the names. */
int csv_table_require(const struct csv_table *g, const char *const *names, size_t count,
    size_t *at, struct fault *f);
/* Returns 0 if the current record, which may be the header, has this number of fields, or
 * if the table is empty; otherwise -1 and the message. */
int csv_table_expect(const struct csv_table *g, size_t fields, struct fault *f);
/* Moves to the next row. Returns 1, 0 after the last row, or -1 and the message if the rest
 * of the text is not CSV. */
int csv_table_next(struct csv_table *g, struct fault *f);
/* Returns the number of fields of the current row. */
size_t csv_table_fields(const struct csv_table *g);
/* Returns the number of the line on which the current row ends. */
uint64_t csv_table_line(const struct csv_table *g);
/* Returns a field of the current row, which is empty if the row is too short or column is
 * SIZE_MAX. */
struct text csv_table_field(const struct csv_table *g, size_t column);
/* Sets a message that begins with the file and the line of the current row. Returns -1. */
int csv_table_fault(const struct csv_table *g, struct fault *f, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints rows as CSV, as an aligned table or as JSON. Every program that prints rows uses
 * this module.
 */
#ifndef IO_RENDER_H
#define IO_RENDER_H

#include <stdio.h>

#include "io/cell.h"

enum render_format {
	RENDER_AUTO,
	RENDER_CSV,
	RENDER_BOUNDS, /* CSV with ">" and a number in place of a lower bound */
	RENDER_TABLE,
	RENDER_JSON,
	RENDER_JSON_LINES,
	RENDER_FORMATS
};

/* How the strings of a column become narrower in a table wider than its terminal. */
enum render_look {
	LOOK_CUT,   /* an ellipsis replaces their middle */
	LOOK_PROSE, /* they continue on the next line */
	LOOK_WHOLE, /* they do not, because they have numbers */
};

/* Where rows go, and how. opt_parse() fills in opt_common.output. */
struct output {
	FILE *file;
	enum render_format format;
	/* These concern tables. */
	bool wide;     /* complete, regardless of the width of the terminal */
	bool all_rows; /* also with rows that people seldom need */
	bool all_keys; /* also with columns of the subject or machine that never vary */
	bool pager;    /* shown in a pager if it is longer than the terminal */
};

/* An output in a format for programs. */
#define OUTPUT_OF(stream, kind) ((struct output){ .file = (stream), .format = (kind) })

struct render_column {
	const char *name;
	/* in tables only with --wide, such as the unit, which is shown with the value */
	bool plain_only;
	bool table_only; /* only in tables */
	/* hidden first, and named with its value, if that is the same in all rows */
	bool factor;
	enum render_look look;
	/* Columns of the largest rank are hidden first, together; columns of rank 0 last,
	 * one by one from the right, and those that are kept after the others. */
	unsigned rank;
	bool kept; /* such as the verdict */
};

/* Returns whether rows go to people as a table; RENDER_AUTO is one on a terminal. */
bool render_is_table(const struct output *out);
/* Returns whether all rows are wanted: always, except in a table without all_rows. */
bool render_all_rows(const struct output *out);

struct render;
/*
 * Begins the output of rows. RENDER_AUTO is a table on a terminal and CSV otherwise. The
 * columns are copied. CSV is written row by row; a table and JSON at render_close.
 *
 * Unless it is wide, a table fits the width of its terminal, or COLUMNS if the output is
 * not a terminal: commits, times and UUIDs have short forms, other strings become narrower,
 * and columns are hidden. A line below the table names them.
 */
struct render *render_open(
    const struct output *out, const struct render_column *columns, size_t count);
void render_row(struct render *r, const struct cell *cells);
/* Writes an object with other members between the rows of JSON; nothing in other formats.
 */
void render_object(
    struct render *r, const char *const *name, const struct cell *cells, size_t count);
/* Writes the rows so far, except those of a table and of JSON. Returns 0, or -1 with errno
 * set. */
int render_flush(struct render *r);
/* Ends the output and frees the renderer. Returns 0, or -1 with errno set if writing
 * failed.
 */
int render_close(struct render *r);
/* Frees the renderer without writing the rows that were not flushed, after a failure. */
void render_cancel(struct render *r);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One row model, three printers: CSV for pipes, an aligned table for people, JSON. Every
 * program that prints rows does it here.
 */
#ifndef IO_RENDER_H
#define IO_RENDER_H

#include <stdio.h>

#include "base/base.h"

enum render_format { RENDER_AUTO, RENDER_CSV, RENDER_TABLE, RENDER_JSON };
enum tint { TINT_NONE, TINT_GOOD, TINT_BAD, TINT_DIM };

/*
 * A cell. A number with a unit is written plainly in CSV and JSON (shortest text that reads
 * back), and for people with prefix and unit (units_print). NAN and CELL_EMPTY are missing:
 * empty, null, or "-".
 */
struct cell {
	enum { CELL_EMPTY, CELL_TEXT, CELL_NUMBER, CELL_INTEGER } kind;
	enum tint tint;
	struct text text;
	double number;
	int64_t integer;  /* written with all its digits */
	const char *unit; /* NULL: no unit, plain number for people too */
};

#define CELL_OF_TEXT(t) ((struct cell){ .kind = CELL_TEXT, .text = (t) })
#define CELL_OF_INTEGER(n) ((struct cell){ .kind = CELL_INTEGER, .integer = (int64_t)(n) })
#define CELL_IN_UNIT(x, of) \
	((struct cell){ .kind = CELL_NUMBER, .number = (x), .unit = (of) })
#define CELL_OF_NUMBER(x) ((struct cell){ .kind = CELL_NUMBER, .number = (x) })

struct render_column {
	const char *name;
	bool plain_only; /* left out of the table for people (the unit beside united values)
	                  */
};

struct render;
/*
 * RENDER_AUTO is a table on a terminal, else CSV. The columns are copied. CSV is written as
 * it comes; the others at render_close.
 */
struct render *render_open(FILE *out, enum render_format format,
    const struct render_column *columns, size_t count);
void render_row(struct render *r, const struct cell *cells);
/* Hand on what a CSV reader can already use. 0, or -1 (errno set). */
int render_flush(struct render *r);
/* Ends the output, frees. 0, or -1 when writing failed (errno set). */
int render_close(struct render *r);

/* Whether colours may be used on this stream: a terminal, and NO_COLOR is not set. */
bool render_colour(FILE *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of the rows that render.h prints.
 */
#ifndef IO_CELL_H
#define IO_CELL_H

#include "base/base.h"

enum tint { TINT_NONE, TINT_GOOD, TINT_BAD, TINT_DIM };

/*
 * A value. In CSV and JSON a number is written as the shortest text that parses to the same
 * number. In a table, a number with a unit has a prefix and the unit (units_print). NAN and
 * CELL_EMPTY are missing values: empty in CSV, null in JSON, and "-" in a table. So is a
 * number that is only a lower bound, except in a table and in RENDER_BOUNDS, which have ">"
 * before it.
 */
struct cell {
	enum { CELL_EMPTY, CELL_TEXT, CELL_NUMBER, CELL_INTEGER } kind;
	enum tint tint;
	struct text text;
	double number;
	bool above;       /* the number is a lower bound */
	int64_t integer;  /* written with all its digits */
	const char *unit; /* NULL: no unit, plain number for people too */
};

#define CELL_OF_TEXT(t) ((struct cell){ .kind = CELL_TEXT, .text = (t) })
#define CELL_OF_INTEGER(n) ((struct cell){ .kind = CELL_INTEGER, .integer = (int64_t)(n) })
#define CELL_IN_UNIT(x, of) \
	((struct cell){ .kind = CELL_NUMBER, .number = (x), .unit = (of) })
#define CELL_OF_NUMBER(x) ((struct cell){ .kind = CELL_NUMBER, .number = (x) })

/* Returns whether the value of a cell is missing. */
bool cell_missing(const struct cell *c);
/* Appends the number of a cell without its unit. */
void cell_put_number(struct buf *b, const struct cell *c);

#endif

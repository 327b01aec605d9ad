/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision of --gate: counts by gravity, the exit status, and lines for the log of a
 * build.
 */
#ifndef COMPARE_GATE_H
#define COMPARE_GATE_H

#include <stdio.h>

#include "compare/compare.h"

/* Kinds of rows, the worst first. */
enum gravity {
	GRAVITY_WORSE,
	GRAVITY_WARNING,
	GRAVITY_DIFFERS,
	GRAVITY_UNSURE,
	GRAVITY_BETTER,
	GRAVITY_SAME,
	GRAVITY_NONE,  /* not compared, because one side has no values */
	GRAVITY_OTHER, /* does not decide, whatever its verdict */
	GRAVITIES,
};

/* Returns the kind of a row. */
enum gravity gravity_of(const struct comparison *row);

struct gate {
	size_t rows[GRAVITIES];
	size_t compared; /* rows of the kinds before GRAVITY_NONE */
	size_t vanished; /* 0 if that is allowed */
	bool any;        /* compare_any */
};

/* Counts the rows of a comparison. */
void gate_count(const struct compare *c, bool allow_missing, struct gate *out);
/* Returns STATUS_NO if a row is worse; otherwise STATUS_TROUBLE if nothing was compared or
 * a subject vanished; otherwise STATUS_FINE. */
int gate_status(const struct gate *g);
/* Appends the summary, such as "PASS: 12 compared: 0 worse, 0 warnings, ...". */
void gate_put(struct buf *b, const struct gate *g);
/* Returns all rows, allocated, sorted by gravity, among those that do not decide by their
 * verdict, and then by the size of the change, the largest first. */
const struct comparison **gate_order(const struct compare *c);
/*
 * Prints a line for each row that is worse, has a warning or differs, and then the line of
 * gate_put(). Returns 0, or -1 if writing fails (errno).
 */
int gate_print(const struct compare *c, const struct gate *g, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * May it pass? Counts, the exit status that follows from them, and a few lines for the log
 * of a machine that builds.
 */
#ifndef COMPARE_GATE_H
#define COMPARE_GATE_H

#include <stdio.h>

#include "compare/compare.h"

/* Kinds of rows, the gravest first. */
enum gravity {
	GRAVITY_WORSE,
	GRAVITY_WARNING,
	GRAVITY_DIFFERS,
	GRAVITY_UNSURE,
	GRAVITY_BETTER,
	GRAVITY_SAME,
	GRAVITY_NONE, /* one side has no values: nothing was compared */
	GRAVITIES,
};

enum gravity gravity_of(const struct comparison *row);

struct gate {
	size_t rows[GRAVITIES];
	size_t compared; /* all but GRAVITY_NONE */
	size_t vanished; /* where that is not allowed */
	bool any;        /* compare_any */
};

void gate_count(const struct compare *c, bool allow_missing, struct gate *out);
/* STATUS_NO when something is worse; STATUS_TROUBLE when nothing was compared or a subject
 * vanished. */
int gate_status(const struct gate *g);
/* "PASS: 12 compared: 0 worse, 0 warnings, ..." */
void gate_put(struct buf *b, const struct gate *g);
/* Rows by gravity, and the greatest change first; allocated, as many as there are
 * comparisons. */
const struct comparison **gate_order(const struct compare *c);
/*
 * What is worse, warned of or differs, a line each, and last the line of gate_put. 0, or -1
 * when writing failed (errno).
 */
int gate_print(const struct compare *c, const struct gate *g, FILE *out);

#endif

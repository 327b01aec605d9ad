/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision of gate.h as text: a summary in one line, and a line for each finding.
 */
#ifndef COMPARE_GATE_LINES_H
#define COMPARE_GATE_LINES_H

#include <stdio.h>

#include "compare/gate.h"

/* Appends the summary, such as "PASS: 12 compared: 0 worse, 0 warnings, ...". */
void gate_put(struct buf *b, const struct gate *g);
/*
 * Appends lines for the findings, without GATE_NOTHING, GATE_DISJOINT and those that a
 * table of all rows shows. Each line begins with its kind, such as "failing: ". After 20
 * findings of one kind a line says how many more there are; findings that need the same
 * remedy share a line. The lines of the budgets follow.
 */
void gate_put_findings(struct buf *b, const struct compare *c, const struct gate *g);
/* Appends the line of one finding that has a row or a subject, without a newline. */
void gate_put_finding(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding);
/* Appends a line that explains why nothing was compared: for GATE_NOTHING it names the
 * sides without a value, for GATE_DISJOINT the subjects of each side, which then have no
 * lines of their own, and what can be done. */
void gate_put_nothing(struct buf *b, const struct compare *c, const struct gate *g);
/* Returns all rows, allocated, sorted by gravity, among those that do not decide by their
 * verdict, and then by the size of the change, the largest first. */
const struct comparison **gate_order(const struct compare *c);
/*
 * Prints a line for each row that is worse, has a warning, differs or is unsure, then the
 * other findings, and then the line of gate_put(). Returns 0, or -1 if writing fails
 * (errno).
 */
int gate_print(const struct compare *c, const struct gate *g, FILE *out);

#endif

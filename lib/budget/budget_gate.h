/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Budgets of the new sides of a comparison: bench-compare --budget.
 */
#ifndef BUDGET_BUDGET_GATE_H
#define BUDGET_BUDGET_GATE_H

#include "budget/budget_check.h"
#include "compare/gate.h"

struct budget_gate;
/* Reads the budgets. Takes the groups, the column of sides and the confidence from the
 * options. Borrows the name of the file and the schema. Returns NULL and the message. */
struct budget_gate *budget_gate_open(const char *file, const struct schema *schema,
    const struct compare_opts *opts, struct fault *f);
/* Takes a row of any metric of a new side or, with a column of sides, of any side. */
void budget_gate_row(struct budget_gate *g, const struct row *row);
/* Judges the sides that are not the reference of the comparison, after compare_finish().
 * Returns 0, or -1 and the message. */
int budget_gate_finish(struct budget_gate *g, const struct compare *c,
    const struct metrics *metrics, struct fault *f);
/* Fills in the result, which gate_close() frees. */
void budget_gate_result(
    const struct budget_gate *g, enum gate_unsure unsure, struct gate_budgets *out);
const struct budget_check *budget_gate_check(const struct budget_gate *g);
void budget_gate_close(struct budget_gate *g);

#endif

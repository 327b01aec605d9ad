/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results of a check of budgets, as a table, as lines of text and as JUnit test cases.
 */
#ifndef BUDGET_BUDGET_PRINT_H
#define BUDGET_BUDGET_PRINT_H

#include "budget/budget_check.h"
#include "io/render.h"
#include "text/junit.h"

/* Prints one row for each result. Returns 0, or -1 and errno if writing failed. */
int budget_print_table(const struct budget_check *c, const struct output *out);
/* Appends a line for each gap, for each run that prevents a decision, for each broken
 * result and for each undecided result, or, if quiet, only for those that are hopeless. The
 * file and line of the budget come first. */
void budget_put_lines(struct buf *b, const struct budget_check *c, bool strict, bool quiet);
/* Appends a test case for each result and each gap, and one for runs that prevent a
 * decision. A broken budget is a failure, one that is undecided is skipped, or an error if
 * it is hopeless, and gaps and runs are errors. */
void budget_put_cases(struct junit *j, const struct budget_check *c, bool strict);

#endif

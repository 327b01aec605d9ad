/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the budgets of a comparison; see budget_gate.h. */
#include <stdlib.h>

#include "budget/budget_gate.h"
#include "budget/budget_print.h"

struct budget_gate {
	struct budgets *budgets;
	struct budget_check *check;
};

struct budget_gate *budget_gate_open(const char *file, const struct schema *schema,
    const struct compare_opts *opts, struct fault *f)
{
	const struct group_by by = { .names = opts->names,
		.count = opts->count,
		.also = &opts->by,
		.alsos = opts->by != NULL };
	struct budgets *budgets = budgets_read(file, f);
	struct budget_gate *g;

	if (!budgets)
		return NULL;
	g = mem_zero(1, sizeof(*g));
	g->budgets = budgets;
	g->check = budget_check_open(budgets, schema, &by, opts->inference.confidence);
	return g;
}

void budget_gate_row(struct budget_gate *g, const struct row *row)
{
	budget_check_row(g->check, row);
}

int budget_gate_finish(struct budget_gate *g, const struct compare *c,
    const struct metrics *metrics, struct fault *f)
{
	long by = compare_by(c);

	if (by >= 0)
		budget_check_ignore(
		    g->check, (size_t)by, compare_side_name(c, compare_reference(c)));
	return budget_check_finish(g->check, metrics, f);
}

void budget_gate_result(
    const struct budget_gate *g, enum gate_unsure unsure, struct gate_budgets *out)
{
	out->broken = budget_check_count(g->check, BUDGET_BROKEN);
	out->undecided = budget_check_count(g->check, BUDGET_UNDECIDED);
	budget_check_gaps(g->check, &out->unmatched);
	out->status = budget_check_status(g->check, unsure == UNSURE_FAIL);
	budget_put_lines(&out->lines, g->check, false, false);
}

const struct budget_check *budget_gate_check(const struct budget_gate *g)
{
	return g->check;
}

void budget_gate_close(struct budget_gate *g)
{
	if (!g)
		return;
	budget_check_close(g->check);
	budgets_free(g->budgets);
	free(g);
}

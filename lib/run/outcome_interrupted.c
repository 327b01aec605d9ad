/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far an interrupted run came; see outcome.h.
 */
#include <stdlib.h>

#include "run/outcome.h"
#include "text/plural.h"

/* With more subjects whose numbers of samples differ, only their sum is reported. */
enum { NAMED_MOST = 4 };

void outcome_note_runs(
    struct outcome *o, const struct plan *plan, size_t subject, struct outcome_runs runs)
{
	if (!o->runs)
		o->runs = mem_zero(plan->subjects->count, sizeof(*o->runs));
	o->runs[subject] = runs;
}

static void put_taken(struct buf *b, struct outcome_runs runs)
{
	buf_printf(b, "%llu", (unsigned long long)runs.taken);
	if (runs.wanted)
		buf_printf(b, " of %llu", (unsigned long long)runs.wanted);
}

static void put_unit(struct buf *b, const struct plan *plan, struct outcome_runs runs)
{
	bool commands = true;

	for (size_t i = 0; i < plan->subjects->count; i++)
		commands =
		    commands && plan->subjects->subject[i].from->kind == KIND_COMMAND;
	buf_printf(b, " %s%s",
	    plan->load ? "period"
	    : commands ? "run"
	               : "sample",
	    plural_s(runs.wanted ? runs.wanted : runs.taken));
}

/* Appends the samples of each subject by its name. */
static void put_named(
    struct buf *b, const struct outcome *outcome, const struct plan *plan, size_t count)
{
	size_t put = 0;

	for (size_t i = 0; i < plan->subjects->count; i++) {
		char *label;

		if (!outcome->runs[i].measured)
			continue;
		buf_str(b, put == 0 ? "" : put + 1 < count ? ", " : " and ");
		put_taken(b, outcome->runs[i]);
		if (put++ == 0)
			put_unit(b, plan, outcome->runs[i]);
		label = subject_label(&plan->subjects->subject[i]);
		buf_printf(b, " of '%s'", label);
		free(label);
	}
}

void outcome_put_interrupted(
    const struct outcome *outcome, const struct plan *plan, struct buf *lines)
{
	struct outcome_runs first = { 0 }, sum = { 0 };
	bool equal = true;
	size_t count = 0;

	for (size_t i = 0; outcome->runs && i < plan->subjects->count; i++) {
		struct outcome_runs runs = outcome->runs[i];

		if (!runs.measured)
			continue;
		first = count++ ? first : runs;
		equal = equal && runs.taken == first.taken && runs.wanted == first.wanted;
		sum.taken += runs.taken;
		sum.wanted = runs.wanted ? sum.wanted + runs.wanted : 0;
	}
	if (!count)
		return;
	buf_str(lines, "interrupted after ");
	if (!equal && count <= NAMED_MOST) {
		put_named(lines, outcome, plan, count);
	} else {
		put_taken(lines, equal ? first : sum);
		put_unit(lines, plan, equal ? first : sum);
		if (count > 1)
			buf_printf(
			    lines, " of %s%zu subjects", equal ? "each of " : "", count);
	}
	buf_byte(lines, '\n');
}

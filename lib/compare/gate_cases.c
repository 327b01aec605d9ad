/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test cases of a comparison; see gate_cases.h.
 */
#include <string.h>

#include "compare/compare_notes.h"
#include "compare/gate_cases.h"
#include "compare/gate_lines.h"
#include "text/display_text.h"

static enum junit_outcome outcome_of(const struct gate *g, enum gate_reason reason)
{
	if (gate_allows(g, reason))
		return JUNIT_SKIPPED;
	return gate_reason_status(reason) == STATUS_NO ? JUNIT_FAILURE : JUNIT_ERROR;
}

/* Returns the finding of a row, or NULL. A row has at most one. */
static const struct gate_finding *finding_of(
    const struct gate *g, const struct comparison *row)
{
	for (size_t i = 0; i < g->findings; i++)
		if (g->finding[i].row == row)
			return &g->finding[i];
	return NULL;
}

static void put_row_case(struct junit *j, const struct compare *c, const struct gate *g,
    const struct comparison *row)
{
	const struct gate_finding *finding = finding_of(g, row);
	enum junit_outcome outcome = JUNIT_PASSED;
	struct buf label = { 0 }, message = { 0 };

	compare_put_label(&label, c, row);
	if (finding) {
		outcome = outcome_of(g, finding->reason);
		gate_put_finding(&message, c, g, finding);
	} else if (row->result.basis == BASIS_NONE) {
		outcome = JUNIT_SKIPPED;
		buf_str(&message, "not compared, because one side has no values");
	}
	junit_case(j, text_in(&label),
	    groups_cell(compare_groups(c), row->group, COL_METRIC), outcome,
	    text_in(&message));
	buf_free(&label);
	buf_free(&message);
}

/* Returns the label of a subject, which begins with "bench=", as rows have it. */
static struct text without_bench(const struct buf *label)
{
	static const char prefix[] = "bench=";
	size_t len = sizeof(prefix) - 1;

	if (label->len <= len || strncmp(label->ptr, prefix, len) != 0)
		return text_in(label);
	return text_after(text_in(label), len);
}

/* Appends the case of a finding that belongs to a subject, or to no row at all. */
static void put_subject_case(struct junit *j, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	struct buf label = { 0 }, name = { 0 }, message = { 0 };
	size_t side = finding->failing    ? finding->failing->side
	              : finding->vanished ? finding->vanished->side
	                                  : compare_reference(c);

	if (finding->failing || finding->vanished) {
		compare_put_subject(&label, c,
		    finding->failing ? finding->failing->group : finding->vanished->group,
		    (long)side);
		buf_str(&name, finding->failing ? "failed samples in " : "samples in ");
		display_text_clean(&name, compare_side_name(c, side));
		gate_put_finding(&message, c, g, finding);
	} else {
		buf_str(&label, "bench-compare");
		buf_str(&name, finding->run    ? "runs"
		               : finding->rule ? "thresholds"
		                               : "comparison");
		if (finding->reason == GATE_NOTHING || finding->reason == GATE_DISJOINT) {
			gate_put_nothing(&message, c, g);
			message.len--;
		} else {
			gate_put_finding(&message, c, g, finding);
		}
	}
	junit_case(j, without_bench(&label), text_in(&name),
	    outcome_of(g, finding->reason), text_in(&message));
	buf_free(&label);
	buf_free(&name);
	buf_free(&message);
}

void gate_put_cases(struct junit *j, const struct compare *c, const struct gate *g)
{
	size_t count;
	const struct comparison *list = compare_list(c, &count);

	for (size_t i = 0; i < count; i++)
		if (list[i].decides)
			put_row_case(j, c, g, &list[i]);
	for (size_t i = 0; i < g->findings; i++)
		if (!g->finding[i].row)
			put_subject_case(j, c, g, &g->finding[i]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decision of --since-change; see since_change.h. */
#include "history/absent_values.h"
#include "history/history_notes.h"
#include "history/impossible_points.h"
#include "history/since_change.h"
#include "history/wrong_clock.h"
#include "text/display_text.h"
#include "text/plural.h"

/* Returns whether a series leaves the decision open. Success rates fail only if worse. */
static bool is_unsure(const struct history *h, const struct since_change *row)
{
	return row->series->decides && row->series->better != BETTER_NEITHER &&
	       row->result.verdict == VERDICT_UNSURE &&
	       !text_is(
	           groups_cell(history_groups(h), row->series->group, COL_METRIC), "ok");
}

/* Notes the series that are unsure. Returns their number. */
static size_t note_unsure(const struct history *h, const struct since_change *list,
    size_t count, enum gate_unsure unsure, struct buf *lines)
{
	const struct since_change *first = NULL;
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		if (is_unsure(h, &list[i]) && found++ == 0)
			first = &list[i];
	if (!found || unsure == UNSURE_PASS)
		return found;
	buf_printf(lines, "%zu of %zu series %s unsure (", found, count,
	    plural(found, "is", "are"));
	history_put_series(lines, h, first->series);
	buf_str(lines, unsure == UNSURE_FAIL
	                   ? "): measure the newest commit again to decide\n"
			   : "): the newest value is neither worse nor shown to be the "
			     "same; use --unsure fail to fail\n");
	return found;
}

int since_change_status(const struct history *h, const struct since_change *list,
    size_t count, int64_t now_ns, const struct gate_opts *gate, struct buf *lines)
{
	const struct history_point *newest = since_change_newest(h);
	const bool allowed = gate->allow_missing;
	const bool earlier = !allowed && wrong_clock_note_earlier(h, gate, lines);
	const size_t unsure = note_unsure(h, list, count, gate->unsure, lines);
	bool any = false, any_old = false;
	size_t failed = history_note_failed(h, allowed, lines);
	size_t absent = allowed ? 0 : absent_values_note(h, list, count, lines);
	size_t impossible = impossible_note_rows(h, list, count, lines);
	struct text stale;

	for (size_t i = 0; i < count; i++) {
		if (!list[i].series->decides)
			continue;
		if (list[i].result.verdict == VERDICT_WORSE &&
		    !impossible_in_row(h, &list[i]))
			return STATUS_NO;
		any_old |= list[i].result.n_old > 1;
		any |=
		    list[i].result.n_old > 1 &&
		    (allowed || !history_precedes(history_last(h, list[i].series), newest));
	}
	if (!allowed && history_order_is_stale(h, &stale)) {
		buf_str(lines, "cannot decide: the newest commit, '");
		display_text_clean(lines, stale);
		buf_str(lines, "', is not in the order file (use --allow-missing to accept "
		               "this)\n");
		return STATUS_TROUBLE;
	}
	if (!allowed && (wrong_clock_note_reset(h, lines) ||
	                    wrong_clock_note_future(newest, now_ns, lines)))
		return STATUS_TROUBLE;
	if (earlier && gate->unsure == UNSURE_FAIL)
		return STATUS_TROUBLE;
	if (impossible)
		return STATUS_TROUBLE;
	if (unsure && gate->unsure == UNSURE_FAIL)
		return STATUS_NO;
	if (any)
		return (failed || absent) && !allowed ? STATUS_TROUBLE : STATUS_FINE;
	buf_str(lines, "nothing could be compared: ");
	if (any_old) {
		buf_str(lines, "no series has both the newest commit, '");
		display_text_clean(lines, newest->commit);
		buf_str(lines,
		    "', and two older values (use --allow-missing to accept this)\n");
	} else {
		buf_str(lines, "at least two values of successful runs before the newest "
		               "are needed\n");
	}
	return STATUS_TROUBLE;
}

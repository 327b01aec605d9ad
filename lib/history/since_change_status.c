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

/* The verdicts of all series together. */
struct since_series {
	bool worse; /* one is worse, by values that are possible */
	bool any;   /* one was compared */
	bool old;   /* one has two values before its newest */
};

static struct since_series look_at_series(const struct history *h,
    const struct since_change *list, size_t count, bool allow_missing)
{
	const struct history_point *newest = since_change_newest(h);
	struct since_series s = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct since_change *row = &list[i];

		if (!row->series->decides)
			continue;
		s.worse |=
		    row->result.verdict == VERDICT_WORSE && !impossible_in_row(h, row);
		if (row->result.n_old > 1) {
			s.old = true;
			s.any |= allow_missing ||
			         !history_precedes(history_last(h, row->series), newest);
		}
	}
	return s;
}

/* Notes that the order file lacks the newest commit. Returns whether it does. */
static bool note_stale_order(const struct history *h, struct buf *lines)
{
	struct text stale;

	if (!history_order_is_stale(h, &stale))
		return false;
	buf_str(lines, "cannot decide: the newest commit, '");
	display_text_clean(lines, stale);
	buf_str(lines, "', is not in the order file (use --allow-missing to accept "
	               "this)\n");
	return true;
}

/* Notes why no series was compared. */
static void note_nothing(const struct history *h, bool old, struct buf *lines)
{
	buf_str(lines, "nothing could be compared: ");
	if (!old) {
		buf_str(lines, "at least two values of successful runs before the newest "
		               "are needed\n");
		return;
	}
	buf_str(lines, "no series has both the newest commit, '");
	display_text_clean(lines, history_text(h, since_change_newest(h)->commit));
	buf_str(lines, "', and two older values (use --allow-missing to accept this)\n");
}

int since_change_status(const struct history *h, const struct since_change *list,
    size_t count, int64_t now_ns, const struct gate_opts *gate, struct buf *lines)
{
	const bool allowed = gate->allow_missing, fail_unsure = gate->unsure == UNSURE_FAIL;
	const bool earlier = !allowed && wrong_clock_note_earlier(h, gate, lines);
	const size_t unsure = note_unsure(h, list, count, gate->unsure, lines);
	const size_t failed = history_note_failed(h, allowed, lines);
	const size_t absent = allowed ? 0 : absent_values_note(h, list, count, lines);
	const size_t impossible = impossible_note_rows(h, list, count, lines);
	const struct since_series series = look_at_series(h, list, count, allowed);

	if (series.worse)
		return STATUS_NO;
	if (!allowed && (note_stale_order(h, lines) || wrong_clock_note_reset(h, lines) ||
	                    wrong_clock_note_future(h, now_ns, lines)))
		return STATUS_TROUBLE;
	if ((earlier && fail_unsure) || impossible)
		return STATUS_TROUBLE;
	if (unsure && fail_unsure)
		return STATUS_NO;
	if (series.any)
		return (failed || absent) && !allowed ? STATUS_TROUBLE : STATUS_FINE;
	note_nothing(h, series.old, lines);
	return STATUS_TROUBLE;
}

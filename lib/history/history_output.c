/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a history, and chooses the exit status; see history_output.h. */
#include <stdlib.h>

#include "base/clock.h"
#include "history/history_notes.h"
#include "history/history_output.h"
#include "history/history_table.h"
#include "history/impossible_points.h"
#include "history/since_change.h"

static int print_changes(const struct history_output *o, const struct history *h,
    const struct output *out, struct buf *notes, int *status)
{
	bool empty = render_is_table(out) && !history_has_rows(h, out->all_rows);
	size_t failed, impossible;

	if (!empty && history_print(h, out) < 0)
		return -1;
	if (!o->quiet) {
		if (empty)
			history_note_none(h, out->all_rows, notes);
		history_note_machines(h, notes);
		history_note_others(h, notes);
	}
	failed = history_note_failed(h, o->gate.allow_missing, notes);
	impossible = impossible_note_range(h, notes);
	*status = history_status(
	    h, o->least, impossible || (failed && !o->gate.allow_missing), notes);
	return 0;
}

static int print_since_change(const struct history_output *o, const struct history *h,
    const struct output *out, struct buf *notes, int *status)
{
	size_t count;
	struct since_change *list = since_change_all(h, o->inference, o->adjust, &count);
	int printed = since_change_print(h, list, count, out);

	if (printed == 0) {
		if (!o->quiet) {
			since_change_note_ended(h, list, count, notes);
			since_change_note_others(h, list, count, notes);
		}
		since_change_note_drifts(h, list, count, o->quiet, notes);
		*status = since_change_status(
		    h, list, count, clock_realtime_ns(), &o->gate, notes);
	}
	free(list);
	return printed;
}

int history_output_print(const struct history_output *o, const struct history *h,
    const struct output *out, struct buf *notes, int *status)
{
	return (o->since_change ? print_since_change : print_changes)(
	    o, h, out, notes, status);
}

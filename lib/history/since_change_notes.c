/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes on the rows of --since-change; see since_change.h. */
#include "history/history_notes.h"
#include "history/since_change.h"
#include "text/display_text.h"
#include "text/plural.h"

void since_change_note_ended(const struct history *h, const struct since_change *list,
    size_t count, struct buf *lines)
{
	const struct history_point *newest = since_change_newest(h);
	const struct history_series *first = NULL;
	size_t ended = 0;

	for (size_t i = 0; i < count; i++)
		if (history_precedes(history_last(h, list[i].series), newest) &&
		    ended++ == 0)
			first = list[i].series;
	if (!first)
		return;
	buf_printf(lines, "%zu of %zu series %s before the newest commit, '", ended, count,
	    plural(ended, "ends", "end"));
	display_text_clean(lines, history_text(h, newest->commit));
	buf_str(lines, "' (");
	history_put_series(lines, h, first);
	buf_str(lines, "); use --since to leave them out\n");
}

void since_change_note_drifts(const struct history *h, const struct since_change *list,
    size_t count, bool only_worse, struct buf *lines)
{
	const struct history_series *first = NULL;
	size_t drifting = 0;

	for (size_t i = 0; i < count; i++) {
		const struct history_series *s = list[i].series;

		if (!s->decides || !s->drifts ||
		    (only_worse && !history_worse(s, &s->whole)))
			continue;
		if (drifting++ == 0)
			first = s;
	}
	if (!first)
		return;
	buf_printf(lines, "%zu of %zu series %s (", drifting, count,
	    plural(drifting, "drifts", "drift"));
	history_put_series(lines, h, first);
	buf_str(lines,
	    "): the newest value is compared with what the drift predicts; --history "
	    "reports the drift\n");
}

void since_change_note_others(const struct history *h, const struct since_change *list,
    size_t count, struct buf *lines)
{
	static const enum verdict noted[] = { VERDICT_WORSE, VERDICT_DIFFERS,
		VERDICT_BETTER };
	struct other_changes o = { .lines = lines };

	for (size_t v = 0; v < COUNT(noted); v++)
		for (size_t i = 0; i < count; i++)
			if (!list[i].series->decides &&
			    list[i].result.verdict == noted[v] &&
			    other_changes_next(&o, verdict_names[noted[v]]))
				history_put_other(&o, h, list[i].series);
	other_changes_end(&o);
}

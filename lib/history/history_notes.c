/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the notes on a history; see history_notes.h.
 */
#include <stdlib.h>
#include <string.h>

#include "history/history_notes.h"
#include "history/impossible_points.h"
#include "history/history_table.h"
#include "text/display_text.h"
#include "text/plural.h"

enum { FAILED_SHOWN = 20 };

struct text history_point_name(const struct history *h, const struct history_point *p)
{
	return history_text(h, p->commit ? p->commit : p->time);
}

void history_put_series(
    struct buf *b, const struct history *h, const struct history_series *s)
{
	const struct groups *groups = history_groups(h);
	size_t *id, count = history_columns(h, &id), start = b->len;

	for (size_t i = 0; i < count; i++) {
		struct text t = groups_cell(groups, s->group, id[i]);

		if (!t.len || id[i] == COL_UNIT)
			continue;
		buf_printf(b, "%s%s=", b->len > start ? " " : "",
		    groups_schema(groups)->name[id[i]]);
		display_text_clean(b, t);
	}
	free(id);
}

/* Appends the columns of the subject of a series that differ between series. */
static void put_subject(
    struct buf *b, const struct history *h, const struct history_series *s)
{
	const struct groups *groups = history_groups(h);
	size_t *id, count = history_columns(h, &id);

	for (size_t i = 0; i < count; i++) {
		struct text t = groups_cell(groups, s->group, id[i]);

		if (!t.len || id[i] == COL_UNIT || id[i] == COL_METRIC ||
		    groups_constant(groups, id[i]))
			continue;
		buf_str(b, b->len ? " " : "");
		if (id[i] != COL_BENCH)
			buf_printf(b, "%s=", groups_schema(groups)->name[id[i]]);
		display_text_clean(b, t);
	}
	free(id);
}

void history_put_other(
    struct other_changes *o, const struct history *h, const struct history_series *s)
{
	struct buf subject = { 0 };

	put_subject(&subject, h, s);
	other_changes_subject(o, &subject);
	display_text_clean(o->lines, groups_cell(history_groups(h), s->group, COL_METRIC));
}

void history_note_input(const struct history *h, size_t least, struct buf *lines)
{
	struct text example;
	size_t unknown = history_unknown(h, &example), count, shorter = 0, first = 0,
	       deciding = 0;
	const struct history_series *list = history_list(h, &count);

	if (history_ends(h))
		run_ends_put_cut(history_ends(h), "left out: ", false, lines);
	if (unknown) {
		buf_printf(lines, "%zu value%s left out, because the commit '", unknown,
		    plural_s(unknown));
		display_text_clean(lines, example);
		buf_str(lines, "' is not in the order file\n");
	}
	if (history_untimed(h))
		buf_printf(lines,
		    "%zu series ha%s values without a time, so the order of the input "
		    "is used\n",
		    history_untimed(h), plural(history_untimed(h), "s", "ve"));
	if (history_in_turns(h))
		buf_printf(lines,
		    "the commits of %zu series were measured in turns, so the times of "
		    "their first runs may not order them (use --order)\n",
		    history_in_turns(h));
	for (size_t i = least ? count : 0; i-- > 0;) {
		deciding += list[i].decides;
		if (list[i].decides && !list[i].tested) {
			shorter++;
			first = i;
		}
	}
	if (!shorter)
		return;
	buf_printf(lines,
	    "%zu of %zu series %s too short for a change: fewer than %zu values (", shorter,
	    deciding, plural(shorter, "is", "are"), 2 * least);
	history_put_series(lines, h, &list[first]);
	buf_str(lines, ")\n");
}

/* Returns whether a series that does not decide has a change in the requested range. */
static bool is_other(const struct history *h, const struct history_series *s)
{
	const struct history_point *points = history_points(h) + s->first;
	bool any = s->drifts && history_in_range(h, &points[s->whole.at]);

	for (size_t k = 0; k < s->changes; k++)
		any |= history_in_range(h, &points[s->change[k].at]);
	return any && !s->decides;
}

void history_note_others(const struct history *h, struct buf *lines)
{
	size_t count;
	const struct history_series *list = history_list(h, &count);
	struct other_changes o = { .lines = lines };

	for (size_t i = 0; i < count; i++)
		if (is_other(h, &list[i]) && other_changes_next(&o, "changed"))
			history_put_other(&o, h, &list[i]);
	other_changes_end(&o);
}

void history_note_none(const struct history *h, bool all, struct buf *lines)
{
	size_t count, series = 0, commits = 0;
	const struct history_series *list = history_list(h, &count);
	struct intern places = { 0 };

	for (size_t i = 0; i < count; i++) {
		const struct history_point *points = history_points(h) + list[i].first;

		if (!list[i].tested || !(all || list[i].decides))
			continue;
		series++;
		for (size_t k = 0; k < list[i].count; k++) {
			intern_add(&places, history_text(h, points[k].place));
			commits += points[k].commit > 0;
		}
	}
	if (series)
		buf_printf(lines, "no change in %zu series of %zu %s\n", series,
		    places.count, commits ? "commits" : "runs");
	intern_free(&places);
}

static bool any_worse(const struct history *h, const struct history_series *s)
{
	if (s->drifts && history_worse(s, &s->whole) &&
	    history_in_range(h, history_points(h) + s->first + s->whole.at))
		return true;
	for (size_t k = 0; k < s->changes; k++)
		if (history_worse(s, &s->change[k]) &&
		    history_in_range(h, history_points(h) + s->first + s->change[k].at))
			return true;
	return false;
}

size_t history_note_failed(const struct history *h, bool allowed, struct buf *lines)
{
	size_t all, failed = 0;
	const struct history_series *s = history_list(h, &all);

	for (size_t i = 0; i < all; i++) {
		if (!s[i].decides || !s[i].failed || !history_in_range(h, s[i].failed))
			continue;
		if (failed++ >= FAILED_SHOWN)
			continue;
		history_put_series(lines, h, &s[i]);
		buf_printf(lines, ": no %s run of the newest commit, '",
		    s[i].failed->cut ? "complete" : "successful");
		display_text_clean(lines, history_point_name(h, s[i].failed));
		buf_printf(
		    lines, "'%s\n", allowed ? "" : " (use --allow-missing to accept this)");
	}
	if (failed > FAILED_SHOWN)
		buf_printf(lines,
		    "%zu more series %s no successful run of the newest commit\n",
		    failed - FAILED_SHOWN, plural(failed - FAILED_SHOWN, "has", "have"));
	return failed;
}

int history_status(const struct history *h, size_t least, bool missing, struct buf *lines)
{
	size_t count;
	const struct history_series *list = history_list(h, &count);
	bool tested = false;

	for (size_t i = 0; i < count; i++) {
		if (list[i].decides && any_worse(h, &list[i]) &&
		    !impossible_in_range(h, &list[i]))
			return STATUS_NO;
		tested |= list[i].decides && list[i].tested;
	}
	if (tested)
		return missing ? STATUS_TROUBLE : STATUS_FINE;
	buf_printf(lines,
	    "no series is long enough to have a change: at least %zu values of successful "
	    "runs are needed\n",
	    2 * least);
	return STATUS_TROUBLE;
}

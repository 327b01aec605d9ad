/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes on a history: lines for standard error, safe for a terminal.
 */
#ifndef HISTORY_HISTORY_NOTES_H
#define HISTORY_HISTORY_NOTES_H

#include "compare/other_changes.h"
#include "history/history.h"

/* Appends the name of a series, such as "bench=sort n=1000 host=a metric=wall". */
void history_put_series(
    struct buf *b, const struct history *h, const struct history_series *s);
/* Returns the name of a point: its commit, otherwise its time. */
struct text history_point_name(const struct history *h, const struct history_point *p);
/* Appends a series that does not decide, such as "sort n=1000: user": its metric, after the
 * columns that differ between series unless they are those of the previous series. */
void history_put_other(
    struct other_changes *o, const struct history *h, const struct history_series *s);
/* Notes the runs and values that were left out and, unless least is 0, the number of series
 * that are too short for a change. For before the table. */
void history_note_input(const struct history *h, size_t least, struct buf *lines);
/* Notes in one line the series that do not decide and have a change in the requested range.
 */
void history_note_others(const struct history *h, struct buf *lines);
/* Returns whether env differs between a point and the previous one of its series, which
 * must exist. */
bool history_env_changed(const struct history_point *at);
/* A place at which many series of a host changed. */
struct history_common {
	const struct history_point *at; /* of one of the series */
	bool env_changed;
	size_t changed, series; /* numbers of series of the host: changed there, and all */
};
/* Returns the places in the requested range at which at least 5 series of a host changed,
 * and at least half of those that decide and are long enough. The array is allocated. */
struct history_common *history_common_changes(const struct history *h, size_t *count);
/*
 * Notes changes in the requested range that probably come from the machine. Changes of many
 * series of a host at one place have one note: at least 5, and at least half of the series
 * that decide and are long enough. Each other change at which env also changed has a note.
 */
void history_note_machines(const struct history *h, struct buf *lines);
/* Notes that no series has a change, with the numbers of series that were searched, of all
 * metrics or of those that decide, and of their commits. */
void history_note_none(const struct history *h, bool all, struct buf *lines);
/*
 * Notes the series that decide and have only runs that failed or are cut after their last
 * point, in the requested range. allowed: they are accepted. Returns their number.
 */
size_t history_note_failed(const struct history *h, bool allowed, struct buf *lines);
/*
 * Returns the exit status for the changes in the requested range. missing: the newest
 * commit of a series has no value, or a series has an impossible one. Notes that no series
 * is long enough for a change, which needs twice `least` values.
 */
int history_status(const struct history *h, size_t least, bool missing, struct buf *lines);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is to be told of a history beside its rows: lines for people, fit for a terminal.
 */
#ifndef HISTORY_HISTORY_NOTES_H
#define HISTORY_HISTORY_NOTES_H

#include "history/history.h"

/* Append a series as "bench=sort n=1000 host=a metric=wall". */
void history_put_series(
    struct buf *b, const struct history *h, const struct history_series *s);
/* Before the rows: what was left out, and how many series are too short for a change,
 * unless least is 0. A line each. */
void history_note_input(const struct history *h, size_t least, struct buf *lines);
/* After them: changes in the range asked for at which env changed, too. */
void history_note_machines(const struct history *h, struct buf *lines);
/*
 * The exit status that the changes in the range asked for have, and a line where no series
 * is of twice `least` values, which a change takes.
 */
int history_status(const struct history *h, size_t least, struct buf *lines);

#endif

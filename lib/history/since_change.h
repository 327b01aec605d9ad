/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-compare --since-change: the newest value of each series beside all those since it
 * changed last, whatever runs they came from; in a series that drifts, beside what its line
 * predicts.
 */
#ifndef HISTORY_SINCE_CHANGE_H
#define HISTORY_SINCE_CHANGE_H

#include <stdio.h>

#include "compare/two_sample.h"
#include "history/history.h"
#include "io/render.h"

struct since_change {
	const struct history_series *series;
	size_t from; /* the first of the old points; the newest is the series' last */
	struct two_sample result;
};

/*
 * The newest point of each series of two or more whose newest lies in the range asked for,
 * after history_find that left it out. p are corrected together. Returns an array to free.
 */
struct since_change *since_change_all(const struct history *h,
    const struct inference_opts *inference, enum adjust adjust, size_t *count);
/*
 * The series that have only failed runs behind their last point, in the range asked for:
 * their newest is not what was compared. A line each; returns how many.
 */
size_t since_change_note_failed(const struct history *h, bool allowed, struct buf *lines);
/*
 * That series end before the newest commit or time of all of them, where some do: what was
 * compared of them is older.
 */
void since_change_note_ended(const struct history *h, const struct since_change *list,
    size_t count, struct buf *lines);
/*
 * Appends a line where series drift, or with only_worse, drift for the worse: their newest
 * is compared with something else.
 */
void since_change_note_drifts(const struct history *h, const struct since_change *list,
    size_t count, bool only_worse, struct buf *lines);
/*
 * The exit status, failed being how many series have a newest that is not compared and may
 * not be; and a line where there was nothing to compare.
 */
int since_change_status(
    const struct since_change *list, size_t count, size_t failed, struct buf *lines);
/* 0, or -1 when writing failed (errno). */
int since_change_print(const struct history *h, const struct since_change *list,
    size_t count, FILE *out, enum render_format format);

#endif

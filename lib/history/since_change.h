/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-compare --since-change: compares the newest value of each series with all values
 * since its last change, or, in a series that drifts, with the prediction of its line.
 */
#ifndef HISTORY_SINCE_CHANGE_H
#define HISTORY_SINCE_CHANGE_H

#include "compare/gate.h"
#include "compare/two_sample.h"
#include "history/history.h"
#include "io/render.h"

struct since_change {
	const struct history_series *series;
	size_t from; /* the first old point; the newest is the last point of the series */
	struct two_sample result;
	bool constant; /* all values, old and new, are equal */
};

/*
 * Compares the newest point of each series of at least two points whose newest point is in
 * the requested range. history_find() must have left the newest points out. The p of the
 * series that decide are corrected together, and those of the others. Returns an array to
 * free.
 */
struct since_change *since_change_all(const struct history *h,
    const struct inference_opts *inference, enum adjust adjust, size_t *count);
/* Returns the newest point in the requested range, even if its series has no other; NULL if
 * there is none. */
const struct history_point *since_change_newest(const struct history *h);
/*
 * Notes that series end before the newest commit or time of all series, if some do. The
 * point compared is older.
 */
void since_change_note_ended(const struct history *h, const struct since_change *list,
    size_t count, struct buf *lines);
/*
 * Notes that series drift, if some do; only_worse: for the worse. Their newest point is
 * compared with a prediction.
 */
void since_change_note_drifts(const struct history *h, const struct since_change *list,
    size_t count, bool only_worse, struct buf *lines);
/*
 * Returns the exit status. gate->allow_missing: series whose newest commit failed, or that
 * lack it, do not matter, nor does an order file without it, or a clock that was wrong.
 * gate->unsure: the effect of series that decide and are unsure. Notes why nothing could be
 * compared, or decided, as if a value is impossible (impossible_points.h).
 */
int since_change_status(const struct history *h, const struct since_change *list,
    size_t count, int64_t now_ns, const struct gate_opts *gate, struct buf *lines);
/* Notes in one line the series that do not decide and are worse, differ or are better. */
void since_change_note_others(const struct history *h, const struct since_change *list,
    size_t count, struct buf *lines);
/*
 * Prints the table. Unless all rows are requested, a table for people leaves out series
 * that do not decide or whose values are all equal. Returns 0, or -1 if writing fails
 * (errno).
 */
int since_change_print(const struct history *h, const struct since_change *list,
    size_t count, const struct output *out);

#endif

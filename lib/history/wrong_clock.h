/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Points measured while a clock was wrong, so that --since-change may take the wrong one
 * for the newest.
 */
#ifndef HISTORY_WRONG_CLOCK_H
#define HISTORY_WRONG_CLOCK_H

#include "compare/gate.h"
#include "history/history.h"

/* Notes that the newest point is in the future. Returns whether it is.
 */
bool wrong_clock_note_future(const struct history *h, int64_t now_ns, struct buf *lines);
/* Notes a point whose clock was reset, so that its value is treated as old. Returns whether
 * there is one in the series that decide. */
bool wrong_clock_note_reset(const struct history *h, struct buf *lines);
/*
 * Notes a point that is the last one in the input, but not by its time, as if a clock was
 * set back. Files may be in any order, so this is an error only if unsure rows are. Returns
 * whether there is one in the series that decide.
 */
bool wrong_clock_note_earlier(
    const struct history *h, const struct gate_opts *gate, struct buf *lines);

#endif

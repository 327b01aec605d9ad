/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of runs that cannot have been measured, such as a duration of 0: the program that
 * measured them is broken, and would otherwise look fast.
 */
#ifndef HISTORY_IMPOSSIBLE_POINTS_H
#define HISTORY_IMPOSSIBLE_POINTS_H

#include "history/since_change.h"

/* Returns whether a series that decides has such a value in the requested range. */
bool impossible_in_range(const struct history *h, const struct history_series *s);
/* Returns whether the values that a row compares, of a series that decides, have one. */
bool impossible_in_row(const struct history *h, const struct since_change *row);
/* Notes the series with such a value in the requested range, or of the rows. Returns their
 * number. */
size_t impossible_note_range(const struct history *h, struct buf *lines);
size_t impossible_note_rows(const struct history *h, const struct since_change *list,
    size_t count, struct buf *lines);

#endif

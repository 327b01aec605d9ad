/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds series that a comparison of the newest values must not pass over: those whose
 * subject was measured at a later commit, but without a value of the series.
 */
#ifndef HISTORY_ABSENT_VALUES_H
#define HISTORY_ABSENT_VALUES_H

#include "history/since_change.h"

/*
 * Counts the compared series that decide and lack the newest value of their subject: the
 * metric is missing there, or has another unit in which it cannot be compared yet. Series
 * whose newest runs failed are not among them. Notes each of them, up to a limit.
 */
size_t absent_values_note(const struct history *h, const struct since_change *list,
    size_t count, struct buf *lines);

#endif

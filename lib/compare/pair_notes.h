/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is said about pairs by columns (pair_keys.h): pairs that are incomplete, pairs with
 * several samples on a side, and that pairs would help.
 */
#ifndef COMPARE_PAIR_NOTES_H
#define COMPARE_PAIR_NOTES_H

#include "compare/gate.h"

/* Appends the pairs of a row that have samples on one side only, without a newline; old: on
 * the old side. */
void pair_notes_put(
    struct buf *b, const struct compare *c, const struct comparison *row, bool old);
/* Appends why no pair of any row could be compared, if all pairs are incomplete. Returns
 * false, and appends nothing, if a side has no samples. */
bool pair_notes_put_none(struct buf *b, const struct compare *c);
/* Notes the incomplete and the reduced pairs of the rows that decide, unless they are
 * findings of the gate. Without pairs by columns, suggests them if rows have too few values
 * to be decided and differ in a column with many values. */
void pair_notes(const struct compare *c, const struct gate *g, struct buf *lines);

#endif

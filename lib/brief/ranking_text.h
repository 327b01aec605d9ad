/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ranking in words, such as "zstd -1 is 2.52 times as fast as gzip -1 (95%: 2.20 to
 * 2.90)". Pure.
 */
#ifndef BRIEF_RANKING_TEXT_H
#define BRIEF_RANKING_TEXT_H

#include "brief/ranking.h"

/*
 * Appends a sentence, without a period, about the item at this place, from 1 on, and the
 * best one, or the reason why they are not compared. The names are those of the subjects,
 * by their numbers, cleaned for the output. No number is printed that the comparison does
 * not have.
 */
void ranking_put(
    struct buf *b, const struct ranking *r, size_t place, const char *const *name);
/*
 * Appends the same for a list below the name of the best subject, without that name: "2.52
 * times as fast as gzip -1 (95%: 2.20 to 2.90)".
 */
void ranking_put_short(
    struct buf *b, const struct ranking *r, size_t place, const char *const *name);
/* Appends how many values an item with RANK_FEW needs: "needs 6 runs". */
void ranking_put_needed(struct buf *b, const struct ranking_item *item);
/* Appends how many comparisons cannot be decided because there are too few values, and the
 * option of bench-run that helps; nothing if there is none. */
void ranking_put_advice(struct buf *b, const struct ranking *r);
/* Appends a number of times, with as many digits as its interval allows; without an
 * interval, lo and hi are NAN. */
void ranking_put_number(struct buf *b, double number, double lo, double hi);

#endif

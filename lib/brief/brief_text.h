/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and lines for people. Pure.
 */
#ifndef BRIEF_BRIEF_TEXT_H
#define BRIEF_BRIEF_TEXT_H

#include "base/base.h"

/* Appends a value with its unit, as units_print() prints it; without utf8 in ASCII. */
void brief_put_value(struct buf *b, double value, struct text unit, bool utf8);
/* Appends a value and half its interval in the same scale, such as "4.32 ms ± 0.05 ms". */
void brief_put_half(struct buf *b, double value, double half, struct text unit, bool utf8);

/* Appends a fraction in percent, such as "1.23%". */
void brief_put_percent(struct buf *b, double fraction);

/* Returns a copy of a clean string that takes at most this number of columns; the middle of
 * a longer one becomes an ellipsis. A width below 8 counts as 8. The caller frees the copy.
 */
char *brief_fit(const char *text, size_t width, bool utf8);
/*
 * Appends a clean string as lines of at most this number of columns, each ended by a
 * newline. Lines break at blanks. The first line already has `used` columns; the others are
 * indented.
 */
void brief_wrap(struct buf *b, const char *text, size_t width, size_t used, size_t indent);

#endif

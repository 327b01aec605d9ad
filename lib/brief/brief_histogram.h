/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A histogram of one line of text. Pure.
 */
#ifndef BRIEF_BRIEF_HISTOGRAM_H
#define BRIEF_BRIEF_HISTOGRAM_H

#include "base/base.h"

/*
 * Appends a histogram of values between their smallest and largest one, of at most this
 * number of columns: blocks of eight heights, or with utf8 false the characters . : + and
 * #. A column without values is blank, and one with a value never is. Appends nothing for
 * fewer than three values or if all are equal.
 */
void brief_histogram_put(
    struct buf *b, const double *value, size_t count, size_t columns, bool utf8);

#endif

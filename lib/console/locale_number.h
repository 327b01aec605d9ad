/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers as programs print them in the locale of the user: 1,234,567.89, 1.234.567,89 or
 * 1 234 567,89 with narrow or wide spaces that do not break lines. Pure.
 */
#ifndef CONSOLE_LOCALE_NUMBER_H
#define CONSOLE_LOCALE_NUMBER_H

#include "base/base.h"

/*
 * Sets *out to a number with a decimal point and without separators of groups. A point or
 * comma before three digits separates groups, and before other digits the fraction. Without
 * `groups`, a number can only have a fraction. Returns false if the text is not a number,
 * or if its groups do not have three digits. The caller frees *out.
 */
bool locale_number(struct text t, bool groups, struct buf *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines for people. Pure.
 */
#ifndef BRIEF_BRIEF_TEXT_H
#define BRIEF_BRIEF_TEXT_H

#include "base/base.h"

/* Returns a copy of a clean text that takes at most this number of columns; the middle of
 * a longer one becomes an ellipsis. */
char *brief_fit(const char *text, size_t width, bool utf8);
/*
 * Appends a clean text as lines of at most this number of columns, each ended by a newline.
 * Lines break at blanks; lines after the first are indented.
 */
void brief_wrap(struct buf *b, const char *text, size_t width, size_t indent);

#endif

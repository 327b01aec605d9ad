/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text for terminals and plots: cleaned of control characters, and shortened so that
 * labels neither overlap nor become equal. Pure.
 */
#ifndef TEXT_DISPLAY_TEXT_H
#define TEXT_DISPLAY_TEXT_H

#include "base/base.h"

/*
 * Appends a string to be shown: control characters, invalid UTF-8 and characters that
 * change the direction of writing become visible escapes, so that no name can drive a
 * terminal.
 */
void display_text_clean(struct buf *b, struct text t);

/*
 * Appends a string as display_text_clean does; without utf8 every remaining character
 * outside ASCII becomes '?'.
 */
void display_text_label(struct buf *b, struct text t, bool utf8);

/*
 * Replaces each allocated label with one of at most width columns (at least 8). An ellipsis
 * marks what was left out. Labels that differ still differ: where cutting the middle would
 * make two equal, their common start is cut first; as a last resort the labels are
 * numbered. Labels that are equal stay equal. Returns false if the labels were numbered.
 */
bool display_text_fit(char **label, size_t count, size_t width, bool utf8);

/*
 * Breaks a list of parts, joined by ", ", into allocated lines of at most width columns.
 * Returns the number of lines, at most max; the last line ends in an ellipsis when parts do
 * not fit.
 */
size_t display_text_wrap(
    char *const *part, size_t count, size_t width, bool utf8, char **line, size_t max);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of text on a terminal. A character of East Asian Width W or F (Unicode Standard
 * Annex 11) takes two columns. Marks that are drawn over another character, format
 * characters such as the zero-width joiner, and vowels and finals of conjoining Hangul take
 * none. All others, the ambiguous ones included, take one. A string takes the sum of its
 * characters, as for wcswidth(3), in every locale. Pure.
 */
#ifndef TEXT_DISPLAY_WIDTH_H
#define TEXT_DISPLAY_WIDTH_H

#include "base/base.h"

/* A character of a string, or a byte that display_text_clean turns into an escape. */
struct display_char {
	size_t bytes, columns; /* columns of the escape, if it is escaped */
	bool escaped;
};

/* Returns the first character of a string that is not empty. */
struct display_char display_char(struct text t);

/* Returns the first character of a cleaned string that is not empty, as a number, or 0 if
 * it is drawn without a glyph of its own: a space, or a character such as a joiner that is
 * ignored where a font lacks it. */
unsigned display_glyph(struct text t);

/* Returns the bytes at the start of a string that are printable ASCII, of a column each. */
size_t display_ascii(struct text t);

/* Returns the columns that a string takes once it is cleaned. */
size_t display_width(struct text t);

/* Returns whether a string has letters of a script that is written from right to left. */
bool display_has_rtl(struct text t);

/* Returns the bytes of the longest start of a string of at most that many columns. */
size_t display_prefix(struct text t, size_t columns);

/* Returns the bytes of the longest end of a string of at most that many columns. */
size_t display_suffix(struct text t, size_t columns);

/* Appends the start of a cleaned string that fits, then blanks up to that many columns. */
void display_put(struct buf *b, struct text clean, size_t columns);

#endif

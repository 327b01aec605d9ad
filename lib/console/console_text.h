/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions for text that programs print for people.
 */
#ifndef CONSOLE_CONSOLE_TEXT_H
#define CONSOLE_CONSOLE_TEXT_H

#include "base/intern.h"
#include "convert/from.h"

/* Removes the next word from a line and returns it; empty at the end of the line. */
struct text console_word(struct text *line);

/* Returns a line as a terminal shows it: without colors, and without the text that is
 * overwritten after a carriage return. */
struct text console_plain(struct arena *texts, struct text line);

/* Counts the earlier samples of each name. Zero it to begin. */
struct console_counts {
	struct intern names;
	int64_t *number; /* by name */
	size_t count, cap;
};

/* Returns the number of earlier calls with this name. */
int64_t console_counts_next(struct console_counts *c, struct text name);
void console_counts_free(struct console_counts *c);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Terminals: their size in characters, and what they can show.
 */
#ifndef IO_TERMINAL_H
#define IO_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

struct terminal_size {
	unsigned columns, lines;
};

/*
 * Returns the size of the terminal that a descriptor refers to. If the terminal reports
 * none, the size is in the variables COLUMNS and LINES, if they are numbers, and else 80 by
 * 24. Other descriptors are 80 by 24.
 */
struct terminal_size terminal_size(int fd);

/* Returns the columns of the terminal, or 0 (no limit) if fd is not a terminal. */
unsigned terminal_width(int fd);
/* Returns the number in COLUMNS, the width that is wanted for output that is no terminal;
 * 0 if there is none. */
unsigned terminal_columns_wanted(void);

/* Returns whether the locale of the environment has UTF-8. The locale of the program does
 * not change. */
bool terminal_utf8(void);
/* Returns whether the terminal can neither move its cursor nor print in color, as far as is
 * known: TERM is dumb, empty or not set. */
bool terminal_dumb(void);
/* Returns whether colors may be used: the stream is a terminal that is not dumb, and
 * NO_COLOR is not set. */
bool terminal_color(FILE *out);

#endif

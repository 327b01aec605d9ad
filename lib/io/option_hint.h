/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages about options that a program does not have. They suggest an option with a
 * similar name, or how to do here what an option of another program does. Pure.
 */
#ifndef IO_OPTION_HINT_H
#define IO_OPTION_HINT_H

#include "text/near_name.h"

/* The options of a program, for messages. */
struct option_names {
	const char *program;      /* "bench-run" */
	struct known_names longs; /* without dashes */
	const char *letter;       /* of each long option; 0: none */
};

/*
 * Appends the message about a word of the command line, such as "--rnus=5", that is no long
 * option, or the beginning of several.
 */
void option_hint_long(struct buf *b, const struct option_names *o, const char *word);
/* Appends the message about a letter that is no option. */
void option_hint_letter(struct buf *b, const struct option_names *o, char letter);
/* Appends the message about a value that was given to an option that takes none. */
void option_hint_value(struct buf *b, const struct option_names *o, const char *name);
/* Returns what a refused value of an option may have meant, to append to the message; "" if
 * there is no hint. */
const char *option_hint_refused(const char *program, const char *option);
/* Appends what a percentage such as "0.05" means, and how to write 5%. */
void option_hint_percent(struct buf *b, const char *value);
/*
 * Appends the message about a word that has the name of a long option after a single dash
 * or a dash that is not ASCII, such as "-runs=5", or that is an option of another program
 * after a single dash, and returns true. Returns false for any other word.
 */
bool option_hint_dash(struct buf *b, const struct option_names *o, const char *word);

#endif

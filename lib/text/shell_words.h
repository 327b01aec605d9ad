/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command lines: POSIX quoting without expansion, and replacement of {name}. Pure.
 */
#ifndef TEXT_SHELL_WORDS_H
#define TEXT_SHELL_WORDS_H

#include "base/base.h"

struct binding {
	const char *name, *value;
};

/*
 * Splits a command line by the shell's quoting rules, without expansion. Returns an
 * allocated list that ends in NULL, or NULL and the message.
 */
char **shell_words_split(const char *line, struct fault *f);
void shell_words_free(char **words);
/* Appends a word, in quotes if the shell would split or expand it. */
void shell_words_put(struct buf *b, const char *word);
/* Returns an allocated line that the shell would split into the same words. */
char *shell_words_join(char *const *words);
/* Returns an allocated copy of the text in which each bound {name} is replaced. */
char *shell_words_fill(const char *text, const struct binding *bindings, size_t count);

#endif

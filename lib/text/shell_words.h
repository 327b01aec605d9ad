/*
 * Command lines: POSIX quoting without expansion, {name} filled in.
 */
#ifndef WORDS_H
#define WORDS_H

#include "base/base.h"

struct binding {
	const char *name, *value;
};

/* Split by the quoting rules of the shell; nothing is expanded. NULL-ended, or NULL. */
char **words_split(const char *line, struct fault *f);
void words_free(char **words);
/* One line that the shell would split into these words again; allocated. */
char *words_join(char *const *words);
/* The text with every {name} that is bound replaced; others stay. Allocated. */
char *words_fill(const char *text, const struct binding *bindings, size_t count);

#endif

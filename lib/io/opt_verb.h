/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Verbs: the first operands of programs that have several tasks, such as bench-store.
 */
#ifndef IO_OPT_VERB_H
#define IO_OPT_VERB_H

#include "io/opt.h"
#include "text/near_name.h"

enum { OPT_VERB_OWN_MOST = 5 };

struct opt_verb {
	const char *name;
	size_t least, most;                     /* operands after the verb */
	const char *own[OPT_VERB_OWN_MOST + 1]; /* options of this verb alone; then NULL */
};

/* The verbs of a program: a table whose elements, of this size, begin with an opt_verb. */
struct opt_verbs {
	const struct opt_program *program;
	const void *table;
	size_t size, count;
	const struct name_alias *alias; /* verbs of other programs, or NULL */
	size_t aliases;
};

/* Returns the element of the verb with this name. Reports another name, and NULL, as
 * opt_usage_error does. */
const void *opt_verb_choose(const struct opt_verbs *verbs, const char *name);
/* Reports a wrong number of operands, and options of other verbs, as opt_usage_error does.
 */
void opt_verb_check(
    const struct opt_verbs *verbs, const struct opt_verb *chosen, size_t operands);
/* Reports the options with these names, the last of which is NULL, as opt_usage_error does:
 * they work only for `where`. */
void opt_verb_refuse(
    const struct opt_program *program, const char *const *names, const char *where);

#endif

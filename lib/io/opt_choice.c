/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options with one of a few values, and operands of verbs; see opt.h.
 */
#include <stdlib.h>

#include "io/opt.h"
#include "text/near_name.h"

const void *opt_choice(const struct opt_program *program, const char *option,
    const char *name, const void *table, size_t size, size_t count)
{
	struct known_names known = { 0 };
	char *what;
	struct fault f;

	for (size_t i = 0; i < count; i++) {
		const void *row = (const char *)table + i * size;
		const char *of = *(const char *const *)row;

		if (!name || strcmp(name, of) == 0)
			return row;
	}
	known_names_add_all(&known, table, size, count);
	what = str_format("%s: unknown value", option);
	unknown_name(&f, what, text_of(name), &known);
	free(what);
	opt_usage_error(program, "%s", f.text);
}

const char *opt_synopsis(const struct opt_program *p, const char *verb, bool too_many)
{
	static struct buf b;
	size_t len = strlen(verb);

	b.len = 0;
	buf_printf(
	    &b, "%s: %s", verb, too_many ? "too many operands" : "an operand is missing");
	for (size_t i = 0; p->synopsis[i]; i++) {
		const char *word = strstr(p->synopsis[i], verb);

		if (word && word > p->synopsis[i] && word[-1] == ' ' &&
		    (!word[len] || word[len] == ' ')) {
			buf_printf(&b, "; usage: %s", word);
			break;
		}
	}
	return b.ptr;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options with one of a few values; see opt.h.
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

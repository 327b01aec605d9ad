/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of values; see melt.h. */
#include <stdint.h>
#include <string.h>

#include "record/melt.h"

size_t melt_find(const struct melt *melt, size_t count, struct text name)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(melt[i].column, name))
			return i;
	return SIZE_MAX;
}

int melt_parse(struct melt *to, const char *const *specs, size_t count, struct fault *f)
{
	for (size_t i = 0; i < count; i++) {
		const char *colon = strrchr(specs[i], ':');
		size_t len = colon ? (size_t)(colon - specs[i]) : strlen(specs[i]);

		if (!len)
			return fault_set(f, "-m '%s' names no column", specs[i]);
		to[i].column = (struct text){ specs[i], len };
		to[i].unit = colon ? text_of(colon + 1) : (struct text){ 0 };
		if (melt_find(to, i, to[i].column) != SIZE_MAX)
			return fault_set(
			    f, "-m names the column '%.*s' twice", (int)len, specs[i]);
	}
	return 0;
}

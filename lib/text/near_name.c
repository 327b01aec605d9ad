/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Similar names; see near_name.h.
 */
#include <ctype.h>
#include <stdlib.h>

#include "text/near_name.h"

/* Returns a name in lower case, without pattern characters; allocated. */
static char *plain_name(const char *s)
{
	struct buf b = { 0 };

	for (; *s; s++)
		if (!strchr("*?[]!\\", *s))
			buf_byte(&b, (char)tolower((unsigned char)*s));
	return b.ptr ? b.ptr : str_copy("");
}

/*
 * Returns the number of letters to insert, delete or replace (V. I. Levenshtein, 1966) to
 * turn b, or the part of b that needs fewest (P. H. Sellers, 1980), into a.
 */
static size_t letters_apart(const char *a, const char *b, bool of_part)
{
	size_t len = strlen(b), *row = mem_zero(len + 1, sizeof(*row)), apart;

	for (size_t k = 0; k <= len; k++)
		row[k] = of_part ? 0 : k;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0]++;

		for (size_t k = 0; k < len; k++) {
			size_t least = diagonal + (a[i] != b[k]);

			diagonal = row[k + 1];
			least = row[k] + 1 < least ? row[k] + 1 : least;
			row[k + 1] = diagonal + 1 < least ? diagonal + 1 : least;
		}
	}
	apart = row[len];
	for (size_t k = 0; of_part && k < len; k++)
		apart = row[k] < apart ? row[k] : apart;
	free(row);
	return apart;
}

bool near_name(const char *typed, const char *name)
{
	char *a = plain_name(typed), *b = plain_name(name);
	size_t longer = strlen(a) > strlen(b) ? strlen(a) : strlen(b);
	bool is = *a && (letters_apart(a, b, false) <= longer / 3 ||
	                    letters_apart(a, b, true) <= strlen(a) / 4);

	free(a);
	free(b);
	return is;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a message that depend on a number. Pure.
 */
#ifndef TEXT_PLURAL_H
#define TEXT_PLURAL_H

#include <stdint.h>

/* Returns the word for one thing, or that for any other number. */
static inline const char *plural(uint64_t count, const char *one, const char *others)
{
	return count == 1 ? one : others;
}

/* Returns the ending of a noun: "", or "s" for any number but one. */
static inline const char *plural_s(uint64_t count)
{
	return plural(count, "", "s");
}

#endif

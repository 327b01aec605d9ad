/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Suggestions for mistyped names, and the message about a name that does not exist. Pure.
 */
#ifndef TEXT_NEAR_NAME_H
#define TEXT_NEAR_NAME_H

#include "base/base.h"

/* The names that exist. Zero it to begin. */
struct known_names {
	struct text *name;
	size_t count, cap;
	bool owns; /* frees the strings, which are allocated; else they must outlive it */
	const struct name_alias *alias; /* names of other programs, or NULL */
	size_t aliases;
	const char *advice; /* follows the list in a message; or NULL */
};

/* A name that another program uses, and what it is here. */
struct name_alias {
	const char *foreign, *name;
};

void known_names_add(struct known_names *k, struct text name);
/* Returns whether a name is one of them. */
bool known_names_have(const struct known_names *k, struct text name);
/* Adds a name unless it is there already. */
void known_names_add_once(struct known_names *k, struct text name);
/* Adds the names of a table whose elements, of this size, begin with a pointer to a name.
 */
void known_names_add_all(
    struct known_names *k, const void *table, size_t size, size_t count);
void known_names_free(struct known_names *k);

enum { NEAR_NAMES_MOST = 3 };

/*
 * Stores the numbers of the names that are nearest to the typed one, at most
 * NEAR_NAMES_MOST, all as near as the first, and returns how many there are. Ignores case
 * and pattern characters. A name is near
 *
 * - if at most a third of its letters are inserted, deleted, replaced or swapped with the
 *   next letter; or else
 * - if one of both names contains the other except for a quarter of its letters.
 *
 * Names of more than 100 bytes are not near.
 */
size_t near_names(
    struct text typed, const struct known_names *k, size_t near[NEAR_NAMES_MOST]);

/* Appends the near names as a question, "; did you mean runs?", unless there are none. */
void near_names_ask(struct buf *b, struct text typed, const struct known_names *k);

/*
 * Sets the message about a name that does not exist, in one line of about 160 columns
 * unless the near names are long: "unknown column 'benhc'; did you mean bench?
 * (there are: run, bench, host and 7 more)". Frees the list. Returns -1.
 */
int unknown_name(
    struct fault *f, const char *what, struct text typed, struct known_names *k);

#endif

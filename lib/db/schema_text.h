/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Derives the tables, indexes and views of a schema from the text of its statements. Pure.
 */
#ifndef DB_SCHEMA_TEXT_H
#define DB_SCHEMA_TEXT_H

#include "base/base.h"

/* Returns whether the words of SQL may have such a character. */
bool schema_is_word(char c);

struct schema_object {
	char *name;
	char *sql; /* normalized; "" for an index that a constraint creates */
	bool seen; /* for the caller; false at first */
};

struct schema_list {
	struct schema_object *object;
	size_t count, cap;
};

/*
 * Returns a statement without comments, and with spaces only between words that would
 * otherwise join; allocated.
 */
char *schema_normalize(const char *sql);
/* Appends an object; sql is normalized here. */
void schema_list_add(struct schema_list *list, const char *name, const char *sql);
/* Returns the object with a name, ignoring case, or NULL. */
struct schema_object *schema_list_find(struct schema_list *list, const char *name);
void schema_list_free(struct schema_list *list);

/*
 * Applies statements to a list: CREATE TABLE, INDEX and VIEW, DROP VIEW, and ALTER TABLE
 * ADD COLUMN in the way in which SQLite rewrites the definition of a table; INSERT and
 * UPDATE change no definition. Names must be words without quotes. Returns false for any
 * other statement.
 */
bool schema_list_apply(struct schema_list *list, struct text statements);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that the tables, indexes and views of a database are those that the statements
 * of its version create, by comparing their text without comments and spaces. Otherwise
 * a foreign file could have an endless view under the name of a table. The expected
 * statements are derived from the statements, which are run in memory only if a string
 * differs.
 *
 * A user's own tables, indexes and views are left alone, because no statement of this
 * program uses them. Triggers and virtual tables, which would run other code, are
 * refused, as are names that would hide an SQLite function that this program uses.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "db/db_version.h"
#include "db/schema_text.h"
#include "db/sqlite_priv.h"
#include "text/display_text.h"

/*
 * Returns the text of a column, or NULL if it contains a NUL, which no definition does.
 */
static const char *column_string(sqlite3_stmt *q, int column)
{
	const char *p = (const char *)sqlite3_column_text(q, column);

	if (!p)
		return "";
	return strlen(p) == (size_t)sqlite3_column_bytes(q, column) ? p : NULL;
}

static const char definitions[] = "SELECT name, sql FROM sqlite_master";

/* Creates the objects of a version of the schema, and lists them. 0 or -1. */
static int list_expected(
    struct text schema, int64_t version, struct schema_list *list, struct fault *f)
{
	sqlite3 *handle = NULL;
	sqlite3_stmt *q = NULL;
	int64_t newest;
	int code = sqlite3_open(":memory:", &handle);

	for (int64_t v = 1; v <= version && code == SQLITE_OK; v++) {
		struct text part = version_section(schema, v, &newest);
		char *sql = mem_text(part.ptr, part.len);

		code = sqlite3_exec(handle, sql, NULL, NULL, NULL);
		free(sql);
	}
	if (code == SQLITE_OK)
		code = sqlite3_prepare_v2(handle, definitions, -1, &q, NULL);
	while (code == SQLITE_OK && (code = sqlite3_step(q)) == SQLITE_ROW) {
		schema_list_add(list, column_string(q, 0), column_string(q, 1));
		code = SQLITE_OK;
	}
	if (code != SQLITE_DONE)
		fault_set(f, "store/schema.sql: %s", sqlite3_errmsg(handle));
	sqlite3_finalize(q);
	sqlite3_close(handle);
	return code == SQLITE_DONE ? 0 : -1;
}

/* Returns whether p begins with a name, quoted or not, as SQLite reads it. */
static bool begins_with_name(const char *p, const char *name)
{
	char close = *p == '[' ? ']' : *p;
	size_t len = strlen(name);

	if (!*p || !strchr("\"`['", *p))
		return strncmp(p, name, len) == 0 && !schema_is_word(p[len]);
	for (p++; *p && *name; p++, name++) {
		if (*p != *name)
			return false;
		if (*p == close && *++p != close)
			return false;
	}
	return !*name && *p == close && p[1] != close;
}

/* Returns why an object that is not part of the schema is refused, or NULL. */
static const char *find_objection(const char *name, const char *sql)
{
	static const char *const heads[] = { "CREATE TABLE ", "CREATE VIEW ",
		"CREATE INDEX ", "CREATE UNIQUE INDEX " };
	static const char *const hiding[] = { "pragma_", "json_" };

	if (!*sql) /* an index that a constraint creates */
		return NULL;
	if (strncasecmp(sql, "CREATE TRIGGER", 14) == 0)
		return "a trigger, which would run whenever something is added";
	if (strncasecmp(sql, "CREATE VIRTUAL", 14) == 0)
		return "a virtual table, which would run other code";
	for (size_t i = 0; i < COUNT(hiding); i++)
		if (strncasecmp(name, hiding[i], strlen(hiding[i])) == 0)
			return "named like a function of SQLite";
	for (size_t i = 0; i < COUNT(heads); i++)
		if (strncmp(sql, heads[i], strlen(heads[i])) == 0 &&
		    begins_with_name(sql + strlen(heads[i]), name))
			return NULL;
	return "not defined under its own name";
}

static int refuse_object(
    const struct db *db, const char *name, const char *what, struct fault *f)
{
	struct buf clean = { 0 };

	display_text_clean(&clean, text_of(name));
	fault_set(f,
	    "%s: '%.200s' is %s; the database is refused (use sqlite3 -safe FILE "
	    ".schema to see it)",
	    db->name, clean.ptr ? clean.ptr : "", what);
	buf_free(&clean);
	return -1;
}

static int compare_object(const struct db *db, struct schema_list *list, const char *name,
    const char *sql, struct fault *f)
{
	struct schema_object *expected;
	const char *objection;
	char *normal;
	bool same;

	if (!name || !sql)
		return refuse_object(db, name ? name : "", "not a definition", f);
	expected = schema_list_find(list, name);
	if (!expected) {
		objection = find_objection(name, sql);
		return objection ? refuse_object(db, name, objection, f) : 0;
	}
	normal = schema_normalize(sql);
	same = strcmp(normal, expected->sql) == 0;
	free(normal);
	expected->seen = true;
	return same ? 0 : refuse_object(db, name, "not as bench-store creates it", f);
}

static int compare_all(struct db *db, struct schema_list *list, struct fault *f)
{
	sqlite3_stmt *q = NULL;
	int code = sqlite3_prepare_v2(sqlite_handle(db), definitions, -1, &q, NULL);
	int status = 0;

	while (code == SQLITE_OK && status == 0 && (code = sqlite3_step(q)) == SQLITE_ROW) {
		status =
		    compare_object(db, list, column_string(q, 0), column_string(q, 1), f);
		code = SQLITE_OK;
	}
	if (status == 0 && code != SQLITE_DONE)
		status = sqlite_fail(db, f);
	sqlite3_finalize(q);
	for (size_t i = 0; i < list->count && status == 0; i++)
		if (!list->object[i].seen)
			status = refuse_object(db, list->object[i].name, "missing", f);
	return status;
}

/*
 * Lists the objects from the text of the statements; returns false if the text is not
 * enough.
 */
static bool list_stated(struct text schema, int64_t version, struct schema_list *list)
{
	int64_t newest;
	bool known = true;

	for (int64_t v = 1; v <= version && known; v++)
		known = schema_list_apply(list, version_section(schema, v, &newest));
	return known;
}

int sqlite_schema_compare(
    struct db *db, struct text schema, int64_t version, struct fault *f)
{
	struct schema_list list = { 0 };
	int status = list_stated(schema, version, &list) ? compare_all(db, &list, f) : -1;

	if (status < 0) { /* SQLite decides how it stores definitions. */
		schema_list_free(&list);
		status = list_expected(schema, version, &list, f);
		if (status == 0)
			status = compare_all(db, &list, f);
	}
	schema_list_free(&list);
	return status;
}

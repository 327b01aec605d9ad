/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the tables, indexes and views of a database are those that the statements of its
 * version make. They are made once more, in memory, and the two texts of each are compared
 * without comments and blanks. Otherwise a file from elsewhere could hold, under the name
 * of a table, a view that never ends.
 *
 * A user's own tables, indexes and views are left alone, since no statement of ours looks
 * at them. Refused are triggers and virtual tables, which would run code of theirs, and
 * names that would hide a function of SQLite that ours use.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "db/db_version.h"
#include "db/sqlite_priv.h"
#include "text/display_text.h"

struct schema_object {
	char *name, *sql; /* "" for an index that a constraint makes */
	bool seen;
};

struct schema_list {
	struct schema_object *object;
	size_t count, cap;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

/* Returns the end of the blank or comment at p, or p. */
static const char *skip_gap(const char *p)
{
	const char *end;

	if (isspace((unsigned char)*p))
		return p + 1;
	if (p[0] == '-' && p[1] == '-')
		return p + strcspn(p, "\n");
	if (p[0] != '/' || p[1] != '*')
		return p;
	end = strstr(p + 2, "*/");
	return end ? end + 2 : p + strlen(p);
}

static const char *skip_quoted_text(const char *p)
{
	char close = *p == '[' ? ']' : *p;
	const char *end = strchr(p + 1, close);

	return end ? end + 1 : p + strlen(p);
}

/* Appends a statement without comments, and with blanks only where words would join. */
static void put_normalized(struct buf *out, const char *p)
{
	bool gap = false;

	while (*p) {
		const char *next = skip_gap(p);

		if (next > p) {
			gap = true;
			p = next;
			continue;
		}
		if (gap && out->len && is_word(*p) && is_word(out->ptr[out->len - 1]))
			buf_byte(out, ' ');
		gap = false;
		next = strchr("'\"`[", *p) ? skip_quoted_text(p) : p + 1;
		buf_put(out, p, (size_t)(next - p));
		p = next;
	}
}

static char *normalize(const char *sql)
{
	struct buf out = { 0 };

	put_normalized(&out, sql);
	buf_byte(&out, '\0');
	return out.ptr;
}

/* The text of a column; NULL when it holds a NUL, which no definition does. */
static const char *column_string(sqlite3_stmt *q, int column)
{
	const char *p = (const char *)sqlite3_column_text(q, column);

	if (!p)
		return "";
	return strlen(p) == (size_t)sqlite3_column_bytes(q, column) ? p : NULL;
}

static const char definitions[] = "SELECT name, sql FROM sqlite_master";

/* Makes what a version of the schema has, and lists it. 0 or -1. */
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
		*VEC_ADD(list->object, list->count, list->cap) = (struct schema_object){
			str_copy(column_string(q, 0)),
			normalize(column_string(q, 1)),
			false,
		};
		code = SQLITE_OK;
	}
	if (code != SQLITE_DONE)
		fault_set(f, "store/schema.sql: %s", sqlite3_errmsg(handle));
	sqlite3_finalize(q);
	sqlite3_close(handle);
	return code == SQLITE_DONE ? 0 : -1;
}

static struct schema_object *find_expected(struct schema_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (sqlite3_stricmp(list->object[i].name, name) == 0)
			return &list->object[i];
	return NULL;
}

/* Whether a name, quoted or not, stands at p, where SQLite reads it. */
static bool begins_with_name(const char *p, const char *name)
{
	char close = *p == '[' ? ']' : *p;
	size_t len = strlen(name);

	if (!*p || !strchr("\"`['", *p))
		return strncmp(p, name, len) == 0 && !is_word(p[len]);
	for (p++; *p && *name; p++, name++) {
		if (*p != *name)
			return false;
		if (*p == close && *++p != close)
			return false;
	}
	return !*name && *p == close && p[1] != close;
}

/* What is the matter with an object that is none of ours, or NULL. */
static const char *find_objection(const char *name, const char *sql)
{
	static const char *const heads[] = { "CREATE TABLE ", "CREATE VIEW ",
		"CREATE INDEX ", "CREATE UNIQUE INDEX " };
	static const char *const hiding[] = { "pragma_", "json_" };

	if (!*sql) /* an index that a constraint makes */
		return NULL;
	if (strncasecmp(sql, "CREATE TRIGGER", 14) == 0)
		return "a trigger, which would act whenever something is added";
	if (strncasecmp(sql, "CREATE VIRTUAL", 14) == 0)
		return "a virtual table, which would run code of its own";
	for (size_t i = 0; i < COUNT(hiding); i++)
		if (strncasecmp(name, hiding[i], strlen(hiding[i])) == 0)
			return "named like a function of SQLite";
	for (size_t i = 0; i < COUNT(heads); i++)
		if (strncmp(sql, heads[i], strlen(heads[i])) == 0 &&
		    begins_with_name(sql + strlen(heads[i]), name))
			return NULL;
	return "not what its name says";
}

static int refuse_object(
    const struct db *db, const char *name, const char *what, struct fault *f)
{
	struct buf clean = { 0 };

	display_text_clean(&clean, text_of(name));
	fault_set(f,
	    "%s: '%.200s' is %s: the database is not used (sqlite3 -safe FILE .schema "
	    "shows it)",
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
	expected = find_expected(list, name);
	if (!expected) {
		objection = find_objection(name, sql);
		return objection ? refuse_object(db, name, objection, f) : 0;
	}
	normal = normalize(sql);
	same = strcmp(normal, expected->sql) == 0;
	free(normal);
	expected->seen = true;
	return same ? 0 : refuse_object(db, name, "not as bench-store makes it", f);
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

int sqlite_schema_compare(
    struct db *db, struct text schema, int64_t version, struct fault *f)
{
	struct schema_list list = { 0 };
	int status = list_expected(schema, version, &list, f);

	if (status == 0)
		status = compare_all(db, &list, f);
	for (size_t i = 0; i < list.count; i++) {
		free(list.object[i].name);
		free(list.object[i].sql);
	}
	free(list.object);
	return status;
}

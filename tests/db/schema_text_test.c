/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests that the definitions derived from the text of a schema's statements equal those
 * that SQLite stores after running them.
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/tap.h"
#include "db/db_version.h"
#include "db/schema_text.h"

/* Returns whether the list has each definition that SQLite stored, and no other. */
static bool stored_as(struct schema_list *list, sqlite3 *handle)
{
	sqlite3_stmt *q = NULL;
	size_t found = 0;
	bool same = sqlite3_prepare_v2(handle,
	                "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL", -1, &q,
	                NULL) == SQLITE_OK;

	while (same && sqlite3_step(q) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(q, 0);
		struct schema_object *o = schema_list_find(list, name);
		char *sql = schema_normalize((const char *)sqlite3_column_text(q, 1));

		same = o && strcmp(o->sql, sql) == 0;
		if (!same)
			printf("# %s\n# read:   %s\n# stored: %s\n", name,
			    o ? o->sql : "(none)", sql);
		free(sql);
		found++;
	}
	sqlite3_finalize(q);
	return same && found == list->count;
}

static bool as_sqlite(const char *statements)
{
	struct schema_list list = { 0 };
	sqlite3 *handle = NULL;
	bool same = sqlite3_open(":memory:", &handle) == SQLITE_OK &&
	            sqlite3_exec(handle, statements, NULL, NULL, NULL) == SQLITE_OK &&
	            schema_list_apply(&list, text_of(statements)) &&
	            stored_as(&list, handle);

	schema_list_free(&list);
	sqlite3_close(handle);
	return same;
}

static void test_own_schema(void)
{
	struct buf schema = { 0 }, so_far = { 0 };
	int64_t newest = 0;
	struct fault f;

	tap_ok(file_read("share/store/schema.sql", &schema, &f) == 0,
	    "share/store/schema.sql can be read");
	version_section(text_in(&schema), 0, &newest);
	for (int64_t v = 1; v <= newest; v++) {
		struct text part =
		    version_section(text_in(&schema), v, &newest);

		buf_text(&so_far, part);
		tap_ok(as_sqlite(so_far.ptr),
		    "version %d of the schema has the definitions that SQLite stores",
		    (int)v);
	}
	buf_free(&schema);
	buf_free(&so_far);
}

static void test_sections(void)
{
	struct text schema = text_of("-- x\n-- version 1\na;\n-- version one is old\nb;\n"
	                             "-- version 2\nc;\n-- version 1st\n");
	int64_t newest = 0;
	struct text part = version_section(schema, 1, &newest);

	tap_ok(newest == 2 && memmem(part.ptr, part.len, "b;", 2) &&
	           !memmem(part.ptr, part.len, "c;", 2),
	    "a comment that only begins like a version line does not begin a version");
}

static void test_statements(void)
{
	static const struct {
		const char *what, *sql;
	} same[] = {
		{ "a comment with a quote",
		    "CREATE TABLE a (b -- it's\n, c /* ; */ TEXT);" },
		{ "a column after a constraint", "CREATE TABLE a (b INT, c INT, UNIQUE (b, "
		                                 "c)); ALTER TABLE a ADD COLUMN d;" },
		{ "a new column of a table WITHOUT ROWID",
		    "CREATE TABLE a (b INT, PRIMARY KEY (b)) WITHOUT ROWID;"
		    "ALTER TABLE a ADD COLUMN c TEXT NOT NULL DEFAULT 'x;(,UNIQUE(';"
		    "ALTER TABLE a ADD COLUMN d;" },
		{ "a dropped view", "CREATE TABLE a (b); CREATE VIEW v AS SELECT b FROM a;"
		                    "DROP VIEW v; CREATE INDEX i ON a (b);" },
		{ "changed rows", "CREATE TABLE a (b); INSERT INTO a VALUES (';');"
		                  "UPDATE a SET b = 2" },
	};
	static const char *const other[] = { "DROP TABLE a", "CREATE TRIGGER t",
		"ALTER TABLE a RENAME TO b", "ALTER TABLE none ADD COLUMN b" };

	for (size_t i = 0; i < COUNT(same); i++)
		tap_ok(as_sqlite(same[i].sql), "%s has the definition that SQLite stores",
		    same[i].what);
	for (size_t i = 0; i < COUNT(other); i++) {
		struct schema_list list = { 0 };

		tap_ok(!schema_list_apply(&list, text_of(other[i])),
		    "'%s' is not derived from its text", other[i]);
		schema_list_free(&list);
	}
}

int main(void)
{
	test_own_schema();
	test_sections();
	test_statements();
	return tap_end();
}

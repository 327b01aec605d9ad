/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver for SQLite: its hooks, and its words of the dialect.
 */
#include <stdlib.h>

#include "db/db_file.h"
#include "db/sqlite_priv.h"

static struct db *open_file(
    const char *name, int flags, struct text schema, double wait_ns, struct fault *f)
{
	return sqlite_open(&db_sqlite, name, flags, schema, wait_ns, f);
}

static int begin_reading(struct db *db, struct fault *f)
{
	return sqlite_file_exec(db, "BEGIN", f);
}

static int commit(struct db *db, struct fault *f)
{
	if (sqlite_insert_flush(db, f) < 0 || sqlite_file_exec(db, "COMMIT", f) < 0)
		return -1;
	if (!sqlite_file_moved(db))
		return 0;
	db->trouble = DB_BLOCKED;
	return fault_set(
	    f, "%s: was removed or replaced meanwhile, so the change is lost", db->name);
}

/* Only a lack of memory makes this fail, and the next attempt may find some. */
static void rollback(struct db *db)
{
	sqlite3 *handle = sqlite_handle(db);

	sqlite_insert_discard(db);
	for (int i = 0; handle && i < 3 && !sqlite3_get_autocommit(handle); i++)
		sqlite3_exec(handle, "ROLLBACK", NULL, NULL, NULL);
}

/* The ids stay free, because no other program writes until the transaction ends. Rows that
 * were collected are inserted first, because they have ids. */
static int next_ids(struct db *db, const char *table, const char *column, size_t count,
    int64_t *id, struct fault *f)
{
	char *sql = str_format("SELECT coalesce(max(%s), 0) FROM %s", column, table);
	int64_t last = 0;
	int status = sqlite_insert_flush(db, f);

	if (status == 0)
		status = db_number(db, sql, &last, f);
	for (size_t i = 0; i < count; i++)
		id[i] = ++last;
	free(sql);
	return status;
}

/* Never retries: locks were waited for, and other failures are permanent. */
static bool retry_never(struct db *db)
{
	(void)db;
	return false;
}

/* A name that no other driver opens is the name of a file. */
static bool takes_any(const char *name)
{
	(void)name;
	return true;
}

static char *spool_place(const struct db *db)
{
	return str_copy(db->name);
}

static void warn_network(const struct db *db, struct buf *out)
{
	char kind[32];

	if (db_file_network(db->name, kind, sizeof(kind)))
		buf_printf(out,
		    "%s: on a network file system (%s), where SQLite's locks are not "
		    "reliable: "
		    "let only one machine write to it, or use a postgresql:// database",
		    db->name, kind);
}

const struct db_driver db_sqlite = {
	.takes = takes_any,
	.exists = db_file_exists,
	.is_file = true,
	.spool = spool_place,
	.open = open_file,
	.close = sqlite_file_close,
	.begin = sqlite_open_begin,
	.begin_reading = begin_reading,
	.commit = commit,
	.rollback = rollback,
	.exec = sqlite_file_exec,
	.guard = sqlite_file_guard,
	.allow_long = sqlite_file_allow_long,
	.copy = sqlite_backup,
	.warn_location = warn_network,
	.query_next = sqlite_query_prepare,
	.insert = sqlite_query_insert,
	.flush = sqlite_insert_flush,
	.ids = next_ids,
	.retry = retry_never,
	.query_close = sqlite_query_close,
	.bind_text = sqlite_bind_text,
	.bind_copy = sqlite_bind_copy,
	.bind_bytes = sqlite_bind_bytes,
	.bind_integer = sqlite_bind_integer,
	.bind_number = sqlite_bind_number,
	.placeholders = sqlite_bind_placeholders,
	.next = sqlite_query_step,
	.rewind = sqlite_query_rewind,
	.columns = sqlite_column_count,
	.column_name = sqlite_column_name,
	.column_type = sqlite_column_type,
	.text = sqlite_column_text,
	.bytes = sqlite_column_bytes,
	.integer = sqlite_column_integer,
	.number = sqlite_column_number,
	/*
	 * Factors are a JSON object in one canonical form. In this form, the bytes of
	 * "name":"value" occur only as a member, because quotes in strings are escaped. A
	 * search for these bytes therefore finds the factor.
	 */
	.word = {
		[DB_VERSION] = "SELECT 'SQLite " SQLITE_VERSION "'",
		[DB_JOURNAL] = "SELECT journal_mode FROM pragma_journal_mode",
		[DB_SCHEMA] = "SELECT user_version FROM pragma_user_version",
		[DB_SIZE] = "SELECT page_count * page_size"
		            " FROM pragma_page_count, pragma_page_size",
		[DB_GLOB] = "GLOB",
		[DB_JOIN_TEXTS] = "group_concat",
		[DB_HAS_FACTOR] = "replace(factors, %, '') <> factors",
		[DB_LACKS_FACTOR] = "replace(factors, %, '') = factors",
		[DB_RAW_ID] = "raw_id",
		[DB_CHECK] = "SELECT integrity_check FROM pragma_integrity_check"
		             " WHERE integrity_check <> 'ok' UNION ALL"
		             " SELECT 'row ' || coalesce(rowid, '') || ' of ' || \"table\" ||"
		             " ' refers to a row of ' || parent || ' that does not exist'"
		             " FROM pragma_foreign_key_check",
		[DB_VACUUM] = "VACUUM",
	},
};

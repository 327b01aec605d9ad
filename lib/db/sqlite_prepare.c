/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prepares a database for use after it is connected: checks that it is ours, by SQLite's
 * application_id, upgrades it, by SQLite's user_version, and restricts a reader.
 */
#include <stdlib.h>

#include "db/db_version.h"
#include "db/sqlite_priv.h"

enum { APPLICATION_ID = 0x626e6368 };

struct version_state {
	int64_t id, version, objects;
};

/* Reads the state. Call it in a transaction, so that all values are consistent. */
static int read_state(struct db *db, struct version_state *s, struct fault *f)
{
	if (db_number(db, "PRAGMA application_id", &s->id, f) < 0 ||
	    db_number(db, "PRAGMA user_version", &s->version, f) < 0)
		return -1;
	return db_number(db, "SELECT count(*) FROM sqlite_master", &s->objects, f);
}

static int fail_foreign(const struct db *db, struct fault *f)
{
	return fault_set(
	    f, "%s: an SQLite database of another program; left unchanged", db->name);
}

static bool is_ours(const struct version_state *s)
{
	return s->id == APPLICATION_ID || (!s->id && !s->version && !s->objects);
}

/*
 * Reads the state, and compares the tables and views of a database of bench-store that is
 * not newer than the schema.
 */
static int judge_state(struct db *db, struct text schema, int64_t newest,
    struct version_state *s, struct fault *f)
{
	if (read_state(db, s, f) < 0)
		return -1;
	if (!is_ours(s))
		return fail_foreign(db, f);
	if (s->version > newest)
		return version_newer(db->name, s->version, newest, f);
	if (s->version < 1 && s->objects)
		return fault_set(f,
		    "%s: has tables, but no schema version: another program changed it "
		    "(PRAGMA user_version); left unchanged",
		    db->name);
	return sqlite_schema_compare(db, schema, s->version, f);
}

static int read_state_alone(struct db *db, struct version_state *s, struct fault *f)
{
	int status = db_begin_reading(db, f);

	*s = (struct version_state){ 0 };
	if (status == 0) {
		status = read_state(db, s, f);
		db_rollback(db);
	}
	return status;
}

/* Refuses a database of another program; accepts an empty one. Returns 0 or -1. */
static int check_owner(struct db *db, struct fault *f)
{
	struct version_state s;

	/* A damaged database is ours if its first page still has our application id. */
	if (read_state_alone(db, &s, f) < 0 && s.id != APPLICATION_ID)
		return -1;
	return is_ours(&s) ? 0 : fail_foreign(db, f);
}

static int run_section(struct db *db, struct text schema, int64_t version, struct fault *f)
{
	int64_t newest;
	struct text part = version_section(schema, version, &newest);
	char *sql =
	    str_format("%.*s; PRAGMA user_version = %lld; PRAGMA application_id = %d",
	        (int)part.len, part.ptr, (long long)version, APPLICATION_ID);
	int status = db_exec(db, sql, f);

	free(sql);
	return status;
}

/* Upgrades the tables in the current transaction. Returns 0 or -1. */
static int upgrade_tables(struct db *db, struct text schema, struct fault *f)
{
	struct version_state s = { 0 };
	int64_t newest;
	int status =
	    read_state(db, &s, f); /* another process may have upgraded it already */

	version_section(schema, 0, &newest);
	while (status == 0 && s.version < newest)
		status = run_section(db, schema, ++s.version, f);
	return status;
}

int sqlite_prepare_tables(struct db *db, struct text schema, struct fault *f)
{
	return ((struct sqlite_file *)db)->lacks_tables ? upgrade_tables(db, schema, f) : 0;
}

static int upgrade(struct db *db, struct text schema, bool is_deferred, struct fault *f)
{
	/* The journal mode is a property of the file; it cannot change in a transaction. */
	if (db_exec(db, "PRAGMA journal_mode = WAL", f) < 0)
		return -1;
	((struct sqlite_file *)db)->lacks_tables = is_deferred;
	if (is_deferred)
		return 0;
	if (db_begin(db, f) < 0)
		return -1;
	if (upgrade_tables(db, schema, f) == 0 && db_commit(db, f) == 0)
		return 0;
	db_rollback(db);
	return -1;
}

/*
 * Upgrades the database in one transaction. With DB_DEFER, the first transaction creates
 * the tables of a new database, so that it fails or succeeds as a whole. With DB_READ,
 * refuses a database of an older version instead, unless DB_OLD is set. Always refuses a
 * database of a newer version. Returns 0 or -1.
 */
static int bring_up_to_date(struct db *db, int flags, struct text schema, struct fault *f)
{
	struct version_state s = { 0 };
	int64_t newest;
	int status = db_begin_reading(db, f);

	version_section(schema, 0, &newest);
	if (status < 0)
		return -1;
	status = judge_state(db, schema, newest, &s, f);
	db_rollback(db);
	if (status < 0)
		return -1;
	if (s.version == newest || (s.version > 0 && flags & DB_OLD))
		return 0;
	return flags & DB_READ ? version_older(db->name, s.version, newest, f)
	                       : upgrade(db, schema, flags & DB_DEFER && !s.version, f);
}

/* Empties a database, even a damaged one, under SQLite's own locks. */
static int empty_file(struct db *db, struct fault *f)
{
	int status;

	sqlite3_db_config(sqlite_handle(db), SQLITE_DBCONFIG_RESET_DATABASE, 1, 0);
	status = sqlite_file_exec(db, "VACUUM", f);
	sqlite3_db_config(sqlite_handle(db), SQLITE_DBCONFIG_RESET_DATABASE, 0, 0);
	return status;
}

int sqlite_prepare(struct db *db, int flags, struct text schema, struct fault *f)
{
	if (!(flags & DB_READ) && sqlite3_db_readonly(sqlite_handle(db), "main") == 1) {
		db->trouble = DB_BLOCKED;
		return sqlite_fail_unwritable(db, "read-only file, directory or disk", f);
	}
	/* Before any statement that reads the schema, which may be damaged. */
	if (flags & DB_EMPTY && (check_owner(db, f) < 0 || empty_file(db, f) < 0))
		return -1;
	/* With the default cache of 2 MiB, a large transaction writes and reads the pages
	 * of the indexes again and again. */
	if (sqlite_file_exec(db,
	        "PRAGMA cache_size = -65536; PRAGMA synchronous = FULL; "
	        "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0",
	        f) < 0)
		return -1;
	if (bring_up_to_date(db, flags, schema, f) < 0)
		return -1;
	if (flags & DB_READ) {
		if (sqlite_file_exec(db, "PRAGMA query_only = ON", f) < 0)
			return -1;
		sqlite_file_guard(db, true);
	}
	return 0;
}

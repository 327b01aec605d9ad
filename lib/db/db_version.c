/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Versions and ownership of a database, from SQLite's user_version and application_id.
 */
#include <stdlib.h>
#include <string.h>

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

static int fail_foreign(const char *name, struct fault *f)
{
	return fault_set(
	    f, "%s: an SQLite database of another program; left unchanged", name);
}

static bool is_ours(const struct version_state *s)
{
	return s->id == APPLICATION_ID || (!s->id && !s->version && !s->objects);
}

/*
 * Reads the state, and compares the tables and views of a database of bench-store that is
 * not newer than the schema.
 */
static int judge_state(struct db *db, const char *name, struct text schema, int64_t newest,
    struct version_state *s, struct fault *f)
{
	if (read_state(db, s, f) < 0)
		return -1;
	if (!is_ours(s))
		return fail_foreign(name, f);
	if (s->version > newest)
		return version_newer(name, s->version, newest, f);
	if (s->version < 1 && s->objects)
		return fault_set(f,
		    "%s: has tables, but no schema version: another program changed it "
		    "(PRAGMA user_version); left unchanged",
		    name);
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

int version_ours(struct db *db, const char *name, struct fault *f)
{
	struct version_state s;

	/* A damaged database is ours if its first page still has our application id. */
	if (read_state_alone(db, &s, f) < 0 && s.id != APPLICATION_ID)
		return -1;
	return is_ours(&s) ? 0 : fail_foreign(name, f);
}

/*
 * Returns the text after "-- version " in the next line with only a number after it, or
 * NULL.
 */
static const char *find_version(const char *p)
{
	static const char mark[] = "\n-- version ";

	while ((p = strstr(p, mark))) {
		size_t digits;

		p += sizeof(mark) - 1;
		digits = strspn(p, "0123456789");
		if (digits && (p[digits] == '\n' || !p[digits]))
			return p;
	}
	return NULL;
}

struct text version_section(struct text schema, int64_t want, int64_t *newest)
{
	struct text found = { "", 0 };
	const char *next;

	*newest = 0;
	for (const char *p = schema.len ? find_version(schema.ptr) : NULL; p; p = next) {
		next = find_version(p);
		*newest = strtol(p, NULL, 10);
		p += strcspn(p, "\n");
		if (*newest == want)
			found = (struct text){ p, next ? (size_t)(next - p) : strlen(p) };
	}
	return found;
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

static int upgrade(struct db *db, struct text schema, int64_t newest, struct fault *f)
{
	struct version_state s = { 0 };
	int status;

	/* The journal mode is a property of the file; it cannot change in a transaction. */
	if (db_exec(db, "PRAGMA journal_mode = WAL", f) < 0 || db_begin(db, f) < 0)
		return -1;
	status = read_state(db, &s, f); /* another process may have upgraded it already */
	while (status == 0 && s.version < newest)
		status = run_section(db, schema, ++s.version, f);
	if (status == 0 && db_commit(db, f) == 0)
		return 0;
	db_rollback(db);
	return -1;
}

int version_newer(const char *name, int64_t version, int64_t newest, struct fault *f)
{
	return fault_set(f,
	    "%s: created by a newer version (schema %lld; this version supports %lld): "
	    "update benchutils",
	    name, (long long)version, (long long)newest);
}

int version_older(const char *name, int64_t version, int64_t newest, struct fault *f)
{
	if (!version)
		return fault_set(f, "%s: empty (use bench-store add to fill it)", name);
	return fault_set(f,
	    "%s: created by an older version (schema %lld of %lld); bench-store add "
	    "upgrades "
	    "it",
	    name, (long long)version, (long long)newest);
}

int version_bring(
    struct db *db, const char *name, int flags, struct text schema, struct fault *f)
{
	struct version_state s = { 0 };
	int64_t newest;
	int status = db_begin_reading(db, f);

	version_section(schema, 0, &newest);
	if (status < 0)
		return -1;
	status = judge_state(db, name, schema, newest, &s, f);
	db_rollback(db);
	if (status < 0)
		return -1;
	if (s.version == newest || (s.version > 0 && flags & DB_OLD))
		return 0;
	return flags & DB_READ ? version_older(name, s.version, newest, f)
	                       : upgrade(db, schema, newest, f);
}

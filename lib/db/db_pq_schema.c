/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The schema in a PostgreSQL database: the statements of share/store/schema.sql,
 * converted to PostgreSQL, in the first schema of the search path, which is created if it
 * does not exist. The version is in a table of its own. An advisory lock prevents
 * concurrent upgrades.
 */
#include <stdlib.h>

#include "db/db_version.h"
#include "db/pq_priv.h"
#include "db/pq_text.h"

/* "bnch" */
#define LOCK "SELECT pg_advisory_xact_lock(1651401576)"

/*
 * Reads the version, or 0 if there is none, and whether a table of the same name exists
 * without a version.
 */
static int read_state(
    struct pq_session *s, int64_t *version, bool *foreign, struct fault *f)
{
	struct pq_result *a = pq_exec(s->connection,
	    "SELECT CASE WHEN to_regclass(quote_ident(current_schema()) ||"
	    " '.benchutils_schema') IS NOT NULL THEN 1 ELSE 0 END,"
	    " CASE WHEN to_regclass(quote_ident(current_schema()) || '.benchmark_runs')"
	    " IS NOT NULL THEN 1 ELSE 0 END",
	    &s->failure, f);
	bool versioned;

	if (!a)
		return -1;
	versioned = *pq_result_text(a, 0, 0).ptr == '1';
	*foreign = !versioned && *pq_result_text(a, 0, 1).ptr == '1';
	*version = 0;
	pq_result_free(a);
	if (!versioned)
		return 0;
	a = pq_exec(s->connection, "SELECT version FROM benchutils_schema", &s->failure, f);
	if (!a)
		return -1;
	if (pq_result_rows(a))
		*version = strtoll(pq_result_text(a, 0, 0).ptr, NULL, 10);
	pq_result_free(a);
	return 0;
}

int pq_schema_exists(struct pq_session *s, struct fault *f)
{
	int64_t version;
	bool foreign;

	return read_state(s, &version, &foreign, f) < 0 ? -1 : version > 0;
}

/*
 * Creates the first schema of the search path if it has a plain name and does not exist.
 */
static int make_namespace(struct pq_session *s, struct fault *f)
{
	struct pq_result *a = pq_exec(s->connection,
	    "SELECT 'CREATE SCHEMA IF NOT EXISTS ' || quote_ident(trim(both '\" ' from"
	    " split_part(current_setting('search_path'), ',', 1)))"
	    " WHERE current_schema() IS NULL",
	    &s->failure, f);
	int status = 0;

	if (!a)
		return -1;
	if (pq_result_rows(a))
		status = pq_session_exec(s, pq_result_text(a, 0, 0).ptr, f);
	pq_result_free(a);
	return status;
}

/* Drops everything that the schema creates, in reverse order. */
static int drop_schema(struct pq_session *s, struct text schema, struct fault *f)
{
	static const char *const kinds[] = { "CREATE VIEW ", "CREATE TABLE " };
	struct buf sql = { 0 };
	int status;

	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct buf names = { 0 };

		for (const char *p = strstr(schema.ptr, kinds[i]); p;
		     p = strstr(p, kinds[i])) {
			size_t len;

			p += strlen(kinds[i]);
			len = strcspn(p, " \n(");
			buf_printf(&names, "%s%.*s", names.len ? ", " : "", (int)len, p);
		}
		if (names.len)
			buf_printf(
			    &sql, "DROP %s IF EXISTS %s;\n", kinds[i] + 7, names.ptr);
		buf_free(&names);
	}
	buf_str(&sql, "DROP TABLE IF EXISTS benchutils_schema");
	status = pq_session_exec(s, sql.ptr, f);
	buf_free(&sql);
	return status;
}

static int run_section(
    struct pq_session *s, struct text schema, int64_t version, struct fault *f)
{
	int64_t newest;
	struct text part = version_section(schema, version, &newest);
	struct buf sql = { 0 };
	int status;

	pq_text_schema(&sql, part);
	buf_printf(&sql,
	    ";\nCREATE TABLE IF NOT EXISTS benchutils_schema (version BIGINT NOT NULL);"
	    "ALTER TABLE benchutils_schema ADD COLUMN IF NOT EXISTS definitions TEXT;"
	    "DELETE FROM benchutils_schema;"
	    "INSERT INTO benchutils_schema (version, definitions) VALUES "
	    "(%lld, " PQ_DEFINITIONS ")",
	    (long long)version);
	status = pq_session_exec(s, sql.ptr, f);
	buf_free(&sql);
	return status;
}

static int fail_foreign(const struct pq_session *s, struct fault *f)
{
	return fault_set(f,
	    "%s: the table benchmark_runs belongs to another program; left unchanged "
	    "(?options=-csearch_path%%3DNAME selects another schema)",
	    s->db.name);
}

static int upgrade(
    struct pq_session *s, struct text schema, int64_t newest, struct fault *f)
{
	int64_t version = 0;
	bool foreign = false;
	int status = pq_session_exec(s, "BEGIN; " LOCK, f);

	if (status == 0)
		status = make_namespace(s, f);
	if (status == 0)
		status = read_state(s, &version, &foreign, f);
	if (status == 0 && foreign)
		status = fail_foreign(s, f);
	if (status == 0 && s->flags & DB_EMPTY) {
		status = drop_schema(s, schema, f);
		version = 0;
	}
	while (status == 0 && version < newest)
		status = run_section(s, schema, ++version, f);
	if (status == 0)
		status = pq_session_exec(s, "COMMIT", f);
	if (status < 0 && s->connection && pq_in_transaction(s->connection)) {
		struct fault ignored;

		pq_session_exec(s, "ROLLBACK", &ignored);
	}
	return status;
}

/* Creates or upgrades the schema according to its version. 0; 1 if it is still to be
 * created; or -1. */
static int bring_up_to_date(
    struct pq_session *s, struct text schema, bool defers, struct fault *f)
{
	int64_t version, newest;
	bool foreign;

	version_section(schema, 0, &newest);
	if (read_state(s, &version, &foreign, f) < 0)
		return -1;
	if (foreign)
		return fail_foreign(s, f);
	if (!(s->flags & DB_EMPTY) && version > newest)
		return version_newer(s->db.name, version, newest, f);
	if (!(s->flags & DB_EMPTY) && version == newest)
		return 0;
	if (s->flags & DB_READ)
		return version_older(s->db.name, version, newest, f);
	if (!version && !(s->flags & DB_CREATE))
		return version_older(s->db.name, version, newest, f);
	if (!version && defers)
		return 1;
	return upgrade(s, schema, newest, f);
}

int pq_schema_ensure(struct pq_session *s, bool defers, struct fault *f)
{
	int status =
	    bring_up_to_date(s, text_in(&s->schema), defers, f);

	s->schema_ready = status == 0;
	if (status == 0 && s->flags & DB_READ)
		s->guarded = true;
	return status < 0 ? -1 : 0;
}

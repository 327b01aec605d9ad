/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver for PostgreSQL: its hooks, and its words of the dialect. pq_priv.h lists the
 * parts. With DB_DEFER, a server that cannot be reached fails the first transaction, not
 * the opening, and tables that do not exist are created by the first transaction.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/paths.h"
#include "db/pq_priv.h"
#include "db/pq_text.h"

static struct db *open_session(
    const char *name, int flags, struct text schema, double wait_ns, struct fault *f)
{
	struct pq_session *s = pq_session_new(&db_postgresql, name, flags, wait_ns);
	int status;

	buf_text(&s->schema, schema);
	do
		status = pq_session_reach(s, f) < 0 ||
		                 pq_schema_ensure(s, flags & DB_DEFER, f) < 0
		             ? -1
		             : 0;
	while (status < 0 && pq_session_retry(&s->db));
	if (status == 0)
		s->retry_until_ns = 0;
	if (status == 0 ||
	    (flags & DB_DEFER && (s->failure == PQ_LOST || s->failure == PQ_NOWHERE)))
		return &s->db;
	pq_session_free(s);
	return NULL;
}

static void close_session(struct db *db)
{
	pq_session_free(pq_session_of(db));
}

/* Returns false if the answer cannot be determined; opening the database reports why. */
static bool schema_exists(const char *name)
{
	struct pq_session *s = pq_session_new(&db_postgresql, name, DB_READ, 0);
	struct fault ignored;
	bool exists =
	    pq_session_connect(s, &ignored) == 0 && pq_schema_exists(s, &ignored) > 0;

	pq_session_free(s);
	return exists;
}

static int exec_statements(struct db *db, const char *sql, struct fault *f)
{
	return pq_session_exec(pq_session_of(db), sql, f);
}

/* Derives the place from the URL without its password, which may change. */
static char *spool_place(const struct db *db)
{
	char name[sizeof("postgresql-") + 16];

	snprintf(
	    name, sizeof(name), "postgresql-%016" PRIx64, text_hash(text_of(db->name), 0));
	return user_path("XDG_STATE_HOME", ".local/state", name);
}

const struct db_driver db_postgresql = {
	.takes = db_is_postgresql_url,
	.exists = schema_exists,
	.open = open_session,
	.close = close_session,
	.begin = pq_transaction_begin,
	.begin_reading = pq_transaction_begin_reading,
	.commit = pq_transaction_commit,
	.rollback = pq_transaction_rollback,
	.exec = exec_statements,
	.guard = pq_query_guard,
	.spool = spool_place,
	.pattern = pq_text_pattern,
	.query_next = pq_query_prepare,
	.insert = pq_query_insert,
	.flush = pq_copy_flush,
	.ids = pq_query_ids,
	.retry = pq_session_retry,
	.query_close = pq_query_close,
	.bind_text = pq_bind_text,
	.bind_copy = pq_bind_text,
	.bind_bytes = pq_bind_bytes,
	.bind_integer = pq_bind_integer,
	.bind_number = pq_bind_number,
	.placeholders = pq_bind_placeholders,
	.many = pq_query_many,
	.next = pq_query_next,
	.rewind = pq_query_rewind,
	.columns = pq_column_count,
	.column_name = pq_column_name,
	.column_type = pq_column_type,
	.text = pq_column_text,
	.bytes = pq_column_bytes,
	.integer = pq_column_integer,
	.number = pq_column_number,
	.word = {
		[DB_VERSION] = "SELECT 'PostgreSQL ' || current_setting('server_version')",
		[DB_JOURNAL] = "SELECT 'wal'",
		[DB_SCHEMA] = "SELECT version FROM benchutils_schema",
		[DB_SIZE] = "SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class"
		            " WHERE relnamespace = current_schema()::regnamespace"
		            " AND relkind IN ('r', 'p')",
		[DB_GLOB] = "~",
		[DB_JOIN_TEXTS] = "string_agg",
		[DB_FOR_UPDATE] = " FOR UPDATE",
		[DB_SAME_SUBJECT] =
		    " AND md5(quote_literal(kind) || ',' || quote_literal(bench) || ','"
		    " || quote_literal(metric) || ',' || quote_literal(unit) || ','"
		    " || factors::text)::uuid = md5(quote_literal($5) || ',' ||"
		    " quote_literal($2) || ',' || quote_literal($3) || ',' ||"
		    " quote_literal($6) || ',' || $4::jsonb::text)::uuid",
		[DB_HAS_FACTOR] = "factors @> ('{' || % || '}')::jsonb",
		[DB_LACKS_FACTOR] = "NOT factors ?| ARRAY(SELECT jsonb_object_keys("
		                    "('{' || % || '\"\"}')::jsonb))",
		[DB_RAW_ID] = "NULL",
		/* The server checks pages if its checksums are enabled. */
		[DB_CHECK] = "SELECT 'row ' || result_id || ' of benchmark_results refers to"
		             " a row of benchmark_runs that does not exist'"
		             " FROM benchmark_results AS r WHERE NOT EXISTS"
		             " (SELECT 1 FROM benchmark_runs AS b WHERE b.run_id = r.run_id)"
		             " UNION ALL SELECT 'row ' || result_id || ' of raw_benchmark_data"
		             " refers to a row of benchmark_results that does not exist'"
		             " FROM raw_benchmark_data AS d WHERE NOT EXISTS (SELECT 1"
		             " FROM benchmark_results AS r WHERE r.result_id = d.result_id)",
		[DB_DEFINITIONS] = "SELECT 'tables, views or indexes are not as bench-store"
		                   " created them' FROM benchutils_schema WHERE definitions"
		                   " IS DISTINCT FROM " PQ_DEFINITIONS
		                   " UNION ALL SELECT 'benchutils_schema does not have one row'"
		                   " WHERE (SELECT count(*) FROM benchutils_schema) <> 1",
		[DB_ADOPT] = "UPDATE benchutils_schema SET definitions = " PQ_DEFINITIONS,
		[DB_VACUUM] = "VACUUM (FULL, ANALYZE) benchmark_runs, benchmark_results,"
		              " raw_benchmark_data, hardware_info, run_tags, fact_sets,"
		              " fact_set_values, run_fact_sets, run_fact_changes, annotations,"
		              " store_seal",
	},
};

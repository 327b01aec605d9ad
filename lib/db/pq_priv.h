/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the driver for PostgreSQL. Each part uses only the parts above it:
 *
 *     pq.h             libpq
 *     pq_session       the connection, and retries after failures
 *     db_pq_schema     the tables, created and upgraded
 *     pq_copy          rows to be inserted, collected and sent by COPY
 *     pq_transaction   begin, commit, rollback
 *     pq_query         statements: prepared, run, fetched by cursors
 *     pq_bind          values for placeholders
 *     pq_column        values of results
 *     db_pq            the hooks of struct db_driver
 */
#ifndef DB_PQ_PRIV_H
#define DB_PQ_PRIV_H

#include "db/db_driver.h"
#include "db/pq.h"

struct pq_session {
	struct db db;
	char *url;
	int flags;                        /* of enum db_flags */
	struct pq_connection *connection; /* NULL: not connected */
	struct buf schema;
	bool schema_ready; /* the tables are up to date */
	bool guarded;
	bool reading;            /* in a transaction that cannot write */
	unsigned transactions;   /* number of transactions that have ended */
	enum pq_failure failure; /* why the last call failed */
	double retry_until_ns;   /* on CLOCK_MONOTONIC; 0: nothing has failed */
	double pause_ns;         /* before the next try */
	unsigned statements;     /* number of names given to statements and cursors */
	struct pq_copy *copies, **last_copy;
};

struct pq_session *pq_session_of(const struct db *db);
struct pq_session *pq_session_new(
    const struct db_driver *driver, const char *url, int flags, double wait_ns);
void pq_session_free(struct pq_session *s);
/* Completes the message and db.trouble after a failed call. Returns -1. */
int pq_session_fail(struct pq_session *s, struct fault *f);
/* Connects once. Returns 0, or -1 and the message. */
int pq_session_connect(struct pq_session *s, struct fault *f);
/* Connects, and retries while the server cannot be reached and there is time. Returns 0, or
 * -1 and the message. */
int pq_session_reach(struct pq_session *s, struct fault *f);
/* Executes statements that return no rows. Returns 0, or -1 and the message. */
int pq_session_exec(struct pq_session *s, const char *sql, struct fault *f);
/* The hook db_retry. */
bool pq_session_retry(struct db *db);

/* Creates or upgrades the schema, as the flags of the session allow. defers: leaves a
 * schema that does not exist to a later call. Returns 0, or -1 and the message. */
int pq_schema_ensure(struct pq_session *s, bool defers, struct fault *f);
/* Returns 1 if the database has the tables of bench-store, 0 if not, or -1. */
int pq_schema_exists(struct pq_session *s, struct fault *f);

/* A value bound to a placeholder. */
struct pq_bound {
	struct buf text;
	bool given, binary;
};

/* The pending rows of a query that inserts. */
struct pq_copy {
	const char *sql; /* the COPY statement */
	struct buf rows; /* in COPY's binary format, without the trailer */
	struct pq_copy *next;
};

/* Appends a number of the given number of bytes, most significant first. */
void pq_copy_put(struct buf *out, uint64_t n, int bytes);
/* Registers a copy; copies are sent in the order of their registration. */
void pq_copy_open(struct pq_session *s, struct pq_copy *c);
void pq_copy_close(struct pq_session *s, struct pq_copy *c);
/* Appends a row, and sends all copies if they have become large. Returns 0, or -1 and the
 * message. */
int pq_copy_row(struct pq_session *s, struct pq_copy *c, const struct pq_bound *value,
    int values, struct fault *f);
/* Drops the rows of all copies. */
void pq_copy_discard(struct pq_session *s);
/*
 * The SQL expression of a hash of the server's definitions of the tables, views and indexes
 * of bench-store. It names all tables and views of the newest version of
 * share/store/schema.sql.
 */
#define PQ_DEFINITIONS                                                                    \
	"(WITH ours AS (SELECT oid, relname, relkind FROM pg_class"                       \
	" WHERE relnamespace = current_schema()::regnamespace AND relname IN"             \
	" ('benchmark_runs', 'benchmark_results', 'raw_benchmark_data', 'hardware_info'," \
	" 'run_tags', 'fact_sets', 'fact_set_values', 'run_fact_sets', "                  \
	"'run_fact_changes',"                                                             \
	" 'annotations', 'store_seal', 'run_facts', 'benchmark_history', "                \
	"'benchmark_latest',"                                                             \
	" 'hardware_comparison', 'architecture_throughput'))"                             \
	" SELECT md5(string_agg(d, ';' ORDER BY d COLLATE \"C\")) FROM ("                 \
	"SELECT concat_ws(' ', relname, attnum, attname, format_type(atttypid, "          \
	"atttypmod),"                                                                     \
	" attnotnull, pg_get_expr(adbin, adrelid)) AS d FROM ours"                        \
	" JOIN pg_attribute ON attrelid = ours.oid AND attnum > 0 AND NOT attisdropped"   \
	" LEFT JOIN pg_attrdef ON adrelid = ours.oid AND adnum = attnum"                  \
	" UNION ALL SELECT concat_ws(' ', relname, pg_get_viewdef(oid)) FROM ours"        \
	" WHERE relkind = 'v'"                                                            \
	" UNION ALL SELECT replace(pg_get_indexdef(indexrelid), ' ON '"                   \
	" || quote_ident(current_schema()) || '.', ' ON ') FROM ours"                     \
	" JOIN pg_index ON indrelid = ours.oid"                                           \
	" UNION ALL SELECT concat_ws(' ', relname, tgname) FROM ours"                     \
	" JOIN pg_trigger ON tgrelid = ours.oid AND NOT tgisinternal"                     \
	" UNION ALL SELECT concat_ws(' ', relname, rulename) FROM ours"                   \
	" JOIN pg_rewrite ON ev_class = ours.oid) AS definition)"

/* The hook db_flush. */
int pq_copy_flush(struct db *db, struct fault *f);

/* The hooks db_begin and so on. */
int pq_transaction_begin(struct db *db, struct fault *f);
int pq_transaction_begin_reading(struct db *db, struct fault *f);
int pq_transaction_commit(struct db *db, struct fault *f);
void pq_transaction_rollback(struct db *db);

struct pq_query {
	struct query query;
	char *sql;
	char name[16]; /* prepared under this, unless it is empty */
	bool ran;
	struct pq_bound *value;
	int values;
	struct pq_result *description, *result;
	int row; /* the next row of the result */
	bool many;
	char cursor[16]; /* the cursor that the result comes from, unless it is empty */
	int fetched;     /* the number of rows to fetch at a time from the cursor */
	unsigned within; /* value of session.transactions when the cursor was opened */
	struct buf *converted; /* by column: text that differs from the server's */
	int columns;
	bool inserts; /* rows go to copy */
	struct pq_copy copy;
};

struct pq_query *pq_query_of(struct query *q);
/* The hooks db_query_next, db_insert, db_ids, db_guard, query_close and so on. */
struct query *pq_query_prepare(struct db *db, const char **sql, bool *end, struct fault *f);
struct query *pq_query_insert(
    struct db *db, const char *table, const char *columns, int count, struct fault *f);
int pq_query_ids(struct db *db, const char *table, const char *column, size_t count,
    int64_t *id, struct fault *f);
bool pq_query_guard(struct db *db, bool on);
void pq_query_close(struct query *query);
void pq_query_many(struct query *query);
int pq_query_next(struct query *query, struct fault *f);
void pq_query_rewind(struct query *query);
/* Asks the server for the columns and placeholders of a statement that has not run. */
const struct pq_result *pq_query_describe(struct pq_query *q);

/* The hooks query_bind_text and so on. */
void pq_bind_text(struct query *query, int at, struct text t);
void pq_bind_bytes(struct query *query, int at, struct text bytes);
void pq_bind_integer(struct query *query, int at, int64_t n);
void pq_bind_number(struct query *query, int at, double x);
int pq_bind_placeholders(struct query *query);

/* The hooks query_columns and so on. */
int pq_column_count(struct query *query);
const char *pq_column_name(struct query *query, int column);
enum query_type pq_column_type(struct query *query, int column);
struct text pq_column_text(struct query *query, int column);
struct text pq_column_bytes(struct query *query, int column);
int64_t pq_column_integer(struct query *query, int column);
double pq_column_number(struct query *query, int column);

#endif

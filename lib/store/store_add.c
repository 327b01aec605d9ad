/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds ingested rows and facts to the tables in one transaction, with store_add_run,
 * store_add_series and store_add_facts.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "store/store_add_priv.h"

/* The statements, each followed by a word of the dialect. */
static const struct {
	const char *sql;
	enum db_word word;
} statements[STORE_ADD_STATEMENTS] = {
	[STORE_ADD_FIND_RUN] = { "SELECT " SEAL_RUN_COLUMNS
	                         ", seal FROM benchmark_runs WHERE run = $1",
	    DB_FOR_UPDATE },
	[STORE_ADD_ADD_RUN] = { "INSERT INTO benchmark_runs (run, time, added, host, env, "
	                        "commit_id)"
	                        " VALUES ($1, $2, $3, $4, $5, $6)"
	                        " ON CONFLICT (run) DO NOTHING RETURNING run_id",
	    DB_NOTHING },
	[STORE_ADD_EARLIER_RUN] = { "UPDATE benchmark_runs SET time = $1"
	                            " WHERE run_id = $2 AND (time IS NULL OR time > $1)"
	                            " RETURNING run_id",
	    DB_NOTHING },
	[STORE_ADD_SUM_RUN] = { "UPDATE benchmark_runs SET checksum = $1, row_count = $2,"
	                        " expected_rows = $3, ended = coalesce(ended, $4)"
	                        " WHERE run_id = $5",
	    DB_NOTHING },
	[STORE_ADD_FIND_SERIES] = { "SELECT " SEAL_SERIES_COLUMNS " FROM benchmark_results"
	                            " WHERE run_id = $1 AND bench = $2 AND metric = $3"
	                            " AND factors = $4 AND kind = $5 AND unit = $6",
	    DB_SAME_SUBJECT },
	[STORE_ADD_FIND_FACTS] = { "SELECT fact, value FROM hardware_info WHERE env = $1",
	    DB_NOTHING },
	[STORE_ADD_FIND_SET] = { "SELECT fact, value, set_id FROM fact_set_values WHERE "
	                         "set_id ="
	                         " (SELECT max(set_id) FROM fact_sets WHERE env = $1)",
	    DB_NOTHING },
	[STORE_ADD_FIND_RUN_FACTS] = { "SELECT 1 FROM run_fact_sets"
	                               " JOIN fact_sets USING (set_id)"
	                               " WHERE run_id = $1 AND env = $2",
	    DB_NOTHING },
	[STORE_ADD_ADD_FACT] = { "INSERT INTO hardware_info (env, fact, value) VALUES ($1, "
	                         "$2, $3) ON CONFLICT DO NOTHING RETURNING env, fact, "
	                         "value",
	    DB_NOTHING },
	[STORE_ADD_LOCK_FACT] = { "SELECT env, fact, value FROM hardware_info WHERE env = "
	                          "$1"
	                          " AND fact = $2",
	    DB_FOR_UPDATE },
	[STORE_ADD_SET_FACT] = { "UPDATE hardware_info SET value = $1 WHERE env = $2"
	                         " AND fact = $3 RETURNING env, fact, value",
	    DB_NOTHING },
};

/* Statements for facts are last, since most additions have no facts. */
static int prepare_statements(struct store_addition *a, struct fault *f)
{
	bool with_facts = a->in->facts.newests || a->in->facts.sets;

	stamp_print(a->now, clock_realtime_ns(), 9);
	for (size_t i = 0; i < (with_facts ? STORE_ADD_STATEMENTS : STORE_ADD_FIND_FACTS);
	     i++) {
		char *sql = str_format(
		    "%s%s", statements[i].sql, db_word(a->store->db, statements[i].word));

		a->query[i] = db_query(a->store->db, sql, f);
		free(sql);
		if (!a->query[i])
			return -1;
	}
	if (store_chunks_open(&a->kept, a->store, f) < 0)
		return -1;
	return store_write_open(&a->write, a->store, a->in->count, f);
}

/* Returns whether no two series of a run have the same subject. Series are groups by their
 * subject and these columns. */
static bool all_distinct(const struct ingest *in)
{
	return !in->repeats && in->groups && groups_constant(in->groups, COL_HOST) &&
	       groups_constant(in->groups, COL_ENV) &&
	       groups_constant(in->groups, COL_COMMIT);
}

static int keep_all(struct store_addition *a, struct fault *f)
{
	if (prepare_statements(a, f) < 0)
		return -1;
	a->distinct = all_distinct(a->in);
	for (size_t i = 0; i < a->in->count; i++)
		if (store_add_series(a, &a->in->series[i], f) < 0)
			return -1;
	if (store_add_ends(a, f) < 0 || store_add_facts(a, f) < 0)
		return -1;
	if (store_add_sums(a, f) < 0 || db_flush(a->store->db, f) < 0)
		return -1;
	return store_seal_write(&a->seal, f);
}

static int add_once(
    struct store *s, struct ingest *in, struct store_added *added, struct fault *f)
{
	struct store_addition a = { .store = s, .in = in, .added = added };
	int status;

	*added = (struct store_added){ 0 };
	if (db_begin(s->db, f) < 0)
		return -1;
	a.run = mem_zero(in->runs, sizeof(*a.run));
	store_seal_open(&a.seal, s->db);
	status = keep_all(&a, f);
	for (size_t i = 0; i < STORE_ADD_STATEMENTS; i++)
		query_close(a.query[i]);
	store_chunks_close(&a.kept);
	store_write_close(&a.write);
	store_seal_close(&a.seal);
	if (status == 0)
		status = db_commit(s->db, f);
	if (status < 0)
		db_rollback(s->db);
	free(a.run);
	free(a.rows.row);
	free(a.of_subject);
	intern_free(&a.subjects);
	buf_free(&a.factors);
	buf_free(&a.key);
	return status;
}

int store_add(
    struct store *s, struct ingest *in, struct store_added *added, struct fault *f)
{
	int status;

	do
		status = add_once(s, in, added, f);
	while (status < 0 && db_retry(s->db));
	return status;
}

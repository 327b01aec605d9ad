/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Transactions on a PostgreSQL server. The beginning of a transaction connects and
 * creates the tables if opening the database did not (DB_DEFER), or if the connection was
 * lost.
 */
#include "db/pq_priv.h"

static int begin_with(struct pq_session *s, const char *sql, struct fault *f)
{
	if (!s->connection && pq_session_reach(s, f) < 0)
		return -1;
	if (!s->schema_ready && pq_schema_ensure(s, false, f) < 0)
		return -1;
	return pq_session_exec(s, sql, f);
}

int pq_transaction_begin(struct db *db, struct fault *f)
{
	return begin_with(pq_session_of(db), "BEGIN", f);
}

void pq_transaction_rollback(struct db *db)
{
	struct pq_session *s = pq_session_of(db);
	enum pq_failure kept = s->failure;
	struct fault ignored;

	pq_copy_discard(s);
	if (s->connection && pq_in_transaction(s->connection))
		pq_result_free(pq_exec(s->connection, "ROLLBACK", &s->failure, &ignored));
	s->failure = kept;
	s->reading = false;
	s->transactions++;
}

int pq_transaction_begin_reading(struct db *db, struct fault *f)
{
	struct pq_session *s = pq_session_of(db);
	int status;

	pq_transaction_rollback(db); /* of the transaction that a guarded statement began */
	status = begin_with(s, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", f);
	s->reading = status == 0;
	return status;
}

int pq_transaction_commit(struct db *db, struct fault *f)
{
	struct pq_session *s = pq_session_of(db);

	if (pq_copy_flush(db, f) < 0 || pq_session_exec(s, "COMMIT", f) < 0)
		return -1;
	s->retry_until_ns = 0;
	s->transactions++;
	return 0;
}

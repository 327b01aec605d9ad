/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Seals all runs and parts again, in one transaction; see store_reseal.h.
 */
#include <stdlib.h>

#include "store/store_check_priv.h"
#include "store/store_reseal.h"
#include "store/store_write.h"

struct resealing {
	struct store_checking check; /* sums up the current run */
	struct store_write write;
	struct store_seal seal;
	struct query *derived;
	uint64_t sealed;
};

/*
 * Computes the statistics of the current series, and adds its rows to the sums. 0 or -1.
 */
static int reseal_series(struct resealing *r, struct fault *f)
{
	struct store_checking *c = &r->check;
	bool damaged;
	int got;

	if (store_write_begin(&r->write, c->series.cell[COL_METRIC], f) < 0)
		return -1;
	while ((got = store_series_rows(&c->series, &damaged, f)) > 0) {
		store_check_sum(c);
		store_summary_count(&r->write.counted, &c->series.texts, c->series.rows.row,
		    c->series.rows.count);
	}
	if (got < 0 || store_write_summary(&r->write, c->series.id, f) < 0)
		return -1;
	c->row_count += (int64_t)r->write.counted.rows;
	checksum_add(&c->seal, &r->write.change);
	return 0;
}

/* Writes the columns of a run that are computed from its rows. */
static int write_derived(struct resealing *r, int64_t run_id, struct fault *f)
{
	const struct store_checking *c = &r->check;
	char hex[CHECKSUM_HEX + 1], time[STAMP_MAX];

	checksum_print(hex, &c->rows);
	query_bind_text(r->derived, 1, text_of(hex));
	query_bind_integer(r->derived, 2, c->row_count);
	query_bind_null(r->derived, 3);
	if (c->has_time)
		query_bind_text(
		    r->derived, 3, (struct text){ time, stamp_print(time, c->time, 9) });
	query_bind_integer(r->derived, 4, run_id);
	return query_run(r->derived, f);
}

static int reseal_run(struct resealing *r, int64_t run_id, struct fault *f)
{
	struct store_checking *c = &r->check;
	struct store_seal_run run, old;
	int got = store_seal_read_run(&r->seal, &old, run_id, f);

	if (got <= 0)
		return got;
	c->rows = c->seal = (struct checksum){ 0 };
	c->row_count = 0;
	c->has_time = false;
	store_series_begin(&c->series, run_id);
	while ((got = store_series_next(&c->series, f)) > 0)
		if (reseal_series(r, f) < 0)
			return -1;
	if (got < 0 || store_check_facts(c, run_id, f) < 0 ||
	    write_derived(r, run_id, f) < 0)
		return -1;
	/* Treats the run as new: its seal begins with 0, and all its rows are added. */
	run = (struct store_seal_run){ .sealed = true, .change = c->seal };
	if (store_seal_write_run(&r->seal, &run, run_id, f) < 0)
		return -1;
	r->sealed += !old.sealed || !checksum_equal(&old.seal, &run.seal);
	return 0;
}

static int reseal_runs(struct resealing *r, struct fault *f)
{
	struct query *q =
	    db_query(r->seal.db, "SELECT run_id FROM benchmark_runs ORDER BY run_id", f);
	int64_t *id = NULL;
	size_t count = 0, cap = 0;
	int got = q ? 1 : -1;

	while (got > 0 && (got = query_next(q, f)) > 0)
		*VEC_ADD(id, count, cap) = query_integer(q, 0);
	query_close(q);
	for (size_t i = 0; i < count && got == 0; i++)
		got = reseal_run(r, id[i], f);
	free(id);
	return got;
}

/* Locks the parts, so that other writers finish first or wait. 0 or -1. */
static int lock_parts(struct resealing *r, struct fault *f)
{
	char *sql = str_format("SELECT part FROM store_seal ORDER BY part%s",
	    db_word(r->seal.db, DB_FOR_UPDATE));
	struct query *add = NULL, *lock;
	int status = 0;

	for (size_t i = 0; i < STORE_SEAL_PARTS && status == 0; i++) {
		if (!add)
			add = db_query(r->seal.db,
			    "INSERT INTO store_seal (part, state) VALUES ($1, 'unsealed')"
			    " ON CONFLICT DO NOTHING",
			    f);
		if (add)
			query_bind_text(add, 1, text_of(store_seal_parts[i]));
		status = add ? query_run(add, f) : -1;
	}
	query_close(add);
	lock = status == 0 ? db_query(r->seal.db, sql, f) : NULL;
	status = lock ? query_run(lock, f) : -1;
	query_close(lock);
	free(sql);
	return status;
}

static int write_parts(struct resealing *r, struct fault *f)
{
	struct query *q = db_query(r->seal.db,
	    "UPDATE store_seal SET state = 'sealed', seal = $1 WHERE part = $2", f);
	int status = q ? store_check_tables(&r->check, f) : -1;

	r->check.part[STORE_SEAL_RUNS] = r->seal.change[STORE_SEAL_RUNS];
	for (size_t i = 0; i < STORE_SEAL_PARTS && status == 0; i++) {
		char hex[CHECKSUM_HEX + 1];

		checksum_print(hex, &r->check.part[i]);
		query_bind_text(q, 1, text_of(hex));
		query_bind_text(q, 2, text_of(store_seal_parts[i]));
		status = query_run(q, f);
	}
	query_close(q);
	return status;
}

static int reseal_all(struct resealing *r, struct store *s, struct fault *f)
{
	const char *adopt = db_word(s->db, DB_ADOPT);

	if (lock_parts(r, f) < 0 || store_series_open(&r->check.series, s, f) < 0 ||
	    store_write_open(&r->write, s, 0, f) < 0)
		return -1;
	r->derived = db_query(s->db,
	    "UPDATE benchmark_runs SET checksum = $1, row_count = $2, time = $3"
	    " WHERE run_id = $4",
	    f);
	if (!r->derived || reseal_runs(r, f) < 0 || write_parts(r, f) < 0)
		return -1;
	return *adopt ? db_exec(s->db, adopt, f) : 0;
}

static int reseal_once(struct store *s, uint64_t *sealed, struct fault *f)
{
	struct resealing r = { .check = { .store = s } };
	int status = db_begin(s->db, f);

	if (status < 0)
		return -1;
	store_seal_open(&r.seal, s->db);
	status = reseal_all(&r, s, f);
	query_close(r.derived);
	store_write_close(&r.write);
	store_seal_close(&r.seal);
	store_check_close(&r.check);
	if (status == 0)
		status = db_commit(s->db, f);
	if (status < 0)
		db_rollback(s->db);
	*sealed = r.sealed;
	return status;
}

int store_reseal(struct store *s, uint64_t *sealed, struct fault *f)
{
	int status;

	do
		status = reseal_once(s, sealed, f);
	while (status < 0 && db_retry(s->db));
	return status;
}

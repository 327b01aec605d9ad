/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merges databases. The rows of the other database are ingested by run and series, like
 * the rows of a stream, and then added.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "record/factors.h"
#include "store/store_annotate_priv.h"
#include "store/store_merge.h"
#include "store/store_seal.h"
#include "store/store_series.h"

/* At some ten bytes per packed row, this number of rows is held in memory. */
enum { BATCH_ROWS = 8000000 };

struct store_merging {
	struct store *to, *from;
	struct store_added *added;
	struct ingest *in;
	struct schema schema;
	struct text *cell; /* by column id */
	size_t cells;
	struct buf factors; /* bytes of the factors of the series */
	struct store_series series;
};

void store_added_count(struct store_added *all, const struct store_added *more)
{
	all->rows += more->rows;
	all->known += more->known;
	all->runs += more->runs;
	all->facts += more->facts;
	all->facts_known += more->facts_known;
	all->facts_changed += more->facts_changed;
	if (!all->incomplete)
		all->first = more->first;
	all->incomplete += more->incomplete;
}

static int flush_batch(struct store_merging *m, struct fault *f)
{
	struct store_added added;
	int status;

	ingest_finish(m->in);
	status = store_add(m->to, m->in, &added, f);
	if (status == 0)
		store_added_count(m->added, &added);
	ingest_close(m->in);
	m->in = ingest_open();
	return status;
}

static void learn_name(void *ctx, struct factor factor)
{
	struct store_merging *m = ctx;

	schema_add(&m->schema, factor.name);
}

/* The buffer moves while it grows, so the cells are set to offsets first. */
static void learn_value(void *ctx, struct factor factor)
{
	struct store_merging *m = ctx;
	long id = schema_find(&m->schema, factor.name);

	if (id < COL_FACTORS)
		return;
	m->cell[id] = (struct text){ NULL, factor.value.len };
	buf_text(&m->factors, factor.value);
}

struct value_placing {
	struct store_merging *m;
	size_t at;
};

static void place_value(void *ctx, struct factor factor)
{
	struct value_placing *p = ctx;
	long id = schema_find(&p->m->schema, factor.name);

	if (id < COL_FACTORS)
		return;
	p->m->cell[id].ptr = p->m->factors.ptr + p->at;
	p->at += factor.value.len;
}

static int read_factors(struct store_merging *m, struct fault *f)
{
	struct value_placing placing = { m, 0 };

	if (!factors_read(m->series.factors, learn_name, m))
		return fault_set(
		    f, "%s: the factors of a series are damaged", m->from->name);
	if (m->cells < m->schema.count) {
		m->cell = mem_resize(m->cell, m->schema.count, sizeof(*m->cell));
		m->cells = m->schema.count;
	}
	for (size_t i = COL_FACTORS; i < m->cells; i++)
		m->cell[i] = (struct text){ "", 0 };
	m->factors.len = 0;
	factors_read(m->series.factors, learn_value, m);
	factors_read(m->series.factors, place_value, &placing);
	return 0;
}

static int ingest_chunk_rows(struct store_merging *m, struct fault *f)
{
	struct store_series *s = &m->series;
	char time[STAMP_MAX];

	for (size_t i = 0; i < s->rows.count; i++) {
		const struct pack_row *packed = &s->rows.row[i];
		struct row row = { .schema = &m->schema,
			.cell = m->cell,
			.has_value = !isnan(packed->value),
			.has_running_pct = !isnan(packed->running_pct),
			.value = packed->value,
			.running_pct = packed->running_pct,
			.process = packed->process,
			.sample = packed->sample,
			.t = packed->t,
			.iterations = packed->iterations };

		m->cell[COL_TIME] = pack_time_text(packed, &s->texts, time);
		m->cell[COL_STATUS] = intern_text(&s->texts, packed->status);
		if (ingest_add_row(m->in, &row, f) < 0)
			return -1;
	}
	return 0;
}

static int ingest_kept_series(struct store_merging *m, struct text run, struct fault *f)
{
	struct store_series *s = &m->series;
	int64_t rows = 0;
	bool damaged;
	int got;

	if (read_factors(m, f) < 0)
		return -1;
	memcpy(m->cell, s->cell, sizeof(s->cell));
	m->cell[COL_RUN] = run;
	while ((got = store_series_rows(s, &damaged, f)) > 0) {
		if (ingest_chunk_rows(m, f) < 0)
			return -1;
		rows += (int64_t)s->rows.count;
	}
	if (damaged)
		return fault_prefix(f, "%s", m->from->name);
	if (got == 0 && rows != s->row_count)
		return fault_set(f,
		    "%s: damaged: a series has only %" PRId64 " of its %" PRId64 " samples",
		    m->from->name, rows, s->row_count);
	return got;
}

/* Ingests the end mark and facts of the run in the current row of merge_runs. */
static int ingest_about_run(
    struct store_merging *m, struct query *run, struct query *facts, struct fault *f)
{
	size_t number = ingest_run_named(m->in, query_text(run, 1));
	int got;

	if (query_type(run, 2) != QUERY_NULL &&
	    ingest_expect(m->in, number, query_integer(run, 2), query_text(run, 3), f) < 0)
		return -1;
	query_bind_integer(facts, 1, query_integer(run, 0));
	while ((got = query_next(facts, f)) > 0)
		ingest_add_run_fact(m->in, number, query_text(facts, 0),
		    query_text(facts, 1), query_text(facts, 2));
	return got;
}

static int ingest_run_series(struct store_merging *m, struct query *run, struct fault *f)
{
	int more;

	store_series_begin(&m->series, query_integer(run, 0));
	while ((more = store_series_next(&m->series, f)) > 0)
		if (ingest_kept_series(m, query_text(run, 1), f) < 0)
			return -1;
	return more;
}

static int merge_runs(struct store_merging *m, struct fault *f)
{
	struct query *q = db_query(m->from->db,
	                 "SELECT run_id, run, expected_rows, ended FROM benchmark_runs"
	                 " ORDER BY run_id",
	                 f),
	             *facts = q ? db_query(m->from->db,
	                              "SELECT env, fact, value FROM run_facts"
	                              " WHERE run_id = $1 ORDER BY env, fact",
	                              f)
	                        : NULL;
	int got = facts ? store_series_open(&m->series, m->from, f) : -1;

	if (facts)
		query_many(q);
	while (got >= 0 && (got = query_next(q, f)) > 0)
		if (ingest_run_series(m, q, f) < 0 ||
		    ingest_about_run(m, q, facts, f) < 0 ||
		    (m->in->rows + m->in->facts.facts >= BATCH_ROWS &&
		        flush_batch(m, f) < 0))
			got = -1;
	store_series_close(&m->series);
	query_close(facts);
	query_close(q);
	return got;
}

static int ingest_newest_facts(struct store_merging *m, struct fault *f)
{
	struct query *q = db_query(m->from->db,
	    "SELECT env, fact, value FROM hardware_info ORDER BY env, fact", f);
	int got = q ? 1 : -1;

	if (q)
		query_many(q);
	while (got > 0 && (got = query_next(q, f)) > 0)
		ingest_add_newest_fact(
		    m->in, query_text(q, 0), query_text(q, 1), query_text(q, 2));
	query_close(q);
	return got;
}

static int copy_tags(
    struct store_merging *m, struct store_seal *seal, uint64_t *tags, struct fault *f)
{
	struct query *q = db_query(m->from->db,
	    "SELECT tag, run FROM run_tags JOIN benchmark_runs USING (run_id)", f);
	struct query *add = q ? db_query(m->to->db,
	                            "INSERT INTO run_tags (tag, run_id) SELECT $1, run_id"
	                            " FROM benchmark_runs WHERE run = $2"
	                            " ON CONFLICT DO NOTHING RETURNING tag, run_id",
	                            f)
	                      : NULL;
	int got = add ? 1 : -1;

	if (q)
		query_many(q);
	while (got > 0 && (got = query_next(q, f)) > 0) {
		query_bind_text(add, 1, query_text(q, 0));
		query_bind_text(add, 2, query_text(q, 1));
		if (store_seal_made(
		        seal, SEAL_TAG, add, &seal->change[STORE_SEAL_TAGS], NULL, f) < 0)
			got = -1;
		++*tags;
	}
	query_close(add);
	query_close(q);
	return got;
}

/* Sets an earlier time of addition of a run. */
static int set_added(struct store_seal *seal, int64_t run_id, struct text added,
    struct query *set, struct fault *f)
{
	struct store_seal_run run;
	int got = store_seal_read_run(seal, &run, run_id, f);

	if (got <= 0)
		return got;
	query_bind_text(set, 1, added);
	query_bind_integer(set, 2, run_id);
	if (query_run(set, f) < 0)
		return -1;
	return store_seal_write_run(seal, &run, run_id, f);
}

/*
 * Copies the times of addition, by which runs without a time are sorted; the earliest one
 * is kept.
 */
static int copy_added(struct store_merging *m, struct store_seal *seal, struct fault *f)
{
	struct query *q = db_query(m->from->db, "SELECT added, run FROM benchmark_runs", f),
	             *find = q ? db_query(m->to->db,
	                             "SELECT run_id FROM benchmark_runs WHERE added > $1"
	                             " AND run = $2",
	                             f)
	                       : NULL,
	             *set =
	                 find
	                     ? db_query(m->to->db,
	                           "UPDATE benchmark_runs SET added = $1 WHERE run_id = $2",
	                           f)
	                     : NULL;
	int got = set ? 1 : -1;

	if (q)
		query_many(q);
	while (got > 0 && (got = query_next(q, f)) > 0) {
		int later;
		int64_t run_id;

		query_bind_text(find, 1, query_text(q, 0));
		query_bind_text(find, 2, query_text(q, 1));
		later = query_next(find, f);
		run_id = later > 0 ? query_integer(find, 0) : 0;
		query_rewind(find);
		if (later > 0)
			later = set_added(seal, run_id, query_text(q, 0), set, f);
		if (later < 0)
			got = -1;
	}
	query_close(set);
	query_close(find);
	query_close(q);
	return got;
}

static int copy_rest(struct store_merging *m, uint64_t *tags, struct fault *f)
{
	struct store_seal seal;
	int status = db_begin(m->to->db, f);

	if (status < 0)
		return -1;
	store_seal_open(&seal, m->to->db);
	status = copy_tags(m, &seal, tags, f);
	if (status == 0)
		status = store_copy_annotations(&seal, m->from->db, f);
	if (status == 0)
		status = copy_added(m, &seal, f);
	if (status == 0)
		status = store_seal_write(&seal, f);
	store_seal_close(&seal);
	if (status == 0)
		status = db_commit(m->to->db, f);
	if (status < 0)
		db_rollback(m->to->db);
	return status;
}

int store_merge(struct store *s, struct store *other, struct store_added *added,
    uint64_t *tags, struct fault *f)
{
	struct store_merging m = {
		.to = s, .from = other, .added = added, .in = ingest_open()
	};
	int status = db_begin_reading(other->db, f);

	*added = (struct store_added){ 0 };
	*tags = 0;
	schema_init(&m.schema);
	m.cells = m.schema.count;
	m.cell = mem_zero(m.cells, sizeof(*m.cell));
	if (status == 0) {
		status = ingest_newest_facts(&m, f);
		if (status == 0)
			status = merge_runs(&m, f);
		if (status == 0)
			status = flush_batch(&m, f);
		if (status == 0)
			status = copy_rest(&m, tags, f);
		db_rollback(other->db);
	}
	ingest_close(m.in);
	schema_free(&m.schema);
	buf_free(&m.factors);
	free(m.cell);
	return status;
}

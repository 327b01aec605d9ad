/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the stored statistics of series; see store_points.h. */
#include <stdlib.h>

#include "store/store_hide_priv.h"
#include "store/store_points.h"
#include "store/store_priv.h"
#include "store/store_summary.h"

int store_points_begin(struct store *s, struct fault *f)
{
	return db_begin_reading(s->db, f);
}

void store_points_end(struct store *s)
{
	db_rollback(s->db);
}

int store_points_runs(struct store *s, void (*each)(void *, const struct store_point_run *),
    void *ctx, struct fault *f)
{
	struct query *q = db_query(s->db,
	    "SELECT run_id, run, coalesce(time, added), coalesce(seal, '')"
	    " FROM benchmark_runs ORDER BY run_id",
	    f);
	int got = q ? 1 : -1;

	while (got > 0 && (got = query_next(q, f)) > 0) {
		struct store_point_run r = store_hide_run(
		    s, (struct store_point_run){ query_integer(q, 0), query_text(q, 1),
		           query_text(q, 2), query_text(q, 3) });

		each(ctx, &r);
	}
	query_close(q);
	return got;
}

/* The columns of a series, in the order of the query. */
enum point_column {
	POINT_RUN,
	POINT_RESULT,
	POINT_HOST,
	POINT_ENV,
	POINT_COMMIT,
	POINT_KIND,
	POINT_BENCH,
	POINT_FACTORS,
	POINT_METRIC,
	POINT_UNIT,
	POINT_N,
	POINT_VALUE,
	POINT_LO,
	POINT_HI
};

/* An interval is that of the median, so a mean has none. */
static const char select_points[] =
    "SELECT run_id, result_id, host, env, commit_id, kind, bench, factors, metric, unit, n,"
    " CASE WHEN metric = 'ok' THEN mean ELSE median END,"
    " CASE WHEN metric = 'ok' THEN NULL ELSE ci_lo END,"
    " CASE WHEN metric = 'ok' THEN NULL ELSE ci_hi END"
    " FROM benchmark_results WHERE run_id BETWEEN $1 AND $2 ORDER BY run_id";

int store_points_read(struct store *s, int64_t first, int64_t last,
    void (*each)(void *, const struct store_point *), void *ctx, struct fault *f)
{
	struct query *q = db_query(s->db, select_points, f);
	struct buf factors = { 0 };
	int got = q ? 1 : -1;

	if (q) {
		query_bind_integer(q, 1, first);
		query_bind_integer(q, 2, last);
		query_many(q);
	}
	while (got > 0 && (got = query_next(q, f)) > 0) {
		struct store_point p = store_hide_point(s,
		    (struct store_point){ .run = query_integer(q, POINT_RUN),
		        .result = query_integer(q, POINT_RESULT),
		        .host = query_text(q, POINT_HOST),
		        .env = query_text(q, POINT_ENV),
		        .commit = query_text(q, POINT_COMMIT),
		        .kind = query_text(q, POINT_KIND),
		        .bench = query_text(q, POINT_BENCH),
		        .factors = query_text(q, POINT_FACTORS),
		        .metric = query_text(q, POINT_METRIC),
		        .unit = query_text(q, POINT_UNIT),
		        .n = query_integer(q, POINT_N),
		        .value = query_number(q, POINT_VALUE),
		        .lo = query_number(q, POINT_LO),
		        .hi = query_number(q, POINT_HI) },
		    &factors);

		each(ctx, &p);
	}
	query_close(q);
	buf_free(&factors);
	return got;
}

int store_points_tags(struct store *s,
    void (*each)(void *, struct text tag, struct text commit), void *ctx, struct fault *f)
{
	struct query *q = db_query(s->db,
	    "SELECT DISTINCT t.tag, r.commit_id FROM run_tags AS t"
	    " JOIN benchmark_runs AS r ON r.run_id = t.run_id ORDER BY t.tag, r.commit_id",
	    f);
	int got = q ? 1 : -1;

	while (got > 0 && (got = query_next(q, f)) > 0)
		each(ctx, query_text(q, 0), store_hide_commit(s, query_text(q, 1)));
	query_close(q);
	return got;
}

int store_points_facts(struct store *s,
    void (*each)(void *, const struct store_point_fact *), void *ctx, struct fault *f)
{
	struct query *q = db_query(s->db,
	    "SELECT i.env, r.host, coalesce(r.time, r.added), i.fact, i.value"
	    " FROM run_facts AS i JOIN benchmark_runs AS r ON r.run_id = i.run_id"
	    " ORDER BY i.env, i.fact, coalesce(r.time, r.added), r.run_id",
	    f);
	int got = q ? 1 : -1;

	if (q)
		query_many(q);
	while (got > 0 && (got = query_next(q, f)) > 0) {
		struct store_point_fact p = store_hide_fact(
		    s, (struct store_point_fact){ query_text(q, 0), query_text(q, 1),
		           query_text(q, 2), query_text(q, 3), query_text(q, 4) });

		each(ctx, &p);
	}
	query_close(q);
	return got;
}

/* The columns of a chunk with its series, in the order of the query. */
enum sample_column {
	SAMPLE_RESULT,
	SAMPLE_HOST,
	SAMPLE_KIND,
	SAMPLE_BENCH,
	SAMPLE_FACTORS,
	SAMPLE_METRIC,
	SAMPLE_UNIT,
	SAMPLE_DATA
};

/* Series with more rows than a chunk are left out, so that each has one chunk, the first.
 */
static const char select_samples[] =
    "SELECT s.result_id, s.host, s.kind, s.bench, s.factors, s.metric, s.unit, d.data"
    " FROM benchmark_runs AS r JOIN benchmark_results AS s ON s.run_id = r.run_id"
    " JOIN raw_benchmark_data AS d ON d.result_id = s.result_id"
    " WHERE r.run = $1 AND s.n >= $2 AND d.row_count = s.row_count"
    " ORDER BY s.result_id";

int store_points_samples(struct store *s, struct text run, int64_t least,
    void (*each)(void *, const struct store_point *, const double *value, size_t count),
    void *ctx, struct fault *f)
{
	struct query *q = db_query(s->db, select_samples, f);
	struct store_summary summary = { 0 };
	struct intern texts = { 0 };
	struct buf factors = { 0 };
	struct pack_rows rows = { 0 };
	int got = q ? 1 : -1;

	if (q) {
		query_bind_text(q, 1, run);
		query_bind_integer(q, 2, least);
	}
	while (got > 0 && (got = query_next(q, f)) > 0) {
		struct collected *c;

		rows.count = 0;
		if (pack_decode(query_bytes(q, SAMPLE_DATA), &texts, &rows, f) < 0 ||
		    store_summary_begin(&summary, query_text(q, SAMPLE_METRIC), f) < 0) {
			got = -1;
			break;
		}
		store_summary_count(&summary, &texts, rows.row, rows.count);
		collect_finish(summary.collect);
		c = collect_group(summary.collect, 0);
		struct store_point p = store_hide_point(s,
		    (struct store_point){ .result = query_integer(q, SAMPLE_RESULT),
		        .host = query_text(q, SAMPLE_HOST),
		        .kind = query_text(q, SAMPLE_KIND),
		        .bench = query_text(q, SAMPLE_BENCH),
		        .factors = query_text(q, SAMPLE_FACTORS),
		        .metric = query_text(q, SAMPLE_METRIC),
		        .unit = query_text(q, SAMPLE_UNIT) },
		    &factors);

		each(ctx, &p, c->value, c->count);
	}
	store_summary_free(&summary);
	buf_free(&factors);
	free(rows.row);
	intern_free(&texts);
	query_close(q);
	return got;
}

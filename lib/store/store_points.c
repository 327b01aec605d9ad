/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See store_points.h. */
#include "store/store_points.h"
#include "store/store_priv.h"

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

	while (got > 0 && (got = query_next(q, f)) > 0)
		each(ctx, &(struct store_point_run){ query_integer(q, 0), query_text(q, 1),
		              query_text(q, 2), query_text(q, 3) });
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
	int got = q ? 1 : -1;

	if (q) {
		query_bind_integer(q, 1, first);
		query_bind_integer(q, 2, last);
		query_many(q);
	}
	while (got > 0 && (got = query_next(q, f)) > 0)
		each(ctx, &(struct store_point){ .run = query_integer(q, POINT_RUN),
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
		              .hi = query_number(q, POINT_HI) });
	query_close(q);
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
		each(ctx, query_text(q, 0), query_text(q, 1));
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
	while (got > 0 && (got = query_next(q, f)) > 0)
		each(ctx, &(struct store_point_fact){ query_text(q, 0), query_text(q, 1),
		              query_text(q, 2), query_text(q, 3), query_text(q, 4) });
	query_close(q);
	return got;
}

/*
 * Reading what is kept, run by run; see store_series.h.
 */
#include <stdlib.h>

#include "render.h"
#include "store_series.h"

int store_series_open(struct store_series *s, struct store *store, struct fault *f)
{
	*s = (struct store_series){ .series = db_query(store->db,
		                        "SELECT result_id, row_count, n, failed, factors,"
		                        " host, env, commit_id, kind, bench, metric, unit"
		                        " FROM benchmark_results WHERE run_id = $1"
		                        " ORDER BY result_id",
		                        f) };
	if (s->series)
		s->chunks = db_query(store->db,
		    "SELECT chunk, row_count, data FROM raw_benchmark_data"
		    " WHERE result_id = $1 ORDER BY chunk",
		    f);
	return s->chunks ? 0 : -1;
}

void store_series_begin(struct store_series *s, int64_t run_id)
{
	query_rewind(s->chunks);
	query_rewind(s->series);
	query_bind_integer(s->series, 1, run_id);
}

int store_series_next(struct store_series *s, struct fault *f)
{
	static const enum column columns[] = { COL_HOST, COL_ENV, COL_COMMIT, COL_KIND,
		COL_BENCH, COL_METRIC, COL_UNIT };
	int got;

	query_rewind(s->chunks);
	got = query_next(s->series, f);
	if (got <= 0)
		return got;
	s->id = query_integer(s->series, 0);
	s->row_count = query_integer(s->series, 1);
	s->n = query_integer(s->series, 2);
	s->failed = query_integer(s->series, 3);
	s->factors = query_text(s->series, 4);
	for (size_t i = 0; i < COUNT(columns); i++)
		s->cell[columns[i]] = query_text(s->series, (int)i + 5);
	query_bind_integer(s->chunks, 1, s->id);
	return 1;
}

int store_series_rows(struct store_series *s, bool *damaged, struct fault *f)
{
	int got = query_next(s->chunks, f);

	*damaged = false;
	if (got <= 0)
		return got;
	s->chunk = query_integer(s->chunks, 0);
	s->chunk_rows = query_integer(s->chunks, 1);
	s->rows.count = 0;
	if (pack_decode(query_bytes(s->chunks, 2), &s->texts, &s->rows, f) == 0)
		return 1;
	*damaged = true;
	return -1;
}

void store_series_name(const struct store_series *s, struct buf *out)
{
	buf_str(out, "bench ");
	text_clean(out, s->cell[COL_BENCH]);
	buf_str(out, ", metric ");
	text_clean(out, s->cell[COL_METRIC]);
	buf_byte(out, ' ');
	text_clean(out, s->factors);
}

void store_series_close(struct store_series *s)
{
	query_close(s->chunks);
	query_close(s->series);
	intern_free(&s->texts);
	free(s->rows.row);
}

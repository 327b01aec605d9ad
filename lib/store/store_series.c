/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the series of runs; see store_series.h.
 */
#include <stdlib.h>

#include "store/store_series.h"
#include "text/display_text.h"

int store_series_open(struct store_series *s, struct store *store, struct fault *f)
{
	*s = (struct store_series){ .series = db_query(store->db,
		                        "SELECT " SEAL_SERIES_COLUMNS
		                        " FROM benchmark_results WHERE run_id = $1"
		                        " ORDER BY result_id",
		                        f) };
	if (!s->series)
		return -1;
	query_many(s->series);
	if (store_chunks_open(&s->chunks, store, f) < 0)
		return -1;
	store_chunks_read_ahead(&s->chunks);
	return 0;
}

void store_series_begin(struct store_series *s, int64_t run_id)
{
	store_chunks_end(&s->chunks);
	query_rewind(s->series);
	query_bind_integer(s->series, 1, run_id);
}

int store_series_next(struct store_series *s, struct fault *f)
{
	static const struct {
		enum column column;
		int at;
	} cells[] = { { COL_HOST, SERIES_HOST }, { COL_ENV, SERIES_ENV },
		{ COL_COMMIT, SERIES_COMMIT }, { COL_KIND, SERIES_KIND },
		{ COL_BENCH, SERIES_BENCH }, { COL_METRIC, SERIES_METRIC },
		{ COL_UNIT, SERIES_UNIT } };
	int got;

	got = query_next(s->series, f);
	if (got <= 0)
		return got;
	s->id = query_integer(s->series, SERIES_ID);
	s->row_count = query_integer(s->series, SERIES_ROW_COUNT);
	s->factors = query_text(s->series, SERIES_FACTORS);
	for (size_t i = 0; i < COUNT(cells); i++)
		s->cell[cells[i].column] = query_text(s->series, cells[i].at);
	store_chunks_begin(&s->chunks, s->id);
	return 1;
}

int store_series_rows(struct store_series *s, bool *damaged, struct fault *f)
{
	int got = store_chunks_next(&s->chunks, f);

	*damaged = false;
	if (got <= 0)
		return got;
	s->chunk = s->chunks.chunk;
	s->chunk_rows = s->chunks.rows;
	s->rows.count = 0;
	if (pack_decode(s->chunks.data, &s->texts, &s->rows, f) == 0)
		return 1;
	*damaged = true;
	return -1;
}

void store_series_name(const struct store_series *s, struct buf *out)
{
	buf_str(out, "bench ");
	display_text_clean(out, s->cell[COL_BENCH]);
	buf_str(out, ", metric ");
	display_text_clean(out, s->cell[COL_METRIC]);
	buf_byte(out, ' ');
	display_text_clean(out, s->factors);
}

void store_series_close(struct store_series *s)
{
	store_chunks_close(&s->chunks);
	query_close(s->series);
	intern_free(&s->texts);
	free(s->rows.row);
}

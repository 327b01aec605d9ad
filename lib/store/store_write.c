/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing series. A new one is inserted whole, with its summary, through db_insert, which a
 * server takes many at once; so its id is taken beforehand, not read back.
 */
#include <stdlib.h>

#include "store/store_write.h"

enum { SUBJECT_COLUMNS = 10, MOST_IDS = 1 << 16 };

static struct query *insert_series(struct db *db, struct fault *f)
{
	struct buf columns = { 0 };
	struct query *q;

	buf_str(&columns,
	    "result_id, run_id, bench, metric, factors, kind, unit, host, env,"
	    " commit_id, row_count");
	for (size_t i = 0; i < STORE_STATISTICS; i++)
		buf_printf(&columns, ", %s", store_statistics[i].name);
	q = db_insert(db, "benchmark_results", columns.ptr,
	    SUBJECT_COLUMNS + 1 + STORE_STATISTICS, f);
	buf_free(&columns);
	return q;
}

static struct query *update_summary(struct db *db, struct fault *f)
{
	struct buf sql = { 0 };
	struct query *q;

	buf_str(&sql, "UPDATE benchmark_results SET row_count = $1");
	for (int i = 0; i < STORE_STATISTICS; i++)
		buf_printf(&sql, ", %s = $%d", store_statistics[i].name, i + 2);
	buf_printf(&sql, " WHERE result_id = $%d", STORE_STATISTICS + 2);
	q = db_query(db, sql.ptr, f);
	buf_free(&sql);
	return q;
}

int store_write_open(struct store_write *w, struct store *s, size_t series, struct fault *f)
{
	*w = (struct store_write){ .db = s->db,
		.more = series < MOST_IDS ? series : MOST_IDS };
	w->series = insert_series(s->db, f);
	if (w->series)
		w->chunk = db_insert(
		    s->db, "raw_benchmark_data", "result_id, chunk, row_count, data", 4, f);
	if (w->chunk)
		w->summary = update_summary(s->db, f);
	if (w->summary)
		w->drop = db_query(
		    s->db, "DELETE FROM raw_benchmark_data WHERE result_id = $1", f);
	return w->drop ? 0 : -1;
}

void store_write_close(struct store_write *w)
{
	store_summary_free(&w->counted);
	query_close(w->drop);
	query_close(w->summary);
	query_close(w->chunk);
	query_close(w->series);
	buf_free(&w->packed);
	free(w->id);
}

static void bind_summary(struct store_write *w, struct query *q, int at)
{
	double value[STORE_STATISTICS];

	store_summary_finish(&w->counted, value);
	query_bind_integer(q, at, (int64_t)w->counted.rows);
	for (int i = 0; i < STORE_STATISTICS; i++)
		if (store_statistics[i].is_count)
			query_bind_integer(q, at + 1 + i, (int64_t)value[i]);
		else
			query_bind_number(q, at + 1 + i, value[i]);
}

static int take_id(struct store_write *w, int64_t *id, struct fault *f)
{
	if (w->used == w->ids) {
		w->id = mem_resize(w->id, w->more, sizeof(*w->id));
		if (db_ids(w->db, "benchmark_results", "result_id", w->more, w->id, f) < 0)
			return -1;
		w->ids = w->more;
		w->used = 0;
	}
	*id = w->id[w->used++];
	return 0;
}

int store_write_series(struct store_write *w, const struct store_subject *subject,
    int64_t *id, struct fault *f)
{
	struct query *q = w->series;

	if (take_id(w, id, f) < 0)
		return -1;
	query_bind_integer(q, 1, *id);
	query_bind_integer(q, 2, subject->run_id);
	query_bind_text(q, 3, subject->bench);
	query_bind_text(q, 4, subject->metric);
	query_bind_text(q, 5, subject->factors);
	query_bind_text(q, 6, subject->kind);
	query_bind_text(q, 7, subject->unit);
	query_bind_text(q, 8, subject->host);
	query_bind_text(q, 9, subject->env);
	query_bind_text(q, 10, subject->commit);
	bind_summary(w, q, SUBJECT_COLUMNS + 1);
	return query_run(q, f);
}

int store_write_summary(struct store_write *w, int64_t id, struct fault *f)
{
	bind_summary(w, w->summary, 1);
	query_bind_integer(w->summary, STORE_STATISTICS + 2, id);
	return query_run(w->summary, f);
}

int store_write_chunk(struct store_write *w, int64_t id, int64_t chunk, struct text bytes,
    size_t rows, struct fault *f)
{
	query_bind_integer(w->chunk, 1, id);
	query_bind_integer(w->chunk, 2, chunk);
	query_bind_integer(w->chunk, 3, (int64_t)rows);
	query_bind_bytes(w->chunk, 4, bytes);
	return query_run(w->chunk, f);
}

int store_write_rows(struct store_write *w, int64_t id, const struct intern *texts,
    const struct pack_row *rows, size_t count, struct fault *f)
{
	int64_t chunk = 0;

	for (size_t i = 0; i < count; i += PACK_ROWS) {
		size_t n = count - i < PACK_ROWS ? count - i : PACK_ROWS;

		w->packed.len = 0;
		pack_encode(rows + i, n, texts, &w->packed);
		if (store_write_chunk(w, id, chunk++,
		        (struct text){ w->packed.ptr, w->packed.len }, n, f) < 0)
			return -1;
	}
	return 0;
}

int store_write_drop(struct store_write *w, int64_t id, struct fault *f)
{
	query_bind_integer(w->drop, 1, id);
	return query_run(w->drop, f);
}

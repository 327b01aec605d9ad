/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes series. A new series is inserted completely, with its statistics, through
 * db_insert, which sends many rows to a server at once. Its id is therefore reserved
 * beforehand, not read back.
 */
#include <stdlib.h>
#include <string.h>

#include "store/store_write.h"

enum { MOST_IDS = 1 << 16, MORE_CHUNKS = 1 << 14 };

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

static struct query *insert_chunk(struct store_write *w, struct fault *f)
{
	return w->numbers ? db_insert(w->db, "raw_benchmark_data",
	                        "raw_id, result_id, chunk, row_count, data", 5, f)
	                  : db_insert(w->db, "raw_benchmark_data",
	                        "result_id, chunk, row_count, data", 4, f);
}

int store_write_open(struct store_write *w, struct store *s, size_t series, struct fault *f)
{
	*w = (struct store_write){ .db = s->db,
		.numbers = strcmp(db_word(s->db, DB_RAW_ID), "raw_id") == 0,
		.ids = { .table = "benchmark_results",
		    .column = "result_id",
		    .more = series < MOST_IDS ? series : MOST_IDS },
		.chunk_ids = { .table = "raw_benchmark_data",
		    .column = "raw_id",
		    .more = MORE_CHUNKS } };
	w->series =
	    db_insert(s->db, "benchmark_results", SEAL_SERIES_COLUMNS, SERIES_COLUMNS, f);
	if (w->series)
		w->chunk = insert_chunk(w, f);
	return w->chunk ? 0 : -1;
}

/* Prepares the statements that only existing series need. 0 or -1. */
static int prepare_changes(struct store_write *w, struct fault *f)
{
	if (w->drop)
		return 0;
	if (!w->summary)
		w->summary = update_summary(w->db, f);
	if (w->summary && !w->again)
		w->again = db_query(w->db,
		    "SELECT " SEAL_SERIES_COLUMNS
		    " FROM benchmark_results WHERE result_id = $1",
		    f);
	if (w->again)
		w->drop = db_query(
		    w->db, "DELETE FROM raw_benchmark_data WHERE result_id = $1", f);
	return w->drop ? 0 : -1;
}

void store_write_close(struct store_write *w)
{
	store_summary_free(&w->counted);
	query_close(w->drop);
	query_close(w->again);
	query_close(w->summary);
	query_close(w->chunk);
	query_close(w->series);
	buf_free(&w->packed);
	seal_row_free(&w->row);
	free(w->ids.id);
	free(w->chunk_ids.id);
}

int store_write_begin(struct store_write *w, struct text metric, struct fault *f)
{
	w->change = (struct checksum){ 0 };
	return store_summary_begin(&w->counted, metric, f);
}

/* Binds the next column of a row that is inserted, and adds it to the row's hash. */

static void put_integer(struct store_write *w, struct query *q, int64_t n)
{
	seal_row_integer(&w->row, n);
	query_bind_integer(q, ++w->bound, n);
}

/* SQLite does not keep the sign of zero. */
static void put_number(struct store_write *w, struct query *q, double x)
{
	seal_row_number(&w->row, x + 0.0);
	query_bind_number(q, ++w->bound, x + 0.0);
}

static void put_text(struct store_write *w, struct query *q, struct text t)
{
	seal_row_text(&w->row, t);
	query_bind_text(q, ++w->bound, t);
}

static void begin_row(struct store_write *w, enum seal_table table)
{
	seal_row_begin(&w->row, table);
	w->bound = 0;
}

static void add_row(struct store_write *w)
{
	struct checksum hash = seal_row_hash(&w->row);

	checksum_add(&w->change, &hash);
}

static void put_summary(struct store_write *w, struct query *q)
{
	double value[STORE_STATISTICS];

	store_summary_finish(&w->counted, value);
	put_integer(w, q, (int64_t)w->counted.rows);
	for (int i = 0; i < STORE_STATISTICS; i++)
		if (store_statistics[i].is_count)
			put_integer(w, q, (int64_t)value[i]);
		else
			put_number(w, q, value[i]);
}

static int take_id(
    struct store_write *w, struct store_write_ids *ids, int64_t *id, struct fault *f)
{
	if (ids->used == ids->count) {
		ids->id = mem_resize(ids->id, ids->more, sizeof(*ids->id));
		if (db_ids(w->db, ids->table, ids->column, ids->more, ids->id, f) < 0)
			return -1;
		ids->count = ids->more;
		ids->used = 0;
	}
	*id = ids->id[ids->used++];
	return 0;
}

int store_write_series(struct store_write *w, const struct store_subject *subject,
    int64_t *id, struct fault *f)
{
	struct query *q = w->series;

	if (take_id(w, &w->ids, id, f) < 0)
		return -1;
	begin_row(w, SEAL_SERIES);
	put_integer(w, q, *id);
	put_integer(w, q, subject->run_id);
	put_text(w, q, subject->host);
	put_text(w, q, subject->env);
	put_text(w, q, subject->commit);
	put_text(w, q, subject->kind);
	put_text(w, q, subject->bench);
	put_text(w, q, subject->factors);
	put_text(w, q, subject->metric);
	put_text(w, q, subject->unit);
	put_summary(w, q);
	add_row(w);
	return query_run(q, f);
}

/*
 * RETURNING is not suitable, because SQLite converts a zero in a column of doubles to an
 * integer.
 */
int store_write_summary(struct store_write *w, int64_t id, struct fault *f)
{
	struct query *q;
	int got;

	if (prepare_changes(w, f) < 0)
		return -1;
	q = w->summary;
	begin_row(w, SEAL_SERIES); /* the whole row is read back */
	put_summary(w, q);
	query_bind_integer(q, STORE_STATISTICS + 2, id);
	if (query_run(q, f) < 0)
		return -1;
	query_bind_integer(w->again, 1, id);
	while ((got = query_next(w->again, f)) > 0) {
		struct checksum hash = store_seal_hash(&w->row, SEAL_SERIES, w->again, 0);

		checksum_add(&w->change, &hash);
	}
	return got;
}

int store_write_chunk(struct store_write *w, int64_t id, int64_t chunk, struct text bytes,
    size_t rows, struct fault *f)
{
	int64_t number;

	begin_row(w, SEAL_CHUNK);
	if (w->numbers) {
		if (take_id(w, &w->chunk_ids, &number, f) < 0)
			return -1;
		put_integer(w, w->chunk, number);
	} else {
		seal_row_null(&w->row);
	}
	put_integer(w, w->chunk, id);
	put_integer(w, w->chunk, chunk);
	put_integer(w, w->chunk, (int64_t)rows);
	seal_row_bytes(&w->row, bytes);
	query_bind_bytes(w->chunk, ++w->bound, bytes);
	add_row(w);
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
		        text_in(&w->packed), n, f) < 0)
			return -1;
	}
	return 0;
}

int store_write_drop(struct store_write *w, int64_t id, struct fault *f)
{
	if (prepare_changes(w, f) < 0)
		return -1;
	query_bind_integer(w->drop, 1, id);
	return query_run(w->drop, f);
}

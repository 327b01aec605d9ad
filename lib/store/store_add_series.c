/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds the rows of one series. A new series whose rows are sorted is stored as it was
 * packed. If the series already has rows, or if its rows are not sorted, it is unpacked,
 * sorted together with the stored rows, checked for conflicting rows, and written again.
 * The chunks of a series are therefore always sorted and disjoint.
 */
#include <stdlib.h>

#include "store/row_merge.h"
#include "store/store_add_priv.h"
#include "text/display_text.h"

/*
 * Checks that a subject of a run has one host, env and commit, which do not identify its
 * rows.
 */
static int check_origin(struct store_addition *a, const struct ingest_series *s,
    const struct text there[3], struct fault *f)
{
	static const enum column origin[] = { COL_HOST, COL_ENV, COL_COMMIT };
	static const char *const names[] = { "host", "env", "commit" };

	for (size_t i = 0; i < COUNT(origin); i++) {
		struct text came = a->cell[origin[i]];
		struct buf what = { 0 };

		if (text_equal(there[i], came))
			continue;
		row_merge_name(&what, a->in, s);
		buf_printf(&what, ": %s is '", names[i]);
		display_text_clean(&what, came);
		buf_str(&what, "' here and '");
		display_text_clean(&what, there[i]);
		buf_str(&what, "' in rows of the same run; nothing was added");
		fault_set(f, "%s", what.ptr);
		buf_free(&what);
		return -1;
	}
	return 0;
}

/*
 * Finds the series in a run that was in the database before. Sets *id, to 0 if the series
 * is new.
 */
static int find_series(
    struct store_addition *a, const struct ingest_series *s, int64_t *id, struct fault *f)
{
	enum { ORIGIN = SERIES_HOST };

	struct query *q = a->query[STORE_ADD_FIND_SERIES];
	int got;

	query_bind_integer(q, 1, a->run[s->run].id);
	query_bind_text(q, 2, a->cell[COL_BENCH]);
	query_bind_text(q, 3, a->cell[COL_METRIC]);
	query_bind_text(q, 4, text_in(&a->factors));
	query_bind_text(q, 5, a->cell[COL_KIND]);
	query_bind_text(q, 6, a->cell[COL_UNIT]);
	got = query_next(q, f);
	*id = got > 0 ? query_integer(q, SERIES_ID) : 0;
	if (got > 0)
		a->there = store_seal_hash(&a->seal.row, SEAL_SERIES, q, 0);
	if (got > 0 && check_origin(a, s,
	                   (struct text[]){ query_text(q, ORIGIN),
	                       query_text(q, ORIGIN + 1), query_text(q, ORIGIN + 2) },
	                   f) < 0)
		got = -1;
	query_rewind(q);
	return got < 0 ? -1 : 0;
}

static void add_key(struct buf *key, struct text t)
{
	buf_put(key, &t.len, sizeof(t.len));
	buf_text(key, t);
}

/*
 * Checks the series against the ones ingested before. If one of them has the same subject,
 * sets *again and writes pending rows to the tables, so that the series will be found.
 */
static int check_ingested(
    struct store_addition *a, const struct ingest_series *s, bool *again, struct fault *f)
{
	static const enum column subject[] = { COL_BENCH, COL_METRIC, COL_KIND, COL_UNIT };
	size_t known = a->subjects.count, number;
	const struct ingest_series *first;

	if (a->distinct)
		return 0;
	a->key.len = 0;
	buf_put(&a->key, &s->run, sizeof(s->run));
	for (size_t i = 0; i < COUNT(subject); i++)
		add_key(&a->key, a->cell[subject[i]]);
	buf_put(&a->key, a->factors.ptr, a->factors.len);
	number = intern_add(&a->subjects, text_in(&a->key));
	if (number == known) {
		*VEC_ADD(a->of_subject, known, a->cap) = (size_t)(s - a->in->series);
		return 0;
	}
	first = &a->in->series[a->of_subject[number]];
	*again = true;
	if (check_origin(a, s,
	        (struct text[]){ store_add_cell(a, first, COL_HOST),
	            store_add_cell(a, first, COL_ENV),
	            store_add_cell(a, first, COL_COMMIT) },
	        f) < 0)
		return -1;
	return db_flush(a->store->db, f);
}

/* Adds rows of the current series to a checksum. */
static void sum_rows(struct store_addition *a, const struct ingest_series *s,
    const struct pack_row *rows, size_t count, struct checksum *sum)
{
	char time[STAMP_MAX];

	if (!a->run[s->run].summed)
		return;
	for (size_t i = 0; i < count; i++)
		checksum_row(sum, &a->series, &rows[i],
		    pack_time_text(&rows[i], &a->in->texts, time),
		    intern_text(&a->in->texts, rows[i].status));
}

static int write_new(
    struct store_addition *a, const struct ingest_series *s, int64_t *id, struct fault *f)
{
	struct store_subject subject = {
		.run_id = a->run[s->run].id,
		.bench = a->cell[COL_BENCH],
		.metric = a->cell[COL_METRIC],
		.factors = { a->factors.ptr, a->factors.len },
		.kind = a->cell[COL_KIND],
		.unit = a->cell[COL_UNIT],
		.host = a->cell[COL_HOST],
		.env = a->cell[COL_ENV],
		.commit = a->cell[COL_COMMIT],
	};

	return store_write_series(&a->write, &subject, id, f);
}

/* Writes a new sorted series: its chunks as they were packed. */
static int keep_chunks(
    struct store_addition *a, const struct ingest_series *s, struct fault *f)
{
	size_t chunks = ingest_series_chunks(s);
	int64_t id;

	for (size_t i = 0; i < chunks; i++) {
		a->rows.count = 0;
		if (ingest_series_rows(a->in, s, i, &a->rows, f) < 0)
			return -1;
		store_summary_count(
		    &a->write.counted, &a->in->texts, a->rows.row, a->rows.count);
		sum_rows(a, s, a->rows.row, a->rows.count, &a->run[s->run].sum);
	}
	if (write_new(a, s, &id, f) < 0)
		return -1;
	for (size_t i = 0; i < chunks; i++) {
		struct ingest_chunk chunk = ingest_series_chunk(a->in, s, i);

		if (store_write_chunk(&a->write, id, (int64_t)i,
		        (struct text){ chunk.bytes, chunk.len }, chunk.rows, f) < 0)
			return -1;
	}
	a->added->rows += s->rows;
	return 0;
}

static int read_kept(struct store_addition *a, int64_t id, struct fault *f)
{
	int got;

	store_chunks_begin(&a->kept, id);
	while ((got = store_chunks_next(&a->kept, f)) > 0) {
		struct checksum hash =
		    store_seal_hash(&a->seal.row, SEAL_CHUNK, a->kept.query, 0);

		checksum_add(&a->there, &hash);
		if (pack_decode(a->kept.data, &a->in->texts, &a->rows, f) < 0) {
			struct fault why = *f;

			store_chunks_end(&a->kept);
			return fault_set(f, "%s: %.900s", a->store->name, why.text);
		}
	}
	return got;
}

/*
 * Returns 1 if the chunks of a series equal the stored ones byte for byte, 0 if not, or
 * -1.
 */
static int same_chunks(
    struct store_addition *a, const struct ingest_series *s, int64_t id, struct fault *f)
{
	size_t same = 0, chunks = ingest_series_chunks(s);
	int got;

	store_chunks_begin(&a->kept, id);
	while ((got = store_chunks_next(&a->kept, f)) > 0 && same < chunks) {
		struct ingest_chunk chunk = ingest_series_chunk(a->in, s, same);

		if (!text_equal(a->kept.data, (struct text){ chunk.bytes, chunk.len }))
			break;
		same++;
	}
	store_chunks_end(&a->kept);
	return got < 0 ? -1 : got == 0 && same == chunks;
}

/* Updates the checksum of the run: the merged rows replace the old rows of the series. */
static void sum_anew(struct store_addition *a, const struct ingest_series *s,
    const struct pack_rows *merged, const struct pack_row *old, size_t olds)
{
	struct checksum *sum = &a->run[s->run].sum, before = { 0 };

	sum_rows(a, s, old, olds, &before);
	checksum_subtract(sum, &before);
	sum_rows(a, s, merged->row, merged->count, sum);
}

/* Replaces the old rows with the merged rows. */
static int write_merged(struct store_addition *a, const struct ingest_series *s, int64_t id,
    const struct pack_rows *merged, struct fault *f)
{
	store_summary_count(&a->write.counted, &a->in->texts, merged->row, merged->count);
	if (!id) {
		if (write_new(a, s, &id, f) < 0)
			return -1;
	} else {
		checksum_subtract(&a->run[s->run].seal.change, &a->there);
		if (store_write_summary(&a->write, id, f) < 0 ||
		    store_write_drop(&a->write, id, f) < 0)
			return -1;
	}
	return store_write_rows(
	    &a->write, id, &a->in->texts, merged->row, merged->count, f);
}

/* Merges the new rows into the series with an id; 0: a new series. */
static int merge_series(
    struct store_addition *a, const struct ingest_series *s, int64_t id, struct fault *f)
{
	struct pack_rows merged = { 0 };
	size_t old, fresh;
	int status = -1, same = id ? same_chunks(a, s, id, f) : 0;

	if (same < 0)
		return -1;
	if (same && s->as_kept) {
		a->added->known += s->rows;
		return 0;
	}
	a->rows.count = 0;
	if (id && read_kept(a, id, f) < 0)
		return -1;
	old = a->rows.count;
	for (size_t i = 0; i < ingest_series_chunks(s); i++)
		if (ingest_series_rows(a->in, s, i, &a->rows, f) < 0)
			return -1;
	if (row_merge_series(a->in, s, &a->rows, old, &merged, f) == 0) {
		fresh = merged.count - old;
		a->added->rows += fresh;
		a->added->known += s->rows - fresh;
		status = fresh ? write_merged(a, s, id, &merged, f) : 0;
		if (fresh)
			sum_anew(a, s, &merged, a->rows.row, old);
	}
	free(merged.row);
	return status;
}

int store_add_series(
    struct store_addition *a, const struct ingest_series *s, struct fault *f)
{
	struct store_run_target *run = &a->run[s->run];
	uint64_t before = a->added->rows;
	bool again = false;
	int64_t id = 0;

	a->cell = ingest_series_cells(a->in, s);
	a->factors.len = 0;
	ingest_series_factors(a->in, a->cell, &a->factors);
	if (store_add_run(a, s, f) < 0 || check_ingested(a, s, &again, f) < 0 ||
	    ((!run->fresh || again) && find_series(a, s, &id, f) < 0))
		return -1;
	a->series = checksum_series(a->cell, text_in(&a->factors), &a->key);
	if (store_write_begin(&a->write, a->cell[COL_METRIC], f) < 0 ||
	    (!id && s->as_kept ? keep_chunks(a, s, f) : merge_series(a, s, id, f)) < 0)
		return -1;
	checksum_add(&run->seal.change, &a->write.change);
	if (a->added->rows > before) {
		a->added->runs += !run->changed;
		run->rows += (int64_t)(a->added->rows - before);
		run->changed = true;
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes series to the tables: their statistics, rows and chunks.
 */
#ifndef STORE_STORE_WRITE_H
#define STORE_STORE_WRITE_H

#include "store/ingest.h"
#include "store/store_priv.h"
#include "store/store_seal.h"
#include "store/store_summary.h"

/* Ids reserved for new rows of a table. */
struct store_write_ids {
	const char *table, *column;
	size_t more; /* number of ids to reserve at a time */
	int64_t *id;
	size_t count, used;
};

struct store_write {
	struct db *db;
	struct query *series, *chunk, *summary, *again, *drop;
	struct store_summary counted; /* the current series */
	struct checksum change; /* change of the seal of the run by the rows written */
	struct store_write_ids ids, chunk_ids;
	bool numbers; /* whether chunks have a raw_id */
	struct buf packed;
	struct seal_row row; /* the current row */
	int bound;           /* number of its columns that are bound */
};

/* The columns that identify a series, and its host, env and commit. */
struct store_subject {
	int64_t run_id;
	struct text bench, metric, factors, kind, unit, host, env, commit;
};

/* Prepares to write at most `series` new series. Returns 0, or -1 and the message; call
 * store_write_close in both cases. */
int store_write_open(
    struct store_write *w, struct store *s, size_t series, struct fault *f);
void store_write_close(struct store_write *w);

/* Begins a series of a metric, and resets w->counted. Returns 0, or -1 and the message. */
int store_write_begin(struct store_write *w, struct text metric, struct fault *f);
/* Writes a new series with the statistics of w->counted, and sets *id. Returns 0, or -1 and
 * the message. */
int store_write_series(struct store_write *w, const struct store_subject *subject,
    int64_t *id, struct fault *f);
/* Writes the statistics of w->counted to an existing series. Returns 0, or -1 and the
 * message. */
int store_write_summary(struct store_write *w, int64_t id, struct fault *f);

/* Writes a packed chunk. Returns 0, or -1 and the message. */
int store_write_chunk(struct store_write *w, int64_t id, int64_t chunk, struct text bytes,
    size_t rows, struct fault *f);
/* Packs sorted rows, and writes all their chunks. Returns 0, or -1 and the message. */
int store_write_rows(struct store_write *w, int64_t id, const struct intern *texts,
    const struct pack_row *rows, size_t count, struct fault *f);
/* Removes all chunks of a series; the caller subtracts their hashes from the seal. Returns
 * 0, or -1 and the message. */
int store_write_drop(struct store_write *w, int64_t id, struct fault *f);

#endif

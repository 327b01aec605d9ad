/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Series on their way into the tables: their summaries, rows and chunks.
 */
#ifndef STORE_STORE_WRITE_H
#define STORE_STORE_WRITE_H

#include "store/ingest.h"
#include "store/store_priv.h"
#include "store/store_seal.h"
#include "store/store_summary.h"

/* Ids taken for new rows of a table. */
struct store_write_ids {
	const char *table, *column;
	size_t more; /* how many are taken at once */
	int64_t *id;
	size_t count, used;
};

struct store_write {
	struct db *db;
	struct query *series, *chunk, *summary, *again, *drop;
	struct store_summary counted; /* the series under way */
	struct checksum change;       /* of the run's seal, by what was written of it */
	struct store_write_ids ids, chunk_ids;
	bool numbers; /* whether chunks have numbers of their own */
	struct buf packed;
	struct seal_row row; /* under way ... */
	int bound;           /* ... and how many of its columns are bound */
};

/* The columns that tell one series of a run from another, and where it comes from. */
struct store_subject {
	int64_t run_id;
	struct text bench, metric, factors, kind, unit, host, env, commit;
};

/* At most series new ones are to be written. 0 or -1; to be closed in both cases. */
int store_write_open(
    struct store_write *w, struct store *s, size_t series, struct fault *f);
void store_write_close(struct store_write *w);

/* Begins a series, for which w->counted is reset. */
void store_write_begin(struct store_write *w);
/* A new series with the summary of what was counted; its id goes to *id. 0 or -1. */
int store_write_series(struct store_write *w, const struct store_subject *subject,
    int64_t *id, struct fault *f);
/* The summary of what was counted for one that is there. 0 or -1. */
int store_write_summary(struct store_write *w, int64_t id, struct fault *f);

/* A chunk, as packed. 0 or -1. */
int store_write_chunk(struct store_write *w, int64_t id, int64_t chunk, struct text bytes,
    size_t rows, struct fault *f);
/* All chunks of rows that are in order. 0 or -1. */
int store_write_rows(struct store_write *w, int64_t id, const struct intern *texts,
    const struct pack_row *rows, size_t count, struct fault *f);
/* Drop all chunks of a series; their seals are for the caller to subtract. 0 or -1. */
int store_write_drop(struct store_write *w, int64_t id, struct fault *f);

#endif

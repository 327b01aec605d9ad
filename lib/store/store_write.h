/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Series on their way into the tables: their summaries, rows and chunks.
 */
#ifndef STORE_STORE_WRITE_H
#define STORE_STORE_WRITE_H

#include "store/ingest.h"
#include "store/store_priv.h"
#include "store/store_summary.h"

struct store_write {
	struct db *db;
	struct query *series, *chunk, *summary, *drop;
	struct store_summary counted; /* the series under way */
	int64_t *id;                  /* taken for new series */
	size_t ids, used, more;       /* of them; how many are taken at once */
	struct buf packed;
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

/* A new series with the summary of what was counted since store_summary_begin; its id goes
 * to *id. 0 or -1. */
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
/* Drop all chunks of a series. 0 or -1. */
int store_write_drop(struct store_write *w, int64_t id, struct fault *f);

#endif

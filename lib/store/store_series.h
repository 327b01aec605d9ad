/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the series of a run from the database, with their rows chunk by chunk.
 */
#ifndef STORE_STORE_SERIES_H
#define STORE_STORE_SERIES_H

#include "store/seal.h"
#include "store/store_chunks.h"

struct store_series {
	/* of the current series */
	int64_t id, row_count;
	struct text factors;           /* as factors_write writes them */
	struct text cell[COL_FACTORS]; /* host, env, commit, kind, bench, metric, unit */
	/* of the current chunk */
	int64_t chunk, chunk_rows; /* its number, and its expected number of rows */
	struct pack_rows rows;
	struct intern texts;

	struct query *series; /* of SEAL_SERIES_COLUMNS */
	struct store_chunks chunks;
};

/* Prepares the queries. Returns 0, or -1 and the message; call store_series_close in both
 * cases. */
int store_series_open(struct store_series *s, struct store *store, struct fault *f);
/* Begins the series of a run. */
void store_series_begin(struct store_series *s, int64_t run_id);
/* Reads the next series. Returns 1, 0 if there is none, or -1. The strings are valid until
 * the next call. */
int store_series_next(struct store_series *s, struct fault *f);
/* Reads the rows of the next chunk of the series. Returns 1, 0 if there is none, or -1.
 * Sets *damaged if -1 means that the chunk is damaged. */
int store_series_rows(struct store_series *s, bool *damaged, struct fault *f);
/* Appends "bench B, metric M {factors}", without control characters. */
void store_series_name(const struct store_series *s, struct buf *out);
void store_series_close(struct store_series *s);

#endif

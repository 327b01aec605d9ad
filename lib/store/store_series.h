/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The series of one run as they are kept: what they have in common, and their rows chunk by
 * chunk.
 */
#ifndef STORE_STORE_SERIES_H
#define STORE_STORE_SERIES_H

#include "store/seal.h"
#include "store/store_chunks.h"

struct store_series {
	/* of the series under way */
	int64_t id, row_count;
	struct text factors;           /* as factors_write has them */
	struct text cell[COL_FACTORS]; /* host, env, commit, kind, bench, metric, unit */
	/* of the chunk under way */
	int64_t chunk, chunk_rows; /* its number, and how many rows it should have */
	struct pack_rows rows;
	struct intern texts;

	struct query *series; /* of SEAL_SERIES_COLUMNS */
	struct store_chunks chunks;
};

/* 0 or -1; to be closed in both cases. */
int store_series_open(struct store_series *s, struct store *store, struct fault *f);
/* Begin with the first series of a run. */
void store_series_begin(struct store_series *s, int64_t run_id);
/* The next series: 1, 0 when there is none, -1. Texts live until the next one. */
int store_series_next(struct store_series *s, struct fault *f);
/* The rows of its next chunk: 1, 0 when there is none, -1. When the chunk is damaged,
 * *damaged is set beside. */
int store_series_rows(struct store_series *s, bool *damaged, struct fault *f);
/* Append "bench B, metric M {factors}", cleaned for a terminal. */
void store_series_name(const struct store_series *s, struct buf *out);
void store_series_close(struct store_series *s);

#endif

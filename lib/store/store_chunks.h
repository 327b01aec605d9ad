/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the chunks of series in order, a few at a time, so that a long series is never in
 * memory as a whole. If series are read in the order of their ids, a statement may continue
 * with the chunks of the next series, since a statement for each series would take longer
 * than reading its chunks if it is short.
 */
#ifndef STORE_STORE_CHUNKS_H
#define STORE_STORE_CHUNKS_H

#include "store/store_priv.h"

struct store_chunks {
	struct query *query; /* of the columns of SEAL_CHUNK */
	int64_t series;
	int64_t chunk, rows; /* number of the current chunk, and its expected rows */
	struct text data;    /* packed, of the current chunk; until the next one */

	bool ahead;   /* statements may continue with the next series */
	int64_t last; /* the last series that the statement may return */
	int64_t of;   /* the series of the row that was read last, ... */
	bool pending; /* ... which has not been returned, as it is not of `series` */
	size_t taken; /* number of the requested chunks that were read */
};

/* Prepares the query. Returns 0, or -1 and the message; call store_chunks_close in both
 * cases. */
int store_chunks_open(struct store_chunks *c, struct store *s, struct fault *f);
void store_chunks_close(struct store_chunks *c);
/* Allows statements to continue with the next series; chunks must not change meanwhile. */
void store_chunks_read_ahead(struct store_chunks *c);

/* Begins a series, by its result_id, and ends the current one. */
void store_chunks_begin(struct store_chunks *c, int64_t series);
/* Reads the next chunk. Returns 1, 0 if there is none, or -1. */
int store_chunks_next(struct store_chunks *c, struct fault *f);
/* Ends the series before its last chunk. */
void store_chunks_end(struct store_chunks *c);

#endif

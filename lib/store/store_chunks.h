/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The chunks of a series, in their order, some at a time, so that a long series never
 * stands in memory as a whole.
 */
#ifndef STORE_STORE_CHUNKS_H
#define STORE_STORE_CHUNKS_H

#include "store/store_priv.h"

struct store_chunks {
	struct query *query; /* of the columns of SEAL_CHUNK */
	int64_t series;
	int64_t chunk,
	    rows; /* the one under way: its number, and how many rows it should have */
	struct text data; /* of it, packed; until the next one */
	size_t taken;     /* of those that were asked for */
};

/* 0 or -1; to be closed in both cases. */
int store_chunks_open(struct store_chunks *c, struct store *s, struct fault *f);
void store_chunks_close(struct store_chunks *c);

/* Begin with a series, by its result_id; one that is under way is left. */
void store_chunks_begin(struct store_chunks *c, int64_t series);
/* The next chunk: 1, 0 when there is none, or -1. */
int store_chunks_next(struct store_chunks *c, struct fault *f);
/* Leave the series before its end. */
void store_chunks_end(struct store_chunks *c);

#endif

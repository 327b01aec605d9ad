/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merges the rows of a series in the database with the rows of an input. Equal rows are
 * stored once; two different rows of the same identity are refused. Pure.
 */
#ifndef STORE_ROW_MERGE_H
#define STORE_ROW_MERGE_H

#include "store/ingest.h"

/*
 * Merges rows, the first `old` of which are in the database and the rest are from the
 * input. Appends the result to merged, in order; it contains all old rows. Returns 0, or -1
 * and a message that names the conflicting row.
 */
int row_merge_series(const struct ingest *in, const struct ingest_series *s,
    const struct pack_rows *rows, size_t old, struct pack_rows *merged, struct fault *f);
/* Appends "run R: bench B, factors, metric M", without control characters. */
void row_merge_name(
    struct buf *out, const struct ingest *in, const struct ingest_series *s);

#endif

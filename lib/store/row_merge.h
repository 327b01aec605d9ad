/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of a series that are kept already and those that come, made into one: equal rows
 * once, two values for one identity refused. Pure.
 */
#ifndef STORE_ROW_MERGE_H
#define STORE_ROW_MERGE_H

#include "store/ingest.h"

/*
 * rows holds old kept rows, then those that come. What is to be kept goes to merged, in
 * order; all old ones are part of it. 0, or -1 and a message that names the row.
 */
int row_merge_series(const struct ingest *in, const struct ingest_series *s,
    const struct pack_row *rows, size_t old, size_t count, struct pack_rows *merged,
    struct fault *f);
/* Append "run R: bench B, factors, metric M", cleaned for a terminal. */
void row_merge_name(
    struct buf *out, const struct ingest *in, const struct ingest_series *s);

#endif

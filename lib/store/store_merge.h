/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-store merge: adds one database to another.
 */
#ifndef STORE_STORE_MERGE_H
#define STORE_STORE_MERGE_H

#include "store/store.h"

/*
 * Adds the runs, facts, tags and annotations of another database by the rules of store_add:
 * rows that are in the database already are skipped, so merging again changes nothing. A
 * transaction adds some million rows, each run as a whole; a failed merge never leaves a
 * part of a run. Returns 0, or -1 and the message.
 */
int store_merge(struct store *s, struct store *other, struct store_added *added,
    uint64_t *tags, struct fault *f);
/* Adds the counts of one addition to those of several. */
void store_added_count(struct store_added *all, const struct store_added *more);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All of one database into another.
 */
#ifndef STORE_STORE_MERGE_H
#define STORE_STORE_MERGE_H

#include "store/store.h"

/*
 * Add the runs, facts and tags of another database by the rules of store_add: what is there
 * already is passed over, so merging again changes nothing. Some million rows go in one
 * transaction, a run always in one; after a failure, runs are there as a whole or not at
 * all. 0 or -1.
 */
int store_merge(struct store *s, struct store *other, struct store_added *added,
    uint64_t *tags, struct fault *f);
/* Adds the counts of one addition to those of several. */
void store_added_count(struct store_added *all, const struct store_added *more);

#endif

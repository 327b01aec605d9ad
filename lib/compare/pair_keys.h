/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairs by the values of columns: the samples of both sides with the same values in these
 * columns are a pair, such as the times of two programs for the same input.
 *
 * The collection of samples (record/collect.h) knows them by run, process and sample. So
 * each run of each pair gets a name of its own, and the pair of a sample follows from its
 * run. Samples of different pairs with the same numbers thus remain different samples.
 */
#ifndef COMPARE_PAIR_KEYS_H
#define COMPARE_PAIR_KEYS_H

#include "record/collect.h"

struct pair_keys;
/* Returns an empty set of pairs by these columns. The schema and the names must outlive it,
 * and the schema may get more columns. */
struct pair_keys *pair_keys_open(
    const struct schema *schema, const char *const *column, size_t columns);
/* Returns the row with the name that its run has for its pair. The row lives until the next
 * call. */
struct row pair_keys_row(struct pair_keys *k, const struct row *row);
/* Finds the pair of each run of a finished collection of such rows. Returns 0, or -1 and a
 * message if the input lacks one of the columns. */
int pair_keys_finish(struct pair_keys *k, const struct collect *c, struct fault *f);
/* Returns the number of the pair of each run, after pair_keys_finish(). */
const uint32_t *pair_keys_of_runs(const struct pair_keys *k);
/* Appends the names of the columns, separated by commas. */
void pair_keys_put_columns(struct buf *b, const struct pair_keys *k);
/* Appends the values of a pair: "a.txt", or "file=a.txt n=10" of several columns. */
void pair_keys_put(struct buf *b, const struct pair_keys *k, uint32_t pair);
void pair_keys_close(struct pair_keys *k);

#endif

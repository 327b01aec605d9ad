/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of commits, from a file with one commit a line, the oldest first, as printed by
 * `git rev-list --reverse`.
 */
#ifndef HISTORY_COMMIT_ORDER_H
#define HISTORY_COMMIT_ORDER_H

#include "base/base.h"

struct commit_order;
/* Reads an order. Returns NULL with a message if the file cannot be read, has no commit, or
 * has a commit twice. */
struct commit_order *commit_order_read(const char *path, struct fault *f);
/*
 * Returns the line of a commit, from 0, or -1. Either the commit or the line may be an
 * abbreviation of the other, of at least 7 hexadecimal digits, if only one line matches. A
 * final "-dirty" is ignored.
 */
long commit_order_find(const struct commit_order *o, struct text commit);
/* Returns whether two commits are the same, or one abbreviates the other as above. */
bool commit_matches(struct text a, struct text b);
void commit_order_free(struct commit_order *o);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of commits, from a file with one a line, oldest first, as `git rev-list
 * --reverse` prints it.
 */
#ifndef HISTORY_COMMIT_ORDER_H
#define HISTORY_COMMIT_ORDER_H

#include "base/base.h"

struct commit_order;
/* NULL and the message when the file cannot be read, is empty or names a commit twice. */
struct commit_order *commit_order_read(const char *path, struct fault *f);
/*
 * Which line a commit stands in, from 0, or -1. Either may be the beginning of the other,
 * from 7 hexadecimal digits on, if only one line fits; "-dirty" behind it does not count.
 */
long commit_order_find(const struct commit_order *o, struct text commit);
/* Whether one is the other, or its beginning as above. */
bool commit_matches(struct text a, struct text b);
void commit_order_free(struct commit_order *o);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces strings of a store that identify machines and users, for store_points.h. Strings
 * stay as they are if the store has no anonymizer.
 */
#ifndef STORE_STORE_HIDE_PRIV_H
#define STORE_STORE_HIDE_PRIV_H

#include "store/store_points.h"

/* Return the strings with replacements. The factors of a point live in the buffer. */
struct store_point store_hide_point(
    struct store *s, struct store_point p, struct buf *factors);
struct store_point_run store_hide_run(struct store *s, struct store_point_run r);
struct store_point_fact store_hide_fact(struct store *s, struct store_point_fact p);
struct text store_hide_commit(struct store *s, struct text commit);

#endif

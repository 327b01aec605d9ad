/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The struct store, and functions that its modules share.
 */
#ifndef STORE_STORE_PRIV_H
#define STORE_STORE_PRIV_H

#include "store/store.h"

struct store {
	struct db *db;
	char *name;
	bool reading;
	struct anonymizer *names; /* of store_points_anonymize(); NULL: none */
};

/* Returns a column of a query as a cell; b holds a string that must be built. */
struct cell store_cell(struct query *q, int column, struct buf *b);
/* Opens a store in memory, from a descriptor or, if fd is -1, an empty one; see
 * db_image_new. Returns NULL and the message on failure. */
struct store *store_open_image(const char *name, int fd, struct fault *f);
/* Finds the ids of the selected runs. *ids is allocated even on failure. Returns 0, or -1
 * and the message. */
int store_select_runs(struct store *s, const struct store_filter *filter, int64_t **ids,
    size_t *count, struct fault *f);
/* Prints all rows and columns of a query. Returns 0, or -1 and the message. */
int store_print(struct query *q, struct store_output *out, struct fault *f);
/* Closes a renderer, and sets the message if a write failed. Returns 0, or -1 and the
 * message. */
int store_printed(struct render *r, struct store_output *out, struct fault *f);

#endif

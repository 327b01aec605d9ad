/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The store as its own modules see it.
 */
#ifndef STORE_STORE_PRIV_H
#define STORE_STORE_PRIV_H

#include "store/store.h"

struct store {
	struct db *db;
	char *name;
	bool reading;
};

/* Returns a cell with a column of a query; a text that must be built is put into b. */
struct cell store_cell(struct query *q, int column, struct buf *b);
/* Stores in memory; see db_image_new. fd -1: an empty one. NULL and the message. */
struct store *store_open_image(const char *name, int fd, struct fault *f);
/* Finds the selected runs; *ids is allocated in both cases. 0 or -1. */
int store_select_runs(struct store *s, const struct store_filter *filter, int64_t **ids,
    size_t *count, struct fault *f);
/* Print all rows of a query, column by column as they are; 0 or -1. */
int store_print(struct query *q, struct store_output *out, struct fault *f);
/* Close a renderer; a failed write becomes the message. 0 or -1. */
int store_printed(struct render *r, struct store_output *out, struct fault *f);

#endif

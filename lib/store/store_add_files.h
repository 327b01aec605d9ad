/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-store add: adds files and spooled rows.
 */
#ifndef STORE_STORE_ADD_FILES_H
#define STORE_STORE_ADD_FILES_H

#include "io/opt.h"
#include "store/store.h"

struct store_add_opts {
	char *const *path; /* standard input, if there are none, or for "-" */
	size_t count;
	const struct opt_list *melt; /* columns of foreign tables, "COLUMN[:UNIT]" */
};

/*
 * Adds files, and then the spooled rows. Rows that cannot be added because the database is
 * locked are spooled. Appends lines about the additions to report, and lines that are
 * always shown to warnings. Returns 0, or -1 and the message.
 */
int store_add_files(struct store *s, const struct store_add_opts *opts, struct buf *report,
    struct buf *warnings, struct fault *f);

#endif

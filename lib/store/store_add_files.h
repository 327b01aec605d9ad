/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-store add: adds files and spooled rows.
 */
#ifndef STORE_STORE_ADD_FILES_H
#define STORE_STORE_ADD_FILES_H

#include "io/opt.h"
#include "store/store.h"

/*
 * Adds files, or standard input if there are none or for "-", and then the spooled rows.
 * Rows that cannot be added because the database is locked are spooled. melt: columns of
 * foreign tables, "COLUMN[:UNIT]". Lines about the additions are appended to report, and
 * lines that are always shown to warnings. Returns 0, or -1 and the message.
 */
int store_add_files(struct store *s, const struct opt_list *melt, char *const *path,
    size_t count, struct buf *report, struct buf *warnings, struct fault *f);

#endif

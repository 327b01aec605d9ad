/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adding the streams that bench-store add is given.
 */
#ifndef STORE_STORE_ADD_FILES_H
#define STORE_STORE_ADD_FILES_H

#include "io/opt.h"
#include "store/store.h"

/*
 * Adds files, "-" being standard input, as no file is, and then what waited to be added.
 * What cannot be added because the database is locked is kept for later. melt: columns of
 * foreign tables, "COLUMN[:UNIT]". Lines about what was done are appended to report, those
 * that a user always wants to see to warnings. 0 or -1.
 */
int store_add_files(struct store *s, const struct opt_list *melt, char *const *path,
    size_t count, struct buf *report, struct buf *warnings, struct fault *f);

#endif

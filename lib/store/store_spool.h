/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spooled rows: rows that could not be added because the database was locked or could not
 * be written, or because its server could not be reached. Each input becomes a small
 * database, UUID.db, in the user's directory PLACE-spool.UID, and the user's next addition
 * adds its rows. PLACE is the path of the database, if it has one; see db_spool. Files
 * PLACE-spool-UUID.db, which older versions left next to the database, are added by the
 * user they belong to.
 */
#ifndef STORE_STORE_SPOOL_H
#define STORE_STORE_SPOOL_H

#include "store/store.h"

/*
 * Spools the ingested rows after store_add failed with the message f because the database
 * is locked, cannot be reached or cannot be written. Appends a line with the file's name to
 * the report or, if the cause was not a lock and will not pass by itself, to the warnings.
 * Returns 0, or -1 and the message if the rows cannot be spooled.
 */
int store_spool_rows(struct store *s, struct ingest *in, struct buf *report,
    struct buf *warnings, struct fault *f);

enum { STORE_PASSED_SHOWN = 3 };

struct store_spooled {
	uint64_t files;           /* files that were added and removed */
	struct store_added added; /* sums over these files */
	uint64_t
	    left; /* files that another process is adding, or that could not be locked */
	uint64_t bad;     /* files that could not be added: renamed to NAME.refused */
	char *refused;    /* the last file that could not be added */
	struct fault why; /* why it could not be added */
	uint64_t passed;  /* entries that are not regular files of this user */
	struct buf notes; /* lines about the first STORE_PASSED_SHOWN of these entries */
};

/*
 * Adds the rows of all spooled files of this user. Returns 0, or -1 and the message, even
 * if a file was refused. In both cases, free the result with store_spooled_free.
 */
int store_take_spool(struct store *s, struct store_spooled *spooled, struct fault *f);
void store_spooled_free(struct store_spooled *spooled);
/* Counts the spooled files of this user that can be added, and those that were refused. */
void store_count_spool(struct store *s, uint64_t *waiting, uint64_t *refused);
/* Lists the spool directories of other users. The paths and the list are allocated. */
size_t store_spool_others(struct store *s, char ***paths);

#endif

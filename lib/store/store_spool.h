/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows that could not be added because the database was locked, could not be written, or
 * its server was out of reach: each input becomes a small database, UUID.db, in a folder of
 * the user's own, PLACE-spool.UID, and that user's next addition adds its rows. The place
 * is the database's path, where it has one (see db_spool). Files PLACE-spool-UUID.db, which
 * older versions left next to the database, are added by the user they belong to.
 */
#ifndef STORE_STORE_SPOOL_H
#define STORE_STORE_SPOOL_H

#include "store/store.h"

/*
 * After store_add has failed with the message f: if it may succeed another time, because
 * the database is locked, out of reach or cannot be written, keeps what was ingested in
 * such a file and returns 0. A line with the file's name goes to the report, or to the
 * warnings when it was no lock, and so will not pass by itself. Otherwise returns -1 with
 * the message.
 */
int store_spool_rows(struct store *s, struct ingest *in, struct buf *report,
    struct buf *warnings, struct fault *f);

enum { STORE_PASSED_SHOWN = 3 };

struct store_spooled {
	uint64_t files;           /* that were taken in, and are gone */
	struct store_added added; /* what was new in them */
	uint64_t
	    left; /* files that another process takes in, or for which there was no lock */
	uint64_t bad;     /* files that cannot be taken in: renamed to NAME.refused */
	char *refused;    /* the last of these */
	struct fault why; /* and the reason */
	uint64_t passed;  /* entries that are not regular files of this user */
	struct buf notes; /* lines about the first STORE_PASSED_SHOWN of these */
};

/*
 * Adds the rows of all spooled files of this user. Returns 0, or -1, also if a file was
 * refused. In either case, free the result with store_spooled_free.
 */
int store_take_spool(struct store *s, struct store_spooled *spooled, struct fault *f);
void store_spooled_free(struct store_spooled *spooled);
/* Counts the spooled files of this user, and those that were refused. */
void store_count_spool(struct store *s, uint64_t *waiting, uint64_t *refused);
/* Lists the spool folders of other users. The paths and the list are allocated. */
size_t store_spool_others(struct store *s, char ***paths);

#endif

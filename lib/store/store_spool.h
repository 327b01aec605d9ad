/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows that could not be added because the database was locked, or its server out of reach:
 * each input becomes a small database of its own, PLACE-spool-UUID.db, which the next
 * addition takes in. The place is beside the database (see db_spool).
 */
#ifndef STORE_STORE_SPOOL_H
#define STORE_STORE_SPOOL_H

#include "store/store.h"

/*
 * After store_add has failed with the message f: if the database is locked or out of reach,
 * keeps what was ingested in such a file, which gets its name when it is complete and on
 * the disk, appends that name to the report, and returns 0. Otherwise returns -1 with the
 * message.
 */
int store_spool_locked(
    struct store *s, struct ingest *in, struct buf *report, struct fault *f);

struct store_spooled {
	uint64_t files; /* that were taken in, and are gone */
	uint64_t rows;  /* new ones in them */
	uint64_t
	    left; /* files that another process takes in, or for which there was no lock */
	uint64_t bad;     /* files that cannot be taken in: renamed to NAME.refused */
	struct fault why; /* of the last bad one */
};

/* Adds the rows of all files that wait. 0, or -1 also if a file was refused. */
int store_take_spool(struct store *s, struct store_spooled *spooled, struct fault *f);
/* How many files wait, and how many were refused. */
void store_count_spool(struct store *s, uint64_t *waiting, uint64_t *refused);

#endif

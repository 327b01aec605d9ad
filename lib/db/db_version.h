/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which version of the schema a database has, and bringing it to the newest. The schema is
 * a text with a line "-- version N" before the statements of each version.
 */
#ifndef DB_DB_VERSION_H
#define DB_DB_VERSION_H

#include "db/db.h"

/* Refuses a database of another program; one that is empty is nobody's. 0 or -1. */
int version_ours(struct db *db, const char *name, struct fault *f);
/*
 * Run the statements that the database lacks, in one transaction; with DB_READ, refuse what
 * is not up to date, unless it is of an older version and DB_OLD allows that. A database of
 * a newer version is always refused. 0 or -1.
 */
int version_bring(
    struct db *db, const char *name, int flags, struct text schema, struct fault *f);

/* The statements of a version; the highest version there is goes to *newest. */
struct text version_section(struct text schema, int64_t want, int64_t *newest);
/* Refuse a version that is newer than the schema, or older, or none. -1 */
int version_newer(const char *name, int64_t version, int64_t newest, struct fault *f);
int version_older(const char *name, int64_t version, int64_t newest, struct fault *f);

#endif

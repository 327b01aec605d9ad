/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Versions of the schema, and upgrades to the newest one. The schema is a text with a line
 * "-- version N" before the statements of each version.
 */
#ifndef DB_DB_VERSION_H
#define DB_DB_VERSION_H

#include "db/db.h"

/* Refuses a database of another program; accepts an empty one. 0 or -1. */
int version_ours(struct db *db, const char *name, struct fault *f);
/*
 * Upgrades the database in one transaction. With DB_READ, refuses a database of an older
 * version instead, unless DB_OLD is set. Always refuses a database of a newer version. 0 or
 * -1.
 */
int version_bring(
    struct db *db, const char *name, int flags, struct text schema, struct fault *f);

/* Returns the statements of a version, and sets *newest to the highest version. */
struct text version_section(struct text schema, int64_t want, int64_t *newest);
/* Set the message about a version that is newer than the schema, or older or 0. Return -1.
 */
int version_newer(const char *name, int64_t version, int64_t newest, struct fault *f);
int version_older(const char *name, int64_t version, int64_t newest, struct fault *f);

#endif

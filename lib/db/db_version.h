/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Versions of the schema, which is a string with a line "-- version N" before the
 * statements of each version. Pure.
 */
#ifndef DB_DB_VERSION_H
#define DB_DB_VERSION_H

#include "base/base.h"

/* Returns the statements of a version, and sets *newest to the highest version. */
struct text version_section(struct text schema, int64_t want, int64_t *newest);
/* Set the message about a version that is newer than the schema, or older or 0. Return -1.
 */
int version_newer(const char *name, int64_t version, int64_t newest, struct fault *f);
int version_older(const char *name, int64_t version, int64_t newest, struct fault *f);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of values in tables without a column metric: each is a metric of its name. Pure.
 */
#ifndef RECORD_MELT_H
#define RECORD_MELT_H

#include "base/base.h"

struct melt {
	struct text column, unit;
	size_t at; /* position in the current table */
};

/* Reads `count` strings NAME or NAME:UNIT, which must outlive the result, into `to`.
 * Returns 0, or -1 and the message if one has no name, or two have the same. */
int melt_parse(struct melt *to, const char *const *specs, size_t count, struct fault *f);
/* Returns the place of the column with this name; SIZE_MAX if there is none. */
size_t melt_find(const struct melt *melt, size_t count, struct text name);
/*
 * Sets `name` to that of a column of a header that is not melted, with underscores after it
 * if rows of melted columns have another column of this name.
 */
void melt_name_factor(struct buf *name, const struct text *header, size_t count, size_t at);
/* Returns whether a string is a status of bench-csv(5), or empty. A column of another
 * program that is named status may have anything else, such as the status 200 of HTTP. */
bool melt_is_status(struct text t);

#endif

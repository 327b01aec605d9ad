/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns that the user supplies for rows of other programs' files, such as the time, host
 * and commit of a file that has none. A value never contradicts that of the file, unless
 * the user asks to replace it.
 */
#ifndef RECORD_ROW_SETTINGS_H
#define RECORD_ROW_SETTINGS_H

#include "record/row_builder.h"

/* Zero it to begin. */
struct row_settings {
	struct row_setting *of;
	size_t count, cap;
};

/*
 * Adds "name=value", or "name:=value", which replaces the value of a file. A time is
 * converted to that of bench-csv(5); "time=mtime" is the time of each file's last change.
 * Returns 0, or -1 and the message.
 */
int row_settings_add(struct row_settings *s, const char *spec, struct fault *f);
void row_settings_free(struct row_settings *s);

/* Returns the value of a column, or NULL if it is not set, differs between files, or s is
 * NULL. */
const char *row_settings_find(const struct row_settings *s, enum column column);
/*
 * Begins the rows of a file, whose path may be NULL; s may be NULL. Returns 0, or -1 and
 * the message if the time of its last change is needed but unknown. `name` is for messages
 * and must live until the next file.
 */
int row_settings_begin(
    struct row_settings *s, const char *name, const char *path, struct fault *f);
/*
 * Sets the columns of the row that is about to be added. Returns 0, or -1 and the message
 * if the file has another value, or several values that would become one.
 */
int row_settings_apply(struct row_settings *s, struct row_builder *r, struct fault *f);

#endif

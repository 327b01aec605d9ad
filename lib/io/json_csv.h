/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of JSON (json_rows.h) as CSV. */
#ifndef IO_JSON_CSV_H
#define IO_JSON_CSV_H

#include "base/base.h"

/* Reads a cell of a column whose cells are whole numbers. Returns false if it is not one.
 */
typedef bool json_csv_whole(struct text column, struct text cell, int64_t *out);

/*
 * Appends tables to *out as CSV. Each table has a header, and another one where an object
 * has members that those before it lack. Arrays and objects in rows become their text. A
 * whole number that whole reads, such as 1e3, is written with all its digits. A string that
 * is not JSON, but CSV, is appended as it is. Returns 0, or -1 and the message, which
 * begins with the name.
 */
int json_csv(struct text t, const char *name, json_csv_whole *whole, struct buf *out,
    struct fault *f);

#endif

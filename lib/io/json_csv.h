/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of JSON (json_rows.h) as CSV with a header before each table. */
#ifndef IO_JSON_CSV_H
#define IO_JSON_CSV_H

#include "base/base.h"

/*
 * Appends a table to *out as CSV; arrays and objects in rows become empty. A text that is
 * not JSON, but CSV, is appended as it is. Returns 0, or -1 and the message, which begins
 * with the name.
 */
int json_csv(struct text t, const char *name, struct buf *out, struct fault *f);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of JSON (json_rows.h) as CSV. */
#ifndef IO_JSON_CSV_H
#define IO_JSON_CSV_H

#include "base/base.h"

/*
 * Appends tables to *out as CSV. Each table has a header, and another one where an object
 * has members that those before it lack. Arrays and objects in rows become their texts. A
 * text that is not JSON, but CSV, is appended as it is. Returns 0, or -1 and the message,
 * which begins with the name.
 */
int json_csv(struct text t, const char *name, struct buf *out, struct fault *f);

#endif

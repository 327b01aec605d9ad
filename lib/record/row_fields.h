/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the fields of a row whose contents bench-csv(5) defines, and converts numbers.
 * Pure.
 */
#ifndef RECORD_ROW_FIELDS_H
#define RECORD_ROW_FIELDS_H

#include "record/record.h"

/* Starts with zeros. */
struct row_fields {
	char time[64]; /* the last time that was accepted: samples have many rows */
	size_t time_len;
};

/*
 * Fills in process, sample, t, iterations and running_pct of a row from its cells, and
 * checks its time. is_json: whole numbers may be written as in JSON, such as 1e3. Returns
 * 0, or -1 and the message.
 */
int row_fields_read(struct row_fields *s, struct row *row, bool is_json, struct fault *f);
/*
 * Reads a number of a column; *has is false if the field is empty. Returns 0, or -1 and the
 * message.
 */
int row_fields_number(
    struct text column, struct text t, bool *has, double *out, struct fault *f);

#endif

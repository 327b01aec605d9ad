/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables as JSON: arrays of objects, or objects one after the other, as in JSON Lines. Each
 * object becomes a row, preceded by a header if it is the first of a table, or its members
 * have other names, or another order, than those of the object before it. The file is
 * parsed piece by piece.
 *
 * An object with the member "samples", which is an array, is the file results.json of
 * bench-run -d: the rows are the objects in this array, after the facts of the machine.
 */
#ifndef IO_JSON_ROWS_H
#define IO_JSON_ROWS_H

#include "io/csv_batch.h"

/*
 * Returns whether a text that begins a file is JSON of this kind: 1, or 0. Returns -1 if
 * more of the file has to be known; `whole` says that there is no more. A byte order mark
 * is skipped.
 */
int json_rows_detect(struct text t, bool whole);

struct json_rows;
struct json_rows *json_rows_open(void);
/* Begins a file at line 1. */
void json_rows_begin(struct json_rows *j);
/* Parses a piece and appends its rows to a batch. Returns NULL, or what is wrong. */
const char *json_rows_parse(struct json_rows *j, struct text t, struct csv_batch *out);
/* Ends the file. Returns NULL, or what is wrong. */
const char *json_rows_finish(const struct json_rows *j);
/* Returns the current line, or that of the error. */
uint64_t json_rows_line(const struct json_rows *j);
void json_rows_close(struct json_rows *j);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows that --filter selects: those that meet every condition on their columns. Pure.
 *
 *	COLUMN=PATTERN[,PATTERN...]   a pattern (shell glob) matches the cell
 *	COLUMN!=PATTERN[,PATTERN...]  no pattern matches the cell
 *	COLUMN<NUMBER                 the cell is a number and less; also <=, > and >=
 *
 * A pattern that is a number also matches each other spelling of it. The limit of the
 *column time is a time. An empty status is "ok". The column value is refused: statistics of
 *values that were chosen by their size would be biased.
 */
#ifndef RECORD_ROW_CONDITIONS_H
#define RECORD_ROW_CONDITIONS_H

#include "record/record.h"

struct row_conditions;
/*
 * Returns these conditions, whose strings must outlive the result. A limit such as "30d" of
 * the column time is 30 days before now_ns. Returns NULL and sets the message when a string
 * is not a condition.
 */
struct row_conditions *row_conditions_open(
    const char *const *condition, size_t count, int64_t now_ns, struct fault *f);
/* Returns whether a row meets all conditions; NULL: none. The rows of all calls have one
 * schema. */
bool row_conditions_met(struct row_conditions *c, const struct row *row);
/*
 * Returns 0 if the rows so far have each column, and each pattern after = and each limit
 * selected a row, and some row met all conditions. Otherwise returns -1 and the message.
 * Without any rows, and for NULL, returns 0.
 */
int row_conditions_check(const struct row_conditions *c, struct fault *f);
void row_conditions_close(struct row_conditions *c);

#endif

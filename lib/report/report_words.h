/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes parts of sentences in HTML. Every string is escaped. Pure.
 */
#ifndef REPORT_REPORT_WORDS_H
#define REPORT_REPORT_WORDS_H

#include "io/csv_table.h"
#include "record/group.h"

/* Begins a block of the answer, whose class gives the color: a sentence, which begins
 * strong, and then, after the end of its paragraph, a list. */
void words_open(struct buf *b, const char *class);
void words_end(struct buf *b);
/* Results in a list; the tables have all. */
enum { WORDS_LISTED = 5 };
/* Ends a list, with the number of results that it leaves out and a link to their part. */
void words_rest(struct buf *b, size_t count, const char *part);
/* Appends a number and a noun, as in "1 sample" or "2 samples". */
void words_count(struct buf *b, size_t count, const char *one, const char *many);
/* Appends a ratio of new to old in percent, as in "+30.2%"; unknown ratios are "?". */
void words_change(struct buf *b, double ratio);
/* Appends "BEFORE → AFTER" in a unit. */
void words_step(struct buf *b, double before, double after, const char *unit);
/* Appends the date of a time stamp, or another string as it is. */
void words_date(struct buf *b, struct text time);
/* Appends the metric and the subject of a group, as in "wall of sort (n=1000)". The columns
 * in parentheses are those that differ between the groups. */
void words_group(struct buf *b, const struct groups *g, size_t group);
/* Does the same for a row of a table of bench-stat or bench-compare. */
void words_row(struct buf *b, const struct csv_table *g, size_t row);

#endif

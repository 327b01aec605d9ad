/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is to be told of a comparison beside its rows: lines for people, fit for a terminal.
 */
#ifndef COMPARE_COMPARE_NOTES_H
#define COMPARE_COMPARE_NOTES_H

#include "compare/compare.h"

/* Append a subject (of compare_subjects) as "bench=sort n=1000". */
void compare_put_subject(struct buf *b, const struct compare *c, size_t subject);

/* Append the subject of a comparison as people call it, "sort n=1000", and with a column of
 * sides the new side: "sort n=1000 (commit=1f3a)". */
void compare_put_label(
    struct buf *b, const struct compare *c, const struct comparison *row);

/* Before the rows: which side is old, what is there twice, where machines differ. */
void compare_note_sides(const struct compare *c, const char *by, struct buf *lines);
/* After them: what vanished; allowed: it may. */
void compare_note_vanished(const struct compare *c, bool allowed, struct buf *lines);
/* Metrics that have other units on the old side than on a new one, and so never meet. */
void compare_note_units(const struct compare *c, struct buf *lines);
/* Lines of a table of thresholds, from this file, that hold for no row. */
void compare_note_thresholds(const struct compare *c, const struct thresholds *t,
    const char *file, struct buf *lines);
/* What is worse by the warning only. */
void compare_note_warnings(const struct compare *c, struct buf *lines);
/* That noise is above the threshold, where it is: what is smaller does not show. */
void compare_note_floors(const struct compare *c, struct buf *lines);
/* A difference between two runs may be the machine's: only more runs would tell. */
void compare_note_runs(const struct compare *c, struct buf *lines);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes on a comparison: lines for standard error, safe for a terminal.
 */
#ifndef COMPARE_COMPARE_NOTES_H
#define COMPARE_COMPARE_NOTES_H

#include "compare/compare.h"

/* Appends a subject of compare_subjects(), such as "bench=sort n=1000". If the column of
 * sides distinguishes subjects, its value of the side is part of it; side -1: none. */
void compare_put_subject(struct buf *b, const struct compare *c, size_t subject, long side);

/* Appends the short name of the subject of a comparison, such as "sort n=1000"; with a
 * column of sides also the new side: "sort n=1000 (commit=1f3a)". */
void compare_put_label(
    struct buf *b, const struct compare *c, const struct comparison *row);

/* Appends ": all values must be above 0, but one is VALUE". */
void compare_put_impossible(struct buf *b, double value);
/* Appends " in 'NAME'" with the name of a side. */
void compare_put_in_side(struct buf *b, const struct compare *c, size_t side);

/* Appends a line on the confidence of intervals, and on the correction of p, which is
 * called so in the output. */
void compare_put_intervals(struct buf *b, const struct compare *c, const char *p);

/* Notes the old side, duplicate rows, differing machines and differing limits of GPUs. For
 * before the table. */
void compare_note_sides(const struct compare *c, const char *by, struct buf *lines);
/* Notes metrics whose units differ between the sides, which are not compared. */
void compare_note_units(const struct compare *c, struct buf *lines);
/* Notes lines of the table of thresholds, if there is one, that apply to no row; unmet:
 * also those that demand a decision about a metric without values. */
void compare_note_thresholds(const struct compare *c, bool unmet, struct buf *lines);
/* Notes in one line the rows that do not decide and are worse, differ or are better. */
void compare_note_others(const struct compare *c, struct buf *lines);
/* Notes rows that are worse only by the margin of warnings. */
void compare_note_warnings(const struct compare *c, struct buf *lines);
/* Notes that noise floors exceed their thresholds, and that A/A rows are too few for noise
 * floors, if so. asked: there are files for noise floors; also notes that they give none.
 */
void compare_note_floors(const struct compare *c, bool asked, struct buf *lines);
/* Notes runs with fewer rows than their end marks state; open: and runs without an end mark
 * that may be incomplete. */
void compare_note_ends(const struct compare *c, bool open, struct buf *lines);
/* Notes that each side is one run, if a difference was found between such sides. */
void compare_note_runs(const struct compare *c, struct buf *lines);

#endif

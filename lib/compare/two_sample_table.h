/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns that all tables of two-sample results have. A table begins its array of
 * columns with TWO_SAMPLE_COLUMN_NAMES and adds its other columns after them.
 */
#ifndef COMPARE_TWO_SAMPLE_TABLE_H
#define COMPARE_TWO_SAMPLE_TABLE_H

#include "compare/two_sample.h"
#include "io/render.h"

enum two_sample_column {
	TWO_SAMPLE_N_OLD,
	TWO_SAMPLE_N_NEW,
	TWO_SAMPLE_OLD,
	TWO_SAMPLE_NEW,
	TWO_SAMPLE_CHANGE, /* in tables: the ratio, or the difference, and its interval */
	TWO_SAMPLE_RATIO,
	TWO_SAMPLE_RATIO_LO,
	TWO_SAMPLE_RATIO_HI,
	TWO_SAMPLE_P,
	TWO_SAMPLE_P_ADJ,
	TWO_SAMPLE_EFFECT,
	TWO_SAMPLE_VERDICT,
	TWO_SAMPLE_RUNS_NEEDED,
	TWO_SAMPLE_DIFF,
	TWO_SAMPLE_DIFF_LO,
	TWO_SAMPLE_DIFF_HI,
	TWO_SAMPLE_COLUMNS
};

/* clang-format off */
#define TWO_SAMPLE_COLUMN_NAMES \
	[TWO_SAMPLE_N_OLD] = { .name = "n_old", .rank = 6 }, \
	[TWO_SAMPLE_N_NEW] = { .name = "n_new", .rank = 6 }, \
	[TWO_SAMPLE_OLD] = { .name = "old", .rank = 2 }, \
	[TWO_SAMPLE_NEW] = { .name = "new", .rank = 2 }, \
	[TWO_SAMPLE_CHANGE] = { .name = "change", .table_only = true, .look = LOOK_WHOLE, .rank = 1 }, \
	[TWO_SAMPLE_RATIO] = { .name = "ratio", .rank = 7 }, \
	[TWO_SAMPLE_RATIO_LO] = { .name = "ratio_lo", .rank = 8 }, \
	[TWO_SAMPLE_RATIO_HI] = { .name = "ratio_hi", .rank = 8 }, \
	[TWO_SAMPLE_P] = { .name = "p", .plain_only = true, .rank = 10 }, \
	[TWO_SAMPLE_P_ADJ] = { .name = "p_adj", .rank = 5 }, \
	[TWO_SAMPLE_EFFECT] = { .name = "effect", .plain_only = true, .rank = 10 }, \
	[TWO_SAMPLE_VERDICT] = { .name = "verdict", .kept = true }, \
	[TWO_SAMPLE_RUNS_NEEDED] = { .name = "runs_needed", .rank = 3 }, \
	[TWO_SAMPLE_DIFF] = { .name = "diff", .plain_only = true, .rank = 9 }, \
	[TWO_SAMPLE_DIFF_LO] = { .name = "diff_lo", .plain_only = true, .rank = 9 }, \
	[TWO_SAMPLE_DIFF_HI] = { .name = "diff_hi", .plain_only = true, .rank = 9 }
/* clang-format on */

/* Returns the color of a verdict: red for worse, green for better. */
enum tint verdict_tint(enum verdict verdict);

/* Fills the cells of these columns. The unit of old and new must outlive the cells, and so
 * must the text of the change, which replaces that in the buffer. */
void two_sample_cells(const struct two_sample *result, const char *unit, struct buf *change,
    struct cell *cell);

/* Appends a ratio as a change with its interval, such as "+5.0% [+4.1%, +5.9%]". */
void two_sample_put_ratio(struct buf *b, double ratio, double lo, double hi);
/* Appends the ratio like this, or the difference in the unit; nothing without both. */
void two_sample_put_change(
    struct buf *b, const struct two_sample *result, const char *unit);

#endif

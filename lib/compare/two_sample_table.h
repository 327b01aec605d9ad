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
	[TWO_SAMPLE_N_OLD] = { "n_old", false }, \
	[TWO_SAMPLE_N_NEW] = { "n_new", false }, \
	[TWO_SAMPLE_OLD] = { "old", false }, \
	[TWO_SAMPLE_NEW] = { "new", false }, \
	[TWO_SAMPLE_RATIO] = { "ratio", false }, \
	[TWO_SAMPLE_RATIO_LO] = { "ratio_lo", false }, \
	[TWO_SAMPLE_RATIO_HI] = { "ratio_hi", false }, \
	[TWO_SAMPLE_P] = { "p", true }, \
	[TWO_SAMPLE_P_ADJ] = { "p_adj", false }, \
	[TWO_SAMPLE_EFFECT] = { "effect", true }, \
	[TWO_SAMPLE_VERDICT] = { "verdict", false }, \
	[TWO_SAMPLE_RUNS_NEEDED] = { "runs_needed", false }, \
	[TWO_SAMPLE_DIFF] = { "diff", true }, \
	[TWO_SAMPLE_DIFF_LO] = { "diff_lo", true }, \
	[TWO_SAMPLE_DIFF_HI] = { "diff_hi", true }
/* clang-format on */

/* Fills the cells of these columns. The unit of old and new must outlive the cells. */
void two_sample_cells(const struct two_sample *result, const char *unit, struct cell *cell);

/* Appends a ratio as a change with its interval, such as "+5.0% [+4.1%, +5.9%]". */
void two_sample_put_ratio(struct buf *b, double ratio, double lo, double hi);
/* Appends the ratio like this, or the difference in the unit; nothing without both. */
void two_sample_put_change(
    struct buf *b, const struct two_sample *result, const char *unit);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fills cells from two-sample results; see two_sample_table.h.
 */
#include <math.h>

#include "compare/two_sample_table.h"
#include "text/display_text.h"
#include "text/units.h"

static const enum tint tints[] = {
	[VERDICT_UNSURE] = TINT_DIM,
	[VERDICT_SAME] = TINT_DIM,
	[VERDICT_BETTER] = TINT_GOOD,
	[VERDICT_WORSE] = TINT_BAD,
	[VERDICT_DIFFERS] = TINT_NONE,
};

enum tint verdict_tint(enum verdict verdict)
{
	return tints[verdict];
}

/* Returns the cell of a location, or of its lower bound. */
static struct cell location_cell(double at, double above, const char *unit)
{
	struct cell cell = CELL_IN_UNIT(isnan(above) ? at : above, unit);

	cell.above = !isnan(above);
	return cell;
}

void two_sample_cells(const struct two_sample *result, const char *unit, struct buf *change,
    struct cell *cell)
{
	change->len = 0;
	two_sample_put_change(change, result, unit);
	cell[TWO_SAMPLE_N_OLD] = CELL_OF_NUMBER((double)result->n_old);
	cell[TWO_SAMPLE_N_NEW] = CELL_OF_NUMBER((double)result->n_new);
	cell[TWO_SAMPLE_OLD] = location_cell(result->old, result->old_above, unit);
	cell[TWO_SAMPLE_NEW] = location_cell(result->new, result->new_above, unit);
	cell[TWO_SAMPLE_CHANGE] = CELL_OF_TEXT((text_in(change)));
	cell[TWO_SAMPLE_CHANGE].tint = tints[result->verdict];
	cell[TWO_SAMPLE_RATIO] = CELL_IN_UNIT(result->ratio, "1");
	cell[TWO_SAMPLE_RATIO_LO] = CELL_IN_UNIT(result->ratio_lo, "1");
	cell[TWO_SAMPLE_RATIO_HI] = CELL_IN_UNIT(result->ratio_hi, "1");
	cell[TWO_SAMPLE_P] = CELL_IN_UNIT(result->p, "1");
	cell[TWO_SAMPLE_P_ADJ] = CELL_IN_UNIT(result->p_adj, "1");
	cell[TWO_SAMPLE_EFFECT] = CELL_IN_UNIT(result->effect, "1");
	cell[TWO_SAMPLE_VERDICT] = CELL_OF_TEXT(text_of(verdict_names[result->verdict]));
	cell[TWO_SAMPLE_VERDICT].tint = tints[result->verdict];
	cell[TWO_SAMPLE_RUNS_NEEDED] = CELL_OF_NUMBER(result->runs_needed);
	cell[TWO_SAMPLE_DIFF] = CELL_IN_UNIT(result->diff, unit);
	cell[TWO_SAMPLE_DIFF_LO] = CELL_IN_UNIT(result->diff_lo, unit);
	cell[TWO_SAMPLE_DIFF_HI] = CELL_IN_UNIT(result->diff_hi, unit);
}

void two_sample_put_ratio(struct buf *b, double ratio, double lo, double hi)
{
	if (!isnan(ratio))
		units_put_change(b, ratio - 1);
	if (isnan(lo))
		return;
	buf_str(b, isnan(ratio) ? "[" : " [");
	units_put_change(b, lo - 1);
	buf_str(b, ", ");
	if (isnan(hi))
		buf_str(b, "no limit");
	else
		units_put_change(b, hi - 1);
	buf_byte(b, ']');
}

static void put_difference(struct buf *b, double value, const char *unit)
{
	char text[64];
	size_t len = units_print(text, sizeof(text), value, unit);

	buf_str(b, value > 0 ? "+" : "");
	display_text_clean(b, (struct text){ text, len });
}

static void put_end(struct buf *b, double value, const char *unit)
{
	if (isnan(value))
		buf_str(b, "no limit");
	else
		put_difference(b, value, unit);
}

void two_sample_put_change(struct buf *b, const struct two_sample *result, const char *unit)
{
	if (!isnan(result->ratio) || !isnan(result->ratio_lo))
		two_sample_put_ratio(b, result->ratio, result->ratio_lo, result->ratio_hi);
	if (!isnan(result->diff))
		put_difference(b, result->diff, unit);
	if (isnan(result->diff_lo) && isnan(result->diff_hi))
		return;
	buf_str(b, isnan(result->diff) ? "[" : " [");
	put_end(b, result->diff_lo, unit);
	buf_str(b, ", ");
	put_end(b, result->diff_hi, unit);
	buf_byte(b, ']');
}

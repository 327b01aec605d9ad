/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells of rows; see row_cell.h.
 */
#include "record/row_cell.h"

static const struct cell empty_cell = { .kind = CELL_EMPTY };

struct cell row_cell_integer(int64_t n)
{
	return n == ROW_NONE ? empty_cell : CELL_OF_INTEGER(n);
}

struct cell row_cell(const struct row *row, size_t column)
{
	switch (column) {
	case COL_PROCESS:
		return row_cell_integer(row->process);
	case COL_SAMPLE:
		return row_cell_integer(row->sample);
	case COL_T:
		return row_cell_integer(row->t);
	case COL_ITERATIONS:
		return row_cell_integer(row->iterations);
	case COL_VALUE:
		return row->has_value ? CELL_OF_NUMBER(row->value) : empty_cell;
	case COL_RUNNING_PCT:
		return row->has_running_pct ? CELL_OF_NUMBER(row->running_pct) : empty_cell;
	default:
		return row->cell[column].len ? CELL_OF_TEXT(row->cell[column]) : empty_cell;
	}
}

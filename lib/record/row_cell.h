/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells of a row for io/render.h; columns that bench-csv(5) defines as numbers become
 * numbers. Pure.
 */
#ifndef RECORD_ROW_CELL_H
#define RECORD_ROW_CELL_H

#include "io/render.h"
#include "record/record.h"

/* Returns a whole number; ROW_NONE is a missing cell. */
struct cell row_cell_integer(int64_t n);
/* Returns the cell of a row in a column; its text is borrowed from the row. */
struct cell row_cell(const struct row *row, size_t column);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits the columns of a table into a width: strings give way first, then whole columns, the
 * least important first. Numbers are never cut. Pure.
 */
#ifndef TEXT_COLUMN_FIT_H
#define TEXT_COLUMN_FIT_H

#include "base/base.h"

enum { COLUMN_FIT_GAP = 2 }; /* blanks between two columns */

struct column_fit {
	size_t width;  /* of the widest cell; column_fit() reduces it */
	size_t header; /* width of its name, which is cut last */
	size_t least;  /* width of the cells that cannot become narrower */
	/* Columns of the largest rank are dropped first, together; columns of rank 0 last,
	 * one by one from the end. */
	unsigned rank;
	/* 0: its cells cannot become narrower; otherwise the width above which columns are
	 * not dropped for it */
	size_t easy;
	bool empty;   /* its cells are all empty: dropped before the others */
	bool kept;    /* of rank 0, and dropped after the others of that rank */
	bool dropped; /* set by column_fit(); such columns are ignored from the beginning */
};

/*
 * Reduces the widths, and drops columns, until the table takes at most that many characters
 * of a line. A column remains, which may be wider.
 */
void column_fit(struct column_fit *column, size_t count, size_t limit);

#endif

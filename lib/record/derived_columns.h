/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns that are determined by x and other columns: the shape of a model's input, which
 * is determined by its batch, must not split a line along the batch. Pure but for the
 * groups.
 */
#ifndef RECORD_DERIVED_COLUMNS_H
#define RECORD_DERIVED_COLUMNS_H

#include "record/group.h"

struct derived_opts {
	const size_t *group; /* the groups that are looked at */
	size_t groups;
	size_t x;             /* the column along which lines are drawn */
	const size_t *column; /* the columns that could split lines, without x */
	size_t columns;
};

/*
 * Sets derived[i] for each column whose text is determined by x and the other remaining
 * columns, but not without x. Of columns that determine each other, the later ones are
 * derived.
 */
void derived_columns_find(
    const struct groups *g, const struct derived_opts *opts, bool *derived);

#endif

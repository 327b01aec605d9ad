/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns that follow from others along x: the shape of a model's input, which its batch
 * decides, parts no line along the batch. Pure but for the groups.
 */
#ifndef RECORD_DERIVED_COLUMNS_H
#define RECORD_DERIVED_COLUMNS_H

#include "record/group.h"

struct derived_opts {
	const size_t *group; /* the groups that are looked at */
	size_t groups;
	size_t x;             /* the column along which lines are drawn */
	const size_t *column; /* the columns that could part lines, x aside */
	size_t columns;
};

/*
 * Sets derived[i] for each column whose text is the same wherever x and the other columns
 * left are the same, and would not be without x. Of columns that follow from each other the
 * later ones are derived.
 */
void derived_columns_find(
    const struct groups *g, const struct derived_opts *opts, bool *derived);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds columns that are determined by x and other columns. For example, the shape of a
 * model's input is determined by its batch, so it must not split a line along the batch.
 * Uses only the groups; otherwise pure.
 */
#ifndef RECORD_DERIVED_COLUMNS_H
#define RECORD_DERIVED_COLUMNS_H

#include "record/group.h"

struct derived_opts {
	const size_t *group; /* the groups that are examined */
	size_t groups;
	size_t x;             /* the column along which lines are drawn */
	const size_t *column; /* the columns that could split lines, without x */
	size_t columns;
};

/*
 * Sets derived[i] for each column whose text is determined by x and the other remaining
 * columns, but not without x. If columns determine each other, all but the first are
 * derived. Benchmarks are derived only if each name contains x, because different ones may
 * have been measured at different x.
 */
void derived_columns_find(
    const struct groups *g, const struct derived_opts *opts, bool *derived);

#endif

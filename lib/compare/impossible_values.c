/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds values that cannot have been measured, such as a duration of 0: the program that
 * measured them is broken, and would otherwise look fast.
 */
#include <math.h>

#include "compare/compare_priv.h"

/* Returns the first value of 0 or less of a group on a side, or NAN. */
static double impossible_on(struct compare *c, size_t group, size_t side)
{
	const struct collected *values = compare_values(c, side, group);

	for (size_t i = 0; values && i < values->count; i++)
		if (values->value[i] <= 0)
			return values->value[i];
	return NAN;
}

void compare_find_impossible(struct compare *c, const struct metrics *metrics)
{
	for (size_t i = 0; i < c->count; i++) {
		struct comparison *row = &c->list[i];

		row->impossible = NAN;
		if (!metrics_positive(
		        metrics, groups_cell(c->groups, row->group, COL_METRIC)))
			continue;
		row->impossible_side = row->side;
		row->impossible = impossible_on(c, row->group, row->side);
		if (!isnan(row->impossible))
			continue;
		row->impossible_side = c->reference;
		row->impossible = impossible_on(c, row->group, c->reference);
	}
}

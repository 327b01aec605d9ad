/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the lines of the thresholds that demand a decision about a metric without values;
 * see compare_is_unmet().
 */
#include "compare/compare_priv.h"

bool compare_is_unmet(const struct compare *c, const struct threshold *rule)
{
	bool any = false;

	if (c->opts.all_decides || !threshold_demands(rule))
		return false;
	for (size_t i = 0; i < c->count; i++) {
		const struct comparison *row = &c->list[i];

		if (!threshold_fits_bench(rule, compare_bench(c, row->group, row->side)))
			continue;
		any = true;
		if ((row->result.n_old || row->result.n_new) &&
		    threshold_fits_metric(
		        rule, groups_cell(c->groups, row->group, COL_METRIC)))
			return false;
	}
	return any;
}

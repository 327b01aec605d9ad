/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the samples that the profilers of the sides lost; see struct lost_samples in
 * compare.h. The values of the stacks lack them.
 */
#include "compare/compare_priv.h"

void compare_find_lost(struct compare *c)
{
	static const char *const metrics[] = { "lost_samples", "lost_calls" };

	for (size_t m = 0; m < COUNT(metrics); m++)
		for (size_t side = 0; side < c->sides.count; side++) {
			struct lost_samples lost = { metrics[m], side, 0 };

			for (size_t g = 0; g < c->topics; g++) {
				const struct collected *values = NULL;

				if (text_is(
				        groups_cell(c->groups, g, COL_METRIC), metrics[m]))
					values = compare_values(c, side, g);
				for (size_t i = 0; values && i < values->count; i++)
					lost.count += values->value[i];
			}
			if (lost.count > 0)
				*VEC_ADD(c->lost, c->lost_count, c->lost_cap) = lost;
		}
}

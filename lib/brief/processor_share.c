/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calculates for which part of its wall time a command computes; see processor_share.h. */
#include "brief/processor_share.h"
#include "brief/brief_median.h"

#define SHARE_MOST 0.1 /* a larger share may be due to other processes */

void processor_share_put(struct buf *line, const struct brief_subjects *all,
    const struct brief_subject *subject, struct collect *collect)
{
	static const char *const name[] = { "wall", "user", "sys" };
	double mean[COUNT(name)], share;

	if (!text_is(brief_subject_cell(all, subject, COL_KIND), "command"))
		return;
	for (size_t i = 0; i < COUNT(name); i++) {
		const long group = brief_subject_metric(all, subject, name[i]);
		struct summary above, s;

		if (group < 0)
			return;
		s = brief_summary_of(
		    collect_group(collect, (size_t)group), DEFAULT_CONFIDENCE, &above);
		mean[i] = s.mean;
	}
	share = (mean[1] + mean[2]) / mean[0];
	if (share > 0 && share < SHARE_MOST)
		buf_printf(line, ", %.2g%% of wall", 100 * share);
}

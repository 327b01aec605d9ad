/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See brief.h.
 */
#include "brief/brief.h"
#include "brief/brief_subjects.h"
#include "brief/brief_summary.h"

void brief_put(struct buf *b, const struct groups *groups, struct collect *collect,
    const struct metrics *metrics, const struct brief_opts *opts)
{
	struct brief_subjects subjects;

	brief_subjects_make(&subjects, groups, metrics);
	brief_put_summary(b, &subjects, collect, opts);
	brief_subjects_free(&subjects);
}

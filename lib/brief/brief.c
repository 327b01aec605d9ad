/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assembles what bench-run prints for people; see brief.h.
 */
#include <stdlib.h>

#include "brief/brief.h"
#include "brief/brief_block.h"
#include "brief/brief_subjects.h"
#include "brief/brief_summary.h"
#include "summary/diagnosis.h"

/* With more subjects, only their comparison is printed, except for a scenario. */
enum { BLOCKS_MOST = 6 };

static void put_blocks(struct buf *b, const struct brief_subjects *s,
    struct collect *collect, const struct brief_opts *opts)
{
	bool *head = mem_zero(groups_count(s->groups) + 1, sizeof(*head));
	struct diagnosis *findings;

	for (size_t i = 0; i < s->count; i++)
		head[s->item[i].head] = true;
	findings = diagnosis_open(s->groups, collect, head, &opts->inference);
	for (size_t i = 0; i < s->count; i++) {
		if (i)
			buf_byte(b, '\n');
		brief_put_block(b, s, &s->item[i], collect, findings, opts);
	}
	diagnosis_close(findings);
	free(head);
}

void brief_put(struct buf *b, const struct groups *groups, struct collect *collect,
    const struct metrics *metrics, const struct brief_opts *opts)
{
	struct brief_subjects subjects;

	brief_subjects_make(&subjects, groups, metrics);
	if (subjects.count <= BLOCKS_MOST || opts->scenario || opts->verbose ||
	    opts->decided)
		put_blocks(b, &subjects, collect, opts);
	if (!opts->decided)
		brief_put_summary(b, &subjects, collect, opts);
	brief_subjects_free(&subjects);
}

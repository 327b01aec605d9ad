/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the values; see run_summary.h.
 */
#include <stdlib.h>

#include "record/collect.h"
#include "results/run_summary.h"
#include "summary/summary.h"

struct run_summary {
	struct groups *groups;
	struct collect *collect;
	struct noise_floor *floors; /* of the groups; NULL: none are needed */
	struct brief_opts brief;
	double confidence;
};

struct run_summary *run_summary_open(const struct schema *schema,
    const struct brief_opts *brief, bool twins, double confidence)
{
	struct run_summary *s = mem_zero(1, sizeof(*s));

	s->confidence = confidence;
	s->groups = groups_open(schema, &(struct group_by){ .provenance = false });
	s->collect = collect_open(s->groups, brief ? COLLECT_IDENTITY : 0);
	if (brief)
		s->brief = *brief;
	if (brief && twins)
		s->floors = noise_floor_open(schema);
	return s;
}

void run_summary_row(struct run_summary *s, const struct row *row)
{
	size_t group;
	struct row part;

	if (!s->floors) {
		collect_row(s->collect, row);
		return;
	}
	/* The row is one of half of a subject. */
	group = groups_find(s->groups, row);
	part = row_part_twins(row);
	noise_floor_row(s->floors, row, group, false);
	collect_into(s->collect, group, &part);
}

void run_summary_finish(struct run_summary *s)
{
	collect_finish(s->collect);
}

int run_summary_print_brief(struct run_summary *s, const struct metrics *metrics, FILE *out)
{
	struct buf lines = { 0 };
	int status;

	if (s->floors)
		noise_floor_finish(s->floors, true);
	s->brief.floors = s->floors;
	brief_put(&lines, s->groups, s->collect, metrics, &s->brief);
	if (lines.len && s->brief.verbose)
		buf_byte(&lines, '\n');
	status = fwrite(lines.ptr, 1, lines.len, out) == lines.len ? 0 : -1;
	buf_free(&lines);
	return status;
}

int run_summary_print(struct run_summary *s, const struct output *out)
{
	const struct summary_opts all = { .inference.confidence = s->confidence };

	return summary_print(s->groups, s->collect, &all, out);
}

void run_summary_close(struct run_summary *s)
{
	if (!s)
		return;
	noise_floor_close(s->floors);
	collect_close(s->collect);
	groups_close(s->groups);
	free(s);
}

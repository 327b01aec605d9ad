/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the rows that decide a verdict; see primary.h.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "record/primary.h"

struct primary {
	const struct groups *groups;
	const struct metrics *metrics;
	bool *added; /* by group */
	size_t groups_known;
	/* Those with a primary metric, once a group of another metric is asked about: most
	 * streams have none. */
	struct intern benchmarks;
	bool listed;
};

struct primary *primary_open(const struct groups *groups, const struct metrics *metrics)
{
	struct primary *p = mem_zero(1, sizeof(*p));

	p->groups = groups;
	p->metrics = metrics;
	p->groups_known = groups_count(groups);
	p->added = mem_zero(p->groups_known + 1, sizeof(*p->added));
	return p;
}

static bool is_primary(const struct primary *p, size_t group)
{
	return metrics_primary(p->metrics, groups_cell(p->groups, group, COL_METRIC),
	    groups_cell(p->groups, group, COL_KIND));
}

/* Sets the key of a group's benchmark. */
static struct text benchmark_of(const struct primary *p, size_t group, struct buf *key)
{
	buf_text(key, groups_cell(p->groups, group, COL_KIND));
	buf_byte(key, '\0');
	buf_text(key, groups_cell(p->groups, group, COL_BENCH));
	return text_in(key);
}

void primary_add(struct primary *p, size_t group)
{
	p->added[group] = true;
}

/* Lists the benchmarks of the groups that were added. */
static void list_benchmarks(struct primary *p)
{
	struct buf key = { 0 };

	for (size_t i = 0; i < p->groups_known; i++) {
		if (!p->added[i] || !is_primary(p, i) ||
		    text_is(groups_cell(p->groups, i, COL_METRIC), "ok"))
			continue;
		key.len = 0;
		intern_add(&p->benchmarks, benchmark_of(p, i, &key));
	}
	buf_free(&key);
	p->listed = true;
}

bool primary_decides(struct primary *p, size_t group)
{
	struct buf key = { 0 };
	bool decides;

	if (is_primary(p, group))
		return true;
	if (!p->listed)
		list_benchmarks(p);
	decides = intern_find(&p->benchmarks, benchmark_of(p, group, &key)) < 0;
	buf_free(&key);
	return decides;
}

void primary_close(struct primary *p)
{
	free(p->added);
	intern_free(&p->benchmarks);
	free(p);
}

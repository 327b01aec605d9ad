/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See primary.h.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "record/primary.h"

struct primary {
	const struct groups *groups;
	const struct metrics *metrics;
	struct intern benchmarks; /* those with a primary metric */
};

struct primary *primary_open(const struct groups *groups, const struct metrics *metrics)
{
	struct primary *p = mem_zero(1, sizeof(*p));

	p->groups = groups;
	p->metrics = metrics;
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
	struct buf key = { 0 };

	if (!is_primary(p, group) ||
	    text_is(groups_cell(p->groups, group, COL_METRIC), "ok"))
		return;
	intern_add(&p->benchmarks, benchmark_of(p, group, &key));
	buf_free(&key);
}

bool primary_decides(const struct primary *p, size_t group)
{
	struct buf key = { 0 };
	bool decides;

	if (is_primary(p, group))
		return true;
	decides = intern_find(&p->benchmarks, benchmark_of(p, group, &key)) < 0;
	buf_free(&key);
	return decides;
}

void primary_close(struct primary *p)
{
	intern_free(&p->benchmarks);
	free(p);
}

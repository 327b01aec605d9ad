/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Orders the visits by their commits, instead of by time; see site_model.h.
 */
#include <stdlib.h>

#include "site/site_model.h"

struct ranked_visit {
	struct site_visit visit;
	long rank;    /* of its commit */
	size_t index; /* by time */
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked_visit *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

int site_model_order(struct site_model *m, struct fault *f)
{
	struct site_cache *c = &m->cache;
	struct ranked_visit *known;
	size_t count = 0;

	if (!m->order)
		return 0;
	known = mem_zero(c->visits + 1, sizeof(*known));
	for (size_t i = 0; i < c->visits; i++) {
		long rank = commit_order_find(m->order, text_of(c->visit[i].commit));

		if (rank >= 0)
			known[count++] = (struct ranked_visit){ c->visit[i], rank, i };
		else
			site_visit_free(&c->visit[i]);
	}
	if (count)
		qsort(known, count, sizeof(*known), by_rank);
	for (size_t i = 0; i < count; i++)
		c->visit[i] = known[i].visit;
	free(known);
	m->unordered = c->visits - count;
	c->visits = count;
	return count || !m->unordered
	           ? 0
		   : fault_set(
	                 f, "%s: has none of the commits in the database", m->opts->order);
}

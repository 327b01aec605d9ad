/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of operations; see operation_times.h.
 */
#include <stdlib.h>

#include "inference/operation_times.h"
#include "text/plural.h"

void operation_times_add(struct operation_times *t, struct operation_time time)
{
	*VEC_ADD(t->at, t->count, t->cap) = time;
}

static int compare_operation_times(const void *a, const void *b)
{
	const struct operation_time *x = a, *y = b;

	if (x->sample != y->sample)
		return x->sample < y->sample ? -1 : 1;
	return (x->operation > y->operation) - (x->operation < y->operation);
}

void operation_times_merge(struct operation_times *t)
{
	size_t kept = 0;

	if (t->count)
		qsort(t->at, t->count, sizeof(*t->at), compare_operation_times);
	for (size_t i = 0; i < t->count; i++) {
		struct operation_time *last = kept ? &t->at[kept - 1] : NULL;

		if (last && compare_operation_times(last, &t->at[i]) == 0) {
			last->wall_ns += t->at[i].wall_ns;
			last->self_ns += t->at[i].self_ns;
			last->calls += t->at[i].calls;
		} else
			t->at[kept++] = t->at[i];
	}
	t->count = kept;
}

const char *operation_times_noun(size_t executions)
{
	return plural(
	    executions, "execution of an operation is", "executions of operations are");
}

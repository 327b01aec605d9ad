/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds whether the second of two inputs contains samples of the first, as a file to which
 * a new run was appended. Samples of one run on both sides are also the pairs of a file
 * that was split by a column, but their values differ. See compare.h.
 */
#include <stdlib.h>

#include "compare/compare_priv.h"

struct shared_sample {
	struct sample_id id;
	double value;
};

static int by_identity(const void *a, const void *b)
{
	const struct shared_sample *x = a, *y = b;
	int order = sample_id_order(&x->id, &y->id);

	return order ? order : (x->value > y->value) - (x->value < y->value);
}

/* Returns the values of a group that have a run and a number, by identity; allocated. */
static struct shared_sample *identified_values(
    const struct compare *c, const struct collected *from, size_t *count)
{
	struct shared_sample *all = mem_zero(from->count + 1, sizeof(*all));

	*count = 0;
	for (size_t i = 0; i < from->count; i++)
		if (from->identity[i].sample != ROW_NONE &&
		    *collect_run(c->collect, from->identity[i].run).ptr)
			all[(*count)++] =
			    (struct shared_sample){ from->identity[i], from->value[i] };
	qsort(all, *count, sizeof(*all), by_identity);
	return all;
}

/* Returns whether a run of the old side has values on the new side. */
static bool any_run_is_shared(struct compare *c, size_t side)
{
	bool *is_old = mem_zero(collect_runs(c->collect) + 1, sizeof(*is_old));
	bool shared = false;

	for (size_t g = 0; g < c->topics; g++)
		if (compare_values(c, c->reference, g))
			collect_mark_runs(c->collect,
			    (size_t)compare_gathering(c, g, c->reference), is_old);
	for (size_t g = 0; g < c->topics && !shared; g++)
		shared = compare_values(c, side, g) &&
		         collect_has_run(
		             c->collect, (size_t)compare_gathering(c, g, side), is_old);
	free(is_old);
	return shared;
}

/* Compares the pairs of a group. Returns false if the values of one differ; sets *varies if
 * those of several pairs do. */
static bool pairs_are_equal(const struct compare *c, const struct collected *old,
    const struct collected *new, bool *varies)
{
	size_t olds, news, first = SIZE_MAX;
	struct shared_sample *a = identified_values(c, old, &olds),
	                  *b = identified_values(c, new, &news);
	bool equal = true;

	for (size_t i = 0, j = 0; i < olds && j < news && equal;) {
		int order = sample_id_order(&a[i].id, &b[j].id);

		if (order == 0) {
			equal = !(a[i].value < b[j].value || a[i].value > b[j].value);
			first = first == SIZE_MAX ? i : first;
			*varies = *varies || a[i].value > a[first].value ||
			          a[i].value < a[first].value;
		}
		i += order <= 0;
		j += order >= 0;
	}
	free(a);
	free(b);
	return equal;
}

void compare_find_shared(struct compare *c)
{
	size_t side = 1 - c->reference;
	bool varies = false;

	if (c->opts.by || c->sides.count != 2 || !any_run_is_shared(c, side))
		return;
	for (size_t g = 0; g < c->topics; g++) {
		const struct collected *old = compare_identified(c, c->reference, g),
		                       *new = compare_identified(c, side, g);
		bool equal = !old || !new || pairs_are_equal(c, old, new, &varies);

		compare_forget(c, c->reference, g);
		compare_forget(c, side, g);
		if (!equal)
			return;
	}
	c->shares = varies;
}

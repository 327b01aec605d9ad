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

/* Returns whether a value of the old side has a pair on the new side. */
static bool any_run_is_shared(struct compare *c, size_t side)
{
	bool *is_old = NULL, shared = false;
	size_t runs = 0;

	for (size_t pass = 0; pass < 2; pass++)
		for (size_t g = 0; g < c->topics && !shared; g++) {
			const size_t of = pass ? side : c->reference;
			const struct collected *v = compare_identified(c, of, g);

			for (size_t i = 0; v && i < v->count && !shared; i++) {
				size_t run = v->identity[i].run;

				if (pass)
					shared = run < runs && is_old[run];
				else if (run >= runs) {
					is_old = mem_resize(
					    is_old, 2 * run + 1, sizeof(*is_old));
					memset(is_old + runs, 0,
					    (2 * run + 1 - runs) * sizeof(*is_old));
					runs = 2 * run + 1;
				}
				if (!pass)
					is_old[run] = true;
			}
			compare_forget(c, of, g);
		}
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

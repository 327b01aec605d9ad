/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resamples of pairs; see resample.h.
 */
#include <stdlib.h>
#include <string.h>

#include "stats/resample.h"

struct indexed {
	double value;
	size_t index;
};

static int by_value(const void *a, const void *b)
{
	double x = ((const struct indexed *)a)->value,
	       y = ((const struct indexed *)b)->value;

	return (x > y) - (x < y);
}

static void order_values(const double *values, size_t n, size_t *order)
{
	struct indexed *sorted = mem_resize(NULL, n, sizeof(*sorted));

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct indexed){ values[i], i };
	qsort(sorted, n, sizeof(*sorted), by_value);
	for (size_t i = 0; i < n; i++)
		order[i] = sorted[i].index;
	free(sorted);
}

void resample_pairs_init(
    struct resample_pairs *p, const struct hierarchy *old, const struct hierarchy *new)
{
	size_t n = old->values;
	size_t leaves = hierarchy_flat(old) ? 1 : old->leaves;

	*p = (struct resample_pairs){ .old = old, .new = new };
	p->old_order = mem_resize(NULL, n, sizeof(*p->old_order));
	p->new_order = mem_resize(NULL, n, sizeof(*p->new_order));
	p->times = mem_resize(NULL, n, sizeof(*p->times));
	p->old_leaf = mem_resize(NULL, old->leaves, sizeof(double));
	p->new_leaf = mem_resize(NULL, old->leaves, sizeof(double));
	p->old_unit = mem_resize(NULL, old->units, sizeof(double));
	p->new_unit = mem_resize(NULL, old->units, sizeof(double));
	for (size_t i = 0; i < leaves; i++) {
		size_t from = hierarchy_flat(old) ? 0 : old->leaf[i];
		size_t count = hierarchy_flat(old) ? n : old->leaf[i + 1] - from;

		order_values(old->value + from, count, p->old_order + from);
		order_values(new->value + from, count, p->new_order + from);
	}
}

void resample_pairs_free(struct resample_pairs *p)
{
	free(p->new_unit);
	free(p->old_unit);
	free(p->new_leaf);
	free(p->old_leaf);
	free(p->times);
	free(p->new_order);
	free(p->old_order);
}

/* Returns the median of a resample of n, from the number of times that each index was
 * drawn. */
static double median_drawn(
    const double *values, const size_t *order, const uint32_t *times, size_t n)
{
	size_t seen = 0, i = 0, low;

	while ((seen += times[order[i]]) < (n + 1) / 2)
		i++;
	low = order[i];
	while (seen < n / 2 + 1)
		seen += times[order[++i]];
	return bootstrap_median_between(values[low], values[order[i]]);
}

/* Resamples the n pairs that begin at `from`. */
static void draw_values_paired(struct resample_pairs *p, struct rng *r, size_t from,
    size_t n, double *old, double *new)
{
	if (p->old->location == LOCATION_MEAN) {
		*old = *new = 0;
		for (size_t i = 0; i < n; i++) {
			size_t drawn = from + rng_below(r, n);

			*old += p->old->value[drawn] / (double)n;
			*new += p->new->value[drawn] / (double)n;
		}
		return;
	}
	memset(p->times, 0, n * sizeof(*p->times));
	for (size_t i = 0; i < n; i++)
		p->times[rng_below(r, n)]++;
	*old = median_drawn(p->old->value + from, p->old_order + from, p->times, n);
	*new = median_drawn(p->new->value + from, p->new_order + from, p->times, n);
}

static void draw_unit_paired(
    struct resample_pairs *p, struct rng *r, size_t unit, double *old, double *new)
{
	const struct hierarchy *n = p->old;
	size_t first = n->unit[unit], leaves = n->unit[unit + 1] - first;

	for (size_t i = 0; i < leaves; i++) {
		size_t leaf = first + (leaves == 1 ? 0 : rng_below(r, leaves));

		draw_values_paired(p, r, n->leaf[leaf], n->leaf[leaf + 1] - n->leaf[leaf],
		    &p->old_leaf[i], &p->new_leaf[i]);
	}
	*old = location_sorting(n->location, p->old_leaf, leaves);
	*new = location_sorting(n->location, p->new_leaf, leaves);
}

void resample_pairs_draw(struct resample_pairs *p, struct rng *r, double *old, double *new)
{
	const struct hierarchy *n = p->old;

	if (hierarchy_flat(n)) {
		draw_values_paired(p, r, 0, n->values, old, new);
		return;
	}
	for (size_t i = 0; i < n->units; i++)
		draw_unit_paired(
		    p, r, rng_below(r, n->units), &p->old_unit[i], &p->new_unit[i]);
	*old = location_sorting(n->location, p->old_unit, n->units);
	*new = location_sorting(n->location, p->new_unit, n->units);
}

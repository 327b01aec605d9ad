/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resamples of one side; see resample.h.
 */
#include <stdlib.h>
#include <string.h>

#include "stats/resample.h"
#include "stats/stats.h"

void resample_side_init(
    struct resample_side *s, struct bootstrap_median *medians, const struct hierarchy *n)
{
	size_t leaves = hierarchy_flat(n) ? 1 : n->leaves;

	*s = (struct resample_side){ .hierarchy = n, .flat = hierarchy_flat(n) };
	s->value = mem_resize(NULL, n->values, sizeof(*s->value));
	memcpy(s->value, n->value, n->values * sizeof(*s->value));
	s->table = mem_zero(leaves, sizeof(struct bootstrap_median_table *));
	s->of_unit = mem_resize(NULL, n->units, sizeof(double));
	s->of_leaf = mem_resize(NULL, n->leaves, sizeof(double));
	for (size_t i = 0; i < leaves; i++) {
		size_t from = s->flat ? 0 : n->leaf[i];
		size_t count = s->flat ? n->values : n->leaf[i + 1] - from;

		stats_sort(s->value + from, count);
		if (n->location == LOCATION_MEDIAN && count > 1 &&
		    count <= BOOTSTRAP_MEDIAN_MOST)
			s->table[i] = bootstrap_median_table(medians, count);
	}
	if (!s->flat || !s->table[0])
		return;
	s->middle = mem_resize(NULL, s->table[0]->count, sizeof(*s->middle));
	for (size_t i = 0; i < s->table[0]->count; i++) {
		struct bootstrap_median_ranks of = s->table[0]->ranks[i];

		s->middle[i] =
		    bootstrap_median_between(s->value[of.low], s->value[of.high]);
	}
}

void resample_side_free(struct resample_side *s)
{
	free(s->of_leaf);
	free(s->of_unit);
	free(s->middle);
	free(s->table);
	free(s->value);
}

static double draw_mean(struct rng *r, const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[rng_below(r, n)];
	return sum / (double)n;
}

static double draw_values(const struct resample_side *s, struct rng *r, const double *value,
    size_t n, const struct bootstrap_median_table *table)
{
	struct bootstrap_median_ranks of;

	if (n == 1)
		return value[0];
	if (s->hierarchy->location == LOCATION_MEAN)
		return draw_mean(r, value, n);
	if (!table)
		return bootstrap_median_of(r, value, n);
	of = table->ranks[bootstrap_median_draw(table, r)];
	return bootstrap_median_between(value[of.low], value[of.high]);
}

static double draw_unit(const struct resample_side *s, struct rng *r, size_t unit)
{
	const struct hierarchy *n = s->hierarchy;
	size_t first = n->unit[unit], leaves = n->unit[unit + 1] - first;

	for (size_t i = 0; i < leaves; i++) {
		size_t leaf = first + (leaves == 1 ? 0 : rng_below(r, leaves));

		s->of_leaf[i] = draw_values(s, r, s->value + n->leaf[leaf],
		    n->leaf[leaf + 1] - n->leaf[leaf], s->table[leaf]);
	}
	return location_sorting(n->location, s->of_leaf, leaves);
}

double resample_side_draw(const struct resample_side *s, struct rng *r)
{
	const struct hierarchy *n = s->hierarchy;

	if (s->middle)
		return s->middle[bootstrap_median_draw(s->table[0], r)];
	if (s->flat)
		return draw_values(s, r, s->value, n->values, NULL);
	for (size_t i = 0; i < n->units; i++)
		s->of_unit[i] = draw_unit(s, r, rng_below(r, n->units));
	return location_sorting(n->location, s->of_unit, n->units);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tiers of a side; see hierarchy.h.
 */
#include <stdlib.h>
#include <string.h>

#include "stats/hierarchy.h"
#include "stats/stats.h"

enum { FEW = 48 };

double location_of(enum location location, const double *sorted, size_t n)
{
	return location == LOCATION_MEAN ? stats_mean(sorted, n)
	                                 : stats_quantile(sorted, n, 0.5);
}

/* Sorts by insertion, which is fastest for few values. */
static void sort_few(double *x, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double value = x[i];
		size_t k = i;

		for (; k > 0 && x[k - 1] > value; k--)
			x[k] = x[k - 1];
		x[k] = value;
	}
}

/* Returns the location of values in any order, and sorts them in place. */
static double location_sorting(enum location location, double *values, size_t n)
{
	if (n == 1)
		return values[0];
	if (location == LOCATION_MEDIAN && n <= FEW)
		sort_few(values, n);
	else if (location == LOCATION_MEDIAN)
		stats_sort(values, n);
	return location_of(location, values, n);
}

void hierarchy_init(struct hierarchy *n, enum location location, enum tier tier,
    const struct sample_id *id, const double *value, size_t values)
{
	*n = (struct hierarchy){ .location = location, .values = values };
	n->value = mem_resize(NULL, values + 1, sizeof(*n->value));
	n->unit = mem_resize(NULL, values + 1, sizeof(*n->unit));
	n->leaf = mem_resize(NULL, values + 1, sizeof(*n->leaf));
	if (values)
		memcpy(n->value, value, values * sizeof(*value));
	for (size_t i = 0; i < values; i++) {
		bool run = i == 0 || id[i].run != id[i - 1].run;
		bool leaf = run || id[i].process != id[i - 1].process;

		if (tier == TIER_SAMPLE || (tier == TIER_RUN ? run : leaf))
			n->unit[n->units++] = n->leaves;
		if (leaf || tier == TIER_SAMPLE)
			n->leaf[n->leaves++] = i;
	}
	n->unit[n->units] = n->leaves;
	n->leaf[n->leaves] = values;
}

void hierarchy_units(const struct hierarchy *n, double *out)
{
	double *scratch = mem_resize(NULL, n->values + 1, sizeof(*scratch));
	double *of_leaf = mem_resize(NULL, n->leaves + 1, sizeof(*of_leaf));

	memcpy(scratch, n->value, n->values * sizeof(*scratch));
	for (size_t i = 0; i < n->leaves; i++)
		of_leaf[i] = location_sorting(
		    n->location, scratch + n->leaf[i], n->leaf[i + 1] - n->leaf[i]);
	for (size_t i = 0; i < n->units; i++)
		out[i] = location_sorting(
		    n->location, of_leaf + n->unit[i], n->unit[i + 1] - n->unit[i]);
	free(of_leaf);
	free(scratch);
}

void hierarchy_free(struct hierarchy *n)
{
	free(n->unit);
	free(n->leaf);
	free(n->value);
	*n = (struct hierarchy){ 0 };
}

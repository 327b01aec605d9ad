/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Geometric means; see geomean.h. Adds logarithms and divides at the end.
 */
#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "compare/geomean.h"

/* Returns the number of the mean to which a comparison belongs. */
static size_t place_of(struct intern *seen, struct buf *key, const struct compare *c,
    const struct comparison *row)
{
	const struct groups *groups = compare_groups(c);

	key->len = 0;
	buf_put(key, &row->side, sizeof(row->side));
	buf_text(key, groups_cell(groups, row->group, COL_METRIC));
	buf_byte(key, '\0');
	buf_text(key, groups_cell(groups, row->group, COL_UNIT));
	return intern_add(seen, text_in(key));
}

/* Adds a ratio. Until finish_mean(), lo and hi are sums of the squares of the arms. */
static void add_ratio(struct geomean *g, const struct two_sample *r)
{
	g->count++;
	g->old += log(r->old);
	g->new += log(r->new);
	g->ratio += log(r->ratio);
	g->lo += pow(log(r->ratio / r->ratio_lo), 2);
	g->hi += pow(log(r->ratio_hi / r->ratio), 2);
}

static void finish_mean(struct geomean *g)
{
	double n = (double)g->count;

	g->lo = exp((g->ratio - sqrt(g->lo)) / n);
	g->hi = exp((g->ratio + sqrt(g->hi)) / n);
	g->old = exp(g->old / n);
	g->new = exp(g->new / n);
	g->ratio = exp(g->ratio / n);
}

/* Returns whether a result belongs to a mean. If it has an end of an interval but no
 * estimate, the mean is unknown. */
static bool has_ratio(const struct two_sample *r)
{
	return isnan(r->ratio) ? !isnan(r->ratio_lo) : r->ratio > 0;
}

size_t geomeans_of(const struct compare *c, struct geomean **out)
{
	struct geomean *list = NULL;
	struct intern seen = { 0 };
	struct buf key = { 0 };
	size_t all, count = 0, cap = 0, kept = 0;
	const struct comparison *row = compare_list(c, &all);

	for (size_t i = 0; i < all; i++) {
		size_t place;

		if (!has_ratio(&row[i].result))
			continue;
		place = place_of(&seen, &key, c, &row[i]);
		if (place == count)
			*VEC_ADD(list, count, cap) =
			    (struct geomean){ .side = row[i].side, .group = row[i].group };
		add_ratio(&list[place], &row[i].result);
		list[place].decides |= row[i].decides;
		list[place].varies |= !compare_constant(&row[i]);
	}
	for (size_t i = 0; i < count; i++)
		if (list[i].count > 1) {
			finish_mean(&list[i]);
			list[kept++] = list[i];
		}
	intern_free(&seen);
	buf_free(&key);
	*out = list;
	return kept;
}

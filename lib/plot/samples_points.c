/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes marks of points along x, without points that do not change the picture.
 */
#include <stdlib.h>

#include "plot/samples_priv.h"

/* Returns the points of all picks of a series, sorted; allocated. */
static struct point *points_in(const struct samples_making *m, const size_t *of,
    size_t series, size_t *count, size_t *failed)
{
	struct point *all = NULL;

	*count = *failed = 0;
	for (size_t i = 0; i < m->facet.picks; i++) {
		size_t own, bad;
		const struct point *p;

		if (of[i] != series)
			continue;
		p = points_of(m->input->points, m->facet.pick[i], &own, &bad);
		*failed += bad;
		if (!own)
			continue;
		all = mem_resize(all, *count + own, sizeof(*all));
		memcpy(all + *count, p, own * sizeof(*all));
		*count += own;
	}
	points_sort(all, *count);
	return all;
}

/* Returns the end of the points that have the same x as this one. */
static size_t same_x(const struct point *p, size_t from, size_t count)
{
	size_t end = from + 1;

	while (end < count && p[end].x == p[from].x)
		end++;
	return end;
}

/* Returns the median at each x as a point; allocated. */
static struct point *medians(const struct point *all, size_t count, size_t *places)
{
	struct point *p = mem_zero(count, sizeof(*p));

	*places = 0;
	for (size_t i = 0, end; i < count; i = end) {
		end = same_x(all, i, count);
		size_t low = i + (end - i - 1) / 2, high = i + (end - i) / 2;

		p[(*places)++] = (struct point){ all[i].x,
			all[low].value + (all[high].value - all[low].value) / 2 };
	}
	return p;
}

/* Adds a mark for each x that was kept, with its values. */
static void mark_places(struct figure *fig, size_t series, const struct point *all,
    size_t count, const struct point *place, size_t places, size_t *cap)
{
	for (size_t i = 0, k = 0, end; i < count && k < places; i = end) {
		struct mark *mark;

		end = same_x(all, i, count);
		if (all[i].x != place[k].x)
			continue;
		k++;
		mark = VEC_ADD(fig->mark, fig->marks, *cap);
		*mark = (struct mark){ .series = series, .x = all[i].x, .n = end - i };
		mark->value = mem_zero(mark->n, sizeof(*mark->value));
		for (size_t v = 0; v < mark->n; v++)
			mark->value[v] = all[i + v].value;
	}
}

void samples_mark_points(struct samples_making *m, const size_t *series)
{
	const struct facet *fa = &m->facet;
	struct figure *fig = m->fig;
	size_t cap = 0, columns = FIGURE_COLUMNS /
	                          (fig->series_count < 4 ? 1 : fig->series_count / 2);

	for (size_t s = 0; s < fig->series_count; s++) {
		size_t count, places, all_places, failed;
		struct point *all = points_in(m, series, s, &count, &failed),
		             *place = medians(all, count, &places);
		double *x = mem_zero(places, sizeof(*x));

		for (size_t i = 0; i < places; i++)
			x[i] = place[i].x;
		fig->geometric_x = m->opts->log_x == LOG_AUTO ? axis_geometric(x, places)
		                                              : m->opts->log_x == LOG_YES;
		free(x);
		all_places = places;
		places = points_decimate(
		    place, places, columns, fig->geometric_x && places && place[0].x > 0);
		fig->thinned = fig->thinned || places < all_places;
		mark_places(fig, s, all, count, place, places, &cap);
		fig->failed += failed;
		free(all);
		free(place);
	}
	for (size_t i = 0; i < fa->picks; i++)
		if (!fig->series[series[i]])
			fig->series[series[i]] = samples_label(m, i, &fa->series);
}

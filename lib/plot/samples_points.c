/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes marks of points along x, without points that do not change the picture, and marks
 * of places along x at which a series was run but has no value of the metric: all samples
 * failed, the subject could not be measured, or it lacks the metric. A line that crossed
 * such a place would look as if it had been measured.
 */
#include <stdlib.h>

#include "plot/samples_priv.h"
#include "text/units.h"

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

/* Returns each x at which a series failed and has no value, sorted, as points; allocated.
 * The values of the series are sorted. */
static struct point *gaps_in(const struct samples_making *m, const size_t *of,
    size_t series, const struct point *all, size_t count, size_t *gaps)
{
	struct point *gap = NULL;
	size_t cap = 0, found = 0, kept = 0;

	for (size_t i = 0; i < m->facet.picks; i++) {
		size_t own = 0;
		const double *x = of[i] == series ? points_gaps(m->input->points,
		                                        m->facet.pick[i], &own)
		                                  : NULL;

		for (size_t k = 0; k < own; k++)
			*VEC_ADD(gap, found, cap) = (struct point){ x[k], 0 };
	}
	points_sort(gap, found);
	for (size_t i = 0, k = 0; i < found; i++) {
		while (k < count && all[k].x < gap[i].x)
			k++;
		if ((k == count || all[k].x != gap[i].x) &&
		    (!kept || gap[kept - 1].x != gap[i].x))
			gap[kept++] = gap[i];
	}
	*gaps = kept;
	return gap;
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
		size_t count, places, all_places, failed, gaps;
		struct point *all = points_in(m, series, s, &count, &failed),
		             *place = medians(all, count, &places),
		             *gap = gaps_in(m, series, s, all, count, &gaps);
		double *x = mem_zero(places, sizeof(*x));

		for (size_t i = 0; i < places; i++)
			x[i] = place[i].x;
		fig->geometric_x =
		    m->opts->log_x == LOG_AUTO
		        ? axis_geometric(x, places) && !(gaps && gap[0].x <= 0)
		        : m->opts->log_x == LOG_YES;
		free(x);
		all_places = places;
		places = points_decimate(
		    place, places, columns, fig->geometric_x && places && place[0].x > 0);
		fig->thinned = fig->thinned || places < all_places;
		mark_places(fig, s, all, count, place, places, &cap);
		gaps = points_decimate(
		    gap, gaps, columns / 2, fig->geometric_x && gaps && gap[0].x > 0);
		for (size_t i = 0; i < gaps; i++)
			*VEC_ADD(fig->mark, fig->marks, cap) =
			    (struct mark){ .series = s, .x = gap[i].x };
		fig->failed += failed;
		free(all);
		free(place);
		free(gap);
	}
	for (size_t i = 0; i < fa->picks; i++)
		if (!fig->series[series[i]])
			fig->series[series[i]] = samples_label(m, i, &fa->series);
}

/* The columns by which a subject is assigned to a series. */
struct gap_columns {
	struct columns same; /* those of the series, kind and bench: must be equal */
	struct columns
	    open; /* other constant columns: a subject that failed may lack them */
};

static void add_column(struct columns *c, size_t id)
{
	columns_add(c, &(struct columns){ &id, 1, 0 });
}

/* Chooses the columns. One that varies within a series is pooled or follows from x. */
static struct gap_columns gap_columns(const struct facet *fa)
{
	struct gap_columns c = { 0 };

	columns_add(&c.same, &fa->series);
	for (size_t i = 0; i < fa->all.count; i++) {
		size_t id = fa->all.id[i];

		if (columns_hold(&c.same, id) || columns_hold(&fa->x, id) ||
		    facet_partition(fa, &(struct columns){ &id, 1, 0 }, NULL) > 1)
			continue;
		add_column(id == COL_BENCH || id == COL_KIND ? &c.same : &c.open, id);
	}
	return c;
}

/* Returns whether a subject has the columns of a pick. */
static bool is_of_series(const struct samples_making *m, const struct gap_columns *c,
    size_t subject, size_t pick)
{
	for (size_t i = 0; i < c->same.count; i++)
		if (!text_equal(groups_cell(m->input->subjects, subject, c->same.id[i]),
		        facet_cell(&m->facet, pick, c->same.id[i])))
			return false;
	for (size_t i = 0; i < c->open.count; i++) {
		struct text own = groups_cell(m->input->subjects, subject, c->open.id[i]);

		if (own.len && !text_equal(own, facet_cell(&m->facet, pick, c->open.id[i])))
			return false;
	}
	return true;
}

/* Returns whether a series has a mark at x: one of the first `sorted` ones, or a gap after
 * them. */
static bool has_mark(const struct figure *fig, size_t sorted, size_t series, double x)
{
	const struct mark key = { .series = series, .x = x };

	if (bsearch(&key, fig->mark, sorted, sizeof(key), samples_by_series))
		return true;
	for (size_t i = sorted; i < fig->marks; i++)
		if (fig->mark[i].series == series && fig->mark[i].x == x)
			return true;
	return false;
}

void samples_mark_gaps(struct samples_making *m, const size_t *series)
{
	const struct facet *fa = &m->facet;
	struct figure *fig = m->fig;
	size_t *pick = mem_zero(fig->series_count, sizeof(*pick)), sorted = fig->marks,
	       cap = fig->marks;
	struct gap_columns c = gap_columns(fa);

	qsort(fig->mark, fig->marks, sizeof(*fig->mark), samples_by_series);
	for (size_t i = fa->picks; i-- > 0;)
		pick[series[i]] = i;
	for (size_t g = 0; g < groups_count(m->input->subjects); g++) {
		double x;

		if (!number_parse(groups_cell(m->input->subjects, g, fa->x.id[0]), &x))
			continue;
		for (size_t s = 0; s < fig->series_count; s++)
			if (is_of_series(m, &c, g, pick[s]) && !has_mark(fig, sorted, s, x))
				*VEC_ADD(fig->mark, fig->marks, cap) =
				    (struct mark){ .series = s, .x = x };
	}
	free(c.same.id);
	free(c.open.id);
	free(pick);
}

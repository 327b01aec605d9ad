/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes marks of points along x, without points that do not change the plot, and marks
 * of places along x at which a series was run but has no value of the metric: all samples
 * failed, the subject could not be measured, or it lacks the metric. A line that crossed
 * such a place would look as if it had been measured.
 */
#include <math.h>
#include <stdlib.h>

#include "figure/samples_priv.h"
#include "stats/censored.h"
#include "text/units.h"

/* The points of all picks of a series, and the limits of those that timed out, sorted. */
struct series_points {
	struct point *value, *limit;
	size_t values, limits, failed;
};

static void append_points(
    struct point **all, size_t *count, const struct point *more, size_t n)
{
	if (!n)
		return;
	*all = mem_resize(*all, *count + n, sizeof(**all));
	memcpy(*all + *count, more, n * sizeof(**all));
	*count += n;
}

/* Returns the points of a series, whose arrays the caller frees. */
static struct series_points points_in(
    const struct samples_making *m, const size_t *of, size_t series)
{
	struct series_points p = { 0 };

	for (size_t i = 0; i < m->facet.picks; i++) {
		struct points *points = m->input->points;
		size_t pick = m->facet.pick[i], values, limits, failed;
		const struct point *value, *limit;

		if (of[i] != series)
			continue;
		value = points_of(points, pick, &values, &failed);
		limit = points_limits(points, pick, &limits);
		append_points(&p.value, &p.values, value, values);
		append_points(&p.limit, &p.limits, limit, limits);
		p.failed += failed;
	}
	points_sort(p.value, p.values);
	points_sort(p.limit, p.limits);
	return p;
}

/* The values and limits at one x, as parts of those of a series. */
struct spot {
	double x;
	size_t value, value_end, limit, limit_end;
};

/* Moves to the next x; a zeroed spot is before the first. Returns false at the end. */
static bool next_spot(const struct series_points *p, struct spot *s)
{
	s->value = s->value_end;
	s->limit = s->limit_end;
	if (s->value == p->values && s->limit == p->limits)
		return false;
	s->x = fmin(s->value < p->values ? p->value[s->value].x : INFINITY,
	    s->limit < p->limits ? p->limit[s->limit].x : INFINITY);
	while (s->value_end < p->values && p->value[s->value_end].x == s->x)
		s->value_end++;
	while (s->limit_end < p->limits && p->limit[s->limit_end].x == s->x)
		s->limit_end++;
	return true;
}

/* Returns the numbers of some points; allocated, or NULL if there are none. */
static double *numbers_of(const struct point *p, size_t from, size_t end)
{
	double *number = NULL;

	if (end > from)
		number = mem_zero(end - from, sizeof(*number));
	for (size_t i = from; i < end; i++)
		number[i - from] = p[i].value;
	return number;
}

/* Returns the median at a spot. */
static struct bounded median_at(const struct series_points *p, const struct spot *s)
{
	size_t n = s->value_end - s->value;
	double *value, *limit;
	struct bounded median;

	if (s->limit == s->limit_end) {
		double low = p->value[s->value + (n - 1) / 2].value,
		       high = p->value[s->value + n / 2].value;

		return (struct bounded){ low + (high - low) / 2, false };
	}
	value = numbers_of(p->value, s->value, s->value_end);
	limit = numbers_of(p->limit, s->limit, s->limit_end);
	median = censored_quantile(
	    &(struct censored){ value, n, limit, s->limit_end - s->limit }, 0.5);
	free(value);
	free(limit);
	return median;
}

/* The medians of a series by x, and again those that are above a limit. */
struct medians {
	struct point *all, *above;
	size_t count, aboves;
};

/* Returns the medians, whose arrays the caller frees; `all` has room for `above`. */
static struct medians medians_of(const struct series_points *p)
{
	size_t most = p->values + p->limits + 1;
	struct medians m = { .all = mem_zero(2 * most, sizeof(*m.all)),
		.above = mem_zero(most, sizeof(*m.above)) };
	struct spot spot = { 0 };

	while (next_spot(p, &spot)) {
		struct bounded median = median_at(p, &spot);

		m.all[m.count++] = (struct point){ spot.x, median.at };
		if (median.above)
			m.above[m.aboves++] = (struct point){ spot.x, median.at };
	}
	return m;
}

/* Leaves out the medians that do not change a plot of this many columns. Those above a
 * limit have arrows, and are chosen separately. */
static void thin_medians(struct medians *m, size_t columns, bool logarithmic)
{
	size_t kept = 0;

	m->count = points_decimate(m->all, m->count, columns, logarithmic);
	m->aboves = points_decimate(m->above, m->aboves, columns / 2, logarithmic);
	memcpy(m->all + m->count, m->above, m->aboves * sizeof(*m->all));
	m->count += m->aboves;
	points_sort(m->all, m->count);
	for (size_t i = 0; i < m->count; i++)
		if (!kept || m->all[kept - 1].x != m->all[i].x)
			m->all[kept++] = m->all[i];
	m->count = kept;
}

/* Returns each x at which a series failed and is at none of its places, sorted, as points;
 * allocated. */
static struct point *gaps_in(const struct samples_making *m, const size_t *of,
    size_t series, const struct point *place, size_t places, size_t *gaps)
{
	struct point *gap = NULL;
	size_t cap = 0, found = 0, kept = 0;

	for (size_t i = 0; i < m->facet.picks; i++) {
		size_t own = 0;
		const double *x =
		    of[i] == series ? points_gaps(m->input->points, m->facet.pick[i], &own)
		                    : NULL;

		for (size_t k = 0; k < own; k++)
			*VEC_ADD(gap, found, cap) = (struct point){ x[k], 0 };
	}
	points_sort(gap, found);
	for (size_t i = 0, k = 0; i < found; i++) {
		while (k < places && place[k].x < gap[i].x)
			k++;
		if ((k == places || place[k].x != gap[i].x) &&
		    (!kept || gap[kept - 1].x != gap[i].x))
			gap[kept++] = gap[i];
	}
	*gaps = kept;
	return gap;
}

/* Adds a mark for each x that was kept, with its values and limits. Returns the number of
 * these limits. */
static size_t mark_places(struct figure *fig, size_t series, const struct series_points *p,
    const struct point *place, size_t places, size_t *cap)
{
	struct spot spot = { 0 };
	size_t k = 0, limits = 0;

	while (k < places && next_spot(p, &spot)) {
		if (spot.x != place[k].x)
			continue;
		k++;
		*VEC_ADD(fig->mark, fig->marks, *cap) = (struct mark){ .series = series,
			.x = spot.x,
			.value = numbers_of(p->value, spot.value, spot.value_end),
			.n = spot.value_end - spot.value,
			.limit = numbers_of(p->limit, spot.limit, spot.limit_end),
			.limits = spot.limit_end - spot.limit };
		limits += spot.limit_end - spot.limit;
	}
	return limits;
}

/* Returns whether x is spaced by factors, or is to be drawn so. */
static bool is_geometric(
    const struct samples_making *m, const struct medians *at, bool gap_at_zero)
{
	double *x;
	bool geometric;

	if (m->opts->log_x != LOG_AUTO)
		return m->opts->log_x == LOG_YES;
	x = mem_zero(at->count, sizeof(*x));
	for (size_t i = 0; i < at->count; i++)
		x[i] = at->all[i].x;
	geometric = axis_geometric(x, at->count) && !gap_at_zero;
	free(x);
	return geometric;
}

/* Adds the marks of one series, for a plot of this many columns. */
static void mark_series(
    struct samples_making *m, const size_t *of, size_t series, size_t columns, size_t *cap)
{
	struct figure *fig = m->fig;
	struct series_points all = points_in(m, of, series);
	struct medians at = medians_of(&all);
	size_t gaps, before = at.count, limits = all.limits;
	struct point *gap = gaps_in(m, of, series, at.all, at.count, &gaps);

	fig->geometric_x = is_geometric(m, &at, gaps && gap[0].x <= 0);
	thin_medians(&at, columns, fig->geometric_x && at.count && at.all[0].x > 0);
	fig->thinned = fig->thinned || at.count < before;
	limits -= mark_places(fig, series, &all, at.all, at.count, cap);
	gaps = points_decimate(
	    gap, gaps, columns / 2, fig->geometric_x && gaps && gap[0].x > 0);
	for (size_t i = 0; i < gaps; i++)
		*VEC_ADD(fig->mark, fig->marks, *cap) =
		    (struct mark){ .series = series, .x = gap[i].x };
	fig->failed += all.failed;
	fig->censored += limits;
	free(all.value);
	free(all.limit);
	free(at.all);
	free(at.above);
	free(gap);
}

void samples_mark_points(struct samples_making *m, const size_t *series)
{
	const struct facet *fa = &m->facet;
	struct figure *fig = m->fig;
	size_t cap = 0, columns = FIGURE_COLUMNS /
	                          (fig->series_count < 4 ? 1 : fig->series_count / 2);

	for (size_t s = 0; s < fig->series_count; s++)
		mark_series(m, series, s, columns, &cap);
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

int samples_by_series(const void *a, const void *b)
{
	const struct mark *p = a, *q = b;

	if (p->series != q->series)
		return p->series < q->series ? -1 : 1;
	return (p->x > q->x) - (p->x < q->x);
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

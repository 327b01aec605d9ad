/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Panels below each other, along the same x; see struct layout_panels. Each panel has a
 * part of the value axis, its own tics, and its name above its curves. Without panels,
 * series can coincide, and a plot would show only the last of them.
 */
#include <math.h>
#include <string.h>

#include "figure/figure_form.h"
#include "plot/layout_priv.h"

void layout_panels(struct layout *l, const struct canvas *c, size_t most)
{
	if (!c->text && l->series_count > most)
		l->panels.count = l->series_count;
}

void layout_panels_open(struct layout *l, const struct canvas *c, double height)
{
	double name_rows = 1.2;

	l->panels.axis = mem_zero(l->panels.count, sizeof(*l->panels.axis));
	l->panels.unit = mem_zero(l->panels.count, sizeof(*l->panels.unit));
	l->value = (struct axis){ .to = (double)l->panels.count };
	if (!c->text)
		height = fmax(height, l->row * 2.8);
	l->panels.share = fmax(0.4, 1 - name_rows * l->row / height);
}

double layout_panel_place(const struct layout *l, size_t panel, double value)
{
	return (double)(l->panels.count - 1 - panel) +
	       l->panels.share * axis_place(&l->panels.axis[panel], value);
}

void layout_panel_tics(struct layout *l, size_t panel, size_t *cap)
{
	const struct axis *axis = &l->panels.axis[panel];
	double share = l->panels.share,
	       rows = (l->bottom - l->top) / l->row / (double)l->panels.count * share;
	double last = -INFINITY;

	for (size_t i = 0; i < axis->tics; i++) {
		double at = axis_place(axis, axis->tic[i].at);
		struct tic *t;

		if ((at - last) * rows < 0.95)
			continue;
		last = at;
		t = VEC_ADD(l->value.tic, l->value.tics, *cap);
		*t = axis->tic[i];
		t->at = layout_panel_place(l, panel, t->at);
	}
}

double layout_value(const struct layout *l, size_t series, double value)
{
	size_t k = 0;

	if (!l->panels.count)
		return value / l->unit.size;
	while (k + 1 < l->series_count && l->series[k] != series)
		k++;
	return isfinite(value) ? layout_panel_place(l, k, value / l->panels.unit[k].size)
	                       : (double)NAN;
}

static bool same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool same_values(const double *a, size_t n, const double *b, size_t m)
{
	return n == m && (!n || memcmp(a, b, n * sizeof(*a)) == 0);
}

/* Returns whether two marks are drawn alike. */
static bool same_mark(
    const struct figure_kind *kind, const struct mark *a, const struct mark *b)
{
	if (kind->steps || kind->quantiles)
		return same_values(a->value, a->n, b->value, b->n) &&
		       same_values(a->limit, a->limits, b->limit, b->limits);
	return a->x == b->x && same_number(mark_median(a), mark_median(b)) &&
	       same_number(a->s.ci_lo, b->s.ci_lo) && same_number(a->s.ci_hi, b->s.ci_hi);
}

/* Returns the number of marks of a series, which are adjacent, and sets the first. */
static size_t marks_of(const struct figure *fig, size_t series, const struct mark **first)
{
	size_t from = 0, to;

	while (from < fig->marks && fig->mark[from].series != series)
		from++;
	for (to = from; to < fig->marks && fig->mark[to].series == series;)
		to++;
	*first = fig->mark + from;
	return to - from;
}

static bool same_series(const struct figure *fig, size_t one, size_t other)
{
	const struct mark *a, *b;
	size_t n = marks_of(fig, one, &a);

	if (!n || marks_of(fig, other, &b) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!same_mark(fig->kind, &a[i], &b[i]))
			return false;
	return true;
}

/* Returns the number of earlier series that coincide with series k of those drawn. */
static unsigned copies_before(const struct layout *l, size_t k)
{
	unsigned copies = 0;

	for (size_t i = 0; i < k; i++)
		copies += l->same[i] == l->same[k];
	return copies;
}

void layout_find_same(struct layout *l, const struct figure *fig)
{
	const bool may_coincide = fig->kind->form->along_x && !l->panels.count;

	l->same = mem_zero(l->series_count, sizeof(*l->same));
	for (size_t k = 0; k < l->series_count; k++) {
		size_t first = may_coincide ? 0 : k;

		while (first < k && (l->same[first] != first ||
		                        !same_series(fig, l->series[first], l->series[k])))
			first++;
		l->same[k] = first;
		l->hue[k].copy = copies_before(l, k);
	}
}

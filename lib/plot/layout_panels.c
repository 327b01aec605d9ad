/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Panels below each other, along the same x; see struct layout_panels. Each panel has a
 * part of the value axis, its own tics, and its name above its curves.
 */
#include <math.h>

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

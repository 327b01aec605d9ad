/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes where lines have no value: the crosses on the axis, which style.gp draws.
 */
#include <math.h>
#include <stdlib.h>

#include "plot/gnuplot_writer_priv.h"

/* Returns the number of earlier series that also have no value at the x of a mark. */
static size_t gaps_below(const struct figure *fig, size_t i)
{
	size_t below = 0;

	for (size_t k = 0; k < i; k++)
		below += fig->mark[k].x == fig->mark[i].x && !mark_count(&fig->mark[k]);
	return below;
}

/* Returns the index of a series among those that are drawn. */
static size_t drawn_index(const struct layout *l, size_t series)
{
	size_t k = 0;

	while (k + 1 < l->series_count && l->series[k] != series)
		k++;
	return k;
}

/* Returns where a mark without values is drawn on the value axis: just above the x axis, or
 * above the bottom of its panel. Those of several series at one x lie above each other. */
static double gap_place(const struct gnuplot_writer *w, size_t i)
{
	const struct layout *l = w->l;
	const struct axis *a = &l->value;
	bool text = w->look->format->text;
	size_t panels = l->panels.count, below = panels ? 0 : gaps_below(w->fig, i);
	double up = l->row * ((text ? 1 : 0.4) + (text ? 1 : 0.7) * (double)below) /
	            (l->bottom - l->top);

	if (panels)
		up += (double)(panels - 1 - drawn_index(l, w->fig->mark[i].series)) /
		      (double)panels;
	return a->log ? a->from * pow(a->to / a->from, up)
	              : a->from + (a->to - a->from) * up;
}

void gnuplot_put_gaps(struct gnuplot_writer *w)
{
	const struct figure *fig = w->fig;
	double *at = mem_zero(fig->marks, sizeof(*at)),
	       *place = mem_zero(fig->marks, sizeof(*place)),
	       *series = mem_zero(fig->marks, sizeof(*series));
	size_t gaps = 0;

	for (size_t i = 0; i < fig->marks; i++)
		if (!mark_count(&fig->mark[i])) {
			at[gaps] = w->l->at[i];
			place[gaps] = gap_place(w, i);
			series[gaps++] = (double)drawn_index(w->l, fig->mark[i].series) + 1;
		}
	gnuplot_set_numbers(w, "gap", at, gaps);
	gnuplot_set_numbers(w, "gap_at", place, gaps);
	gnuplot_set_numbers(w, "gap_series", series, gaps);
	free(at);
	free(place);
	free(series);
}

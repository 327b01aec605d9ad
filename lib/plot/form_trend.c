/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form of a trend: a line with the changes of its level, the levels between changes,
 * and flags.
 */
#include <math.h>
#include <stdlib.h>

#include "plot/figure_form.h"
#include "plot/figure_trend.h"
#include "plot/gnuplot_writer_priv.h"
#include "plot/layout_priv.h"

static void trend_data(struct gnuplot_writer *w)
{
	const struct trend_figure *own = (const struct trend_figure *)w->fig;
	double u = w->l->unit.size, *at = mem_zero(own->flags, sizeof(*at));
	char **text = mem_zero(own->flags, sizeof(*text));

	gnuplot_put_marks(w);
	buf_str(&w->commands, "$changes << EOD\n# x before after percent worse series\n");
	for (size_t i = 0; i < own->changes; i++) {
		const struct trend_change *c = &own->change[i];

		gnuplot_put_numbers(w,
		    (double[]){ c->x, c->before / u, c->after / u,
		        c->before > 0 ? (c->after / c->before - 1) * 100 : NAN, c->worse,
		        (double)c->series },
		    6);
	}
	if (!own->changes)
		buf_str(&w->commands, "-1e30 -1e30 -1e30 0 0 0\n");
	buf_printf(&w->commands,
	    "EOD\nchanges = %zu\n$levels << EOD\n# from to value series to_value\n",
	    own->changes);
	for (size_t i = 0; i < own->levels; i++)
		gnuplot_put_numbers(w,
		    (double[]){ own->level[i].from, own->level[i].to,
		        own->level[i].value / u, (double)own->level[i].series,
		        own->level[i].to_value / u },
		    5);
	buf_str(&w->commands, own->levels ? "EOD\n" : "-1e30 -1e30 -1e30 0 -1e30\nEOD\n");
	for (size_t i = 0; i < own->flags; i++) {
		at[i] = own->flag[i].x;
		text[i] = own->flag[i].text;
	}
	gnuplot_set_texts(w, "flag", text, own->flags);
	gnuplot_set_numbers(w, "flag_at", at, own->flags);
	free(at);
	free(text);
}

static void trend_clear(struct figure *fig)
{
	struct trend_figure *own = (struct trend_figure *)fig;

	for (size_t i = 0; i < own->flags; i++)
		free(own->flag[i].text);
	free(own->change);
	free(own->level);
	free(own->flag);
}

const struct figure_form form_trend = { sizeof(struct trend_figure), .layout = layout_line,
	.clear = trend_clear, .put_data = trend_data };

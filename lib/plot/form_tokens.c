/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form of generated tokens: a lane for each request, and below each other the lanes of
 * each subject, under its name.
 */
#include <math.h>
#include <stdlib.h>

#include "figure/figure_tokens.h"
#include "plot/forms.h"
#include "plot/gnuplot_writer_priv.h"
#include "plot/layout_priv.h"
#include "text/plural.h"

static double end_of(const struct token_lane *lane)
{
	return lane->mark[lane->marks - 1].at_ns;
}

/* Returns the note on the right of a lane: the time of the last token and, if it differs
 * between requests, the number of tokens; allocated. */
static char *lane_note(
    const struct tokens_figure *own, const struct token_lane *lane, bool utf8)
{
	char *end = layout_quantity(end_of(lane), "ns", utf8), *note;

	if (own->same_tokens)
		return end;
	note = str_format("%s, %zu token%s", end, lane->tokens, plural_s(lane->tokens));
	free(end);
	return note;
}

/* Places the lanes, and above the lanes of each subject its name. */
static void stack_requests(
    struct layout *l, const struct tokens_figure *own, const struct canvas *c)
{
	double at = 1;

	for (size_t i = 0; i < own->lanes; i++) {
		const struct token_lane *lane = &own->lane[i];

		if (l->series_count > 1 &&
		    (!i || lane->series != own->lane[i - 1].series)) {
			at += i && !c->text ? 0.3 : 0;
			layout_place(
			    &l->name, str_copy(own->common.series[lane->series]), 0, at++);
		}
		layout_place(&l->lane, str_copy(lane->label), 0, at);
		layout_place(&l->note, lane_note(own, lane, c->utf8), 0, at++);
	}
	l->lane_from = c->text ? 0 : 0.3;
	l->lane_to = c->text ? at : at - 0.3;
}

static int tokens_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	enum { PITCH = 19, FEW = 8, PITCH_OF_FEW = 26 };
	const struct tokens_figure *own = (const struct tokens_figure *)fig;
	double tail = layout_tail(l, c, 2), last = isfinite(fig->limit) ? fig->limit : 0,
	       pitch = own->lanes > FEW ? PITCH : PITCH_OF_FEW;

	(void)f;
	for (size_t i = 0; i < own->lanes; i++)
		last = fmax(last, end_of(&own->lane[i]));
	stack_requests(l, own, c);
	layout_cut(&l->lane, l->width / l->column * 0.4, c->utf8, !c->text);
	l->left = (layout_widest(&l->lane, !c->text) + (c->text ? 1 : 2)) * l->column;
	l->right = l->width - (layout_widest(&l->note, !c->text) + 3) * l->column;
	layout_cut(&l->name, fmax(4, (l->right - l->left) / l->column), c->utf8, !c->text);
	l->unit = axis_unit_for(last, "ns", c->utf8);
	l->value = axis_linear(0, last / l->unit.size, true,
	    (size_t)fmax(2, (l->right - l->left) / l->column / 9));
	l->lane_pitch = c->text ? 1 : pitch * l->font / LAYOUT_FONT;
	layout_end_lanes(l, c, tail);
	return 0;
}

/* Writes the tokens of each series, with a blank line between requests. */
static void tokens_data(struct gnuplot_writer *w)
{
	const struct layout *l = w->l;
	const struct tokens_figure *own = (const struct tokens_figure *)w->fig;

	buf_str(&w->commands,
	    "$tokens << EOD\n# time lane number late before; an index a series\n");
	for (size_t k = 0; k < l->series_count; k++) {
		bool any = false;

		buf_str(&w->commands, k ? "\n\n" : "");
		for (size_t i = 0; i < own->lanes; i++) {
			const struct token_lane *lane = &own->lane[i];
			double y = l->lane.item[i].y, size = l->unit.size;

			if (lane->series != l->series[k])
				continue;
			buf_str(&w->commands, any ? "\n" : "");
			any = true;
			gnuplot_put_numbers(w, (double[]){ 0, y, 0, 0, 0 }, 5);
			for (size_t t = 0; t < lane->marks; t++) {
				const struct token_mark *mark = &lane->mark[t];

				gnuplot_put_numbers(w,
				    (double[]){ mark->at_ns / size, y, t ? 2 : 1,
				        mark->late, mark->from_ns / size },
				    5);
			}
		}
	}
	buf_printf(&w->commands, "EOD\nlate = %d\nlimits = %d\n", own->late,
	    isfinite(w->fig->limit));
	gnuplot_set_number(w, "limit", w->fig->limit / l->unit.size);
	gnuplot_set_number(
	    w, "late_color", gnuplot_shade(w, palette_verdict(TEXT("worse"))));
}

static bool tokens_has_series(const struct figure *fig, size_t series)
{
	const struct tokens_figure *own = (const struct tokens_figure *)fig;

	for (size_t i = 0; i < own->lanes; i++)
		if (own->lane[i].series == series)
			return true;
	return false;
}

static void tokens_describe(const struct figure *fig, struct buf *b)
{
	const struct tokens_figure *own = (const struct tokens_figure *)fig;

	for (size_t i = 0; i < own->lanes; i++) {
		const struct token_lane *lane = &own->lane[i];
		const char *series = fig->series[lane->series];
		char *first = layout_quantity(lane->mark[0].at_ns, "ns", true),
		     *last = layout_quantity(end_of(lane), "ns", true);

		buf_printf(b, "%s%s%s: first token %s, %zu in %s; ", series,
		    *series ? ", " : "", lane->label, first, lane->tokens, last);
		free(first);
		free(last);
	}
}

static void tokens_clear(struct figure *fig)
{
	struct tokens_figure *own = (struct tokens_figure *)fig;

	for (size_t i = 0; i < own->lanes; i++) {
		free(own->lane[i].label);
		free(own->lane[i].mark);
	}
	free(own->lane);
}

const struct figure_form form_tokens = { sizeof(struct tokens_figure), .no_key = true,
	.layout = tokens_layout, .clear = tokens_clear, .has_series = tokens_has_series,
	.put_data = tokens_data, .describe = tokens_describe };

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Embeds the numbers of a plot in its SVG; see svg_data.h. */
#include <math.h>
#include <string.h>

#include "plot/forms.h"
#include "plot/svg_data.h"
#include "text/markup.h"
#include "text/stamp.h"
#include "text/units.h"

static void put_number(struct buf *b, double value, const char *unit)
{
	char text[64];

	buf_byte(b, '\t');
	if (!isfinite(value))
		return;
	units_print(text, sizeof(text), value, unit);
	markup_text(b, text_of(text));
}

/* Appends the text of x, or of the lane. */
static void put_at(struct buf *b, const struct figure *fig, const struct mark *m)
{
	enum { MINUTES = 16 }; /* of 2026-11-23T02:00:07Z */
	char text[NUMBER_TEXT_MAX + STAMP_MAX];

	buf_byte(b, '\t');
	if (fig->kind->lanes) {
		markup_text(b, text_of(m->label ? m->label : ""));
	} else if (fig->x_form == X_NAMES) {
		size_t i = m->x > 0 ? (size_t)m->x : 0;

		markup_text(b, text_of(i < fig->x_text.count ? fig->x_text.text[i] : ""));
	} else if (fig->x_form == X_TIME) {
		stamp_print(text, (int64_t)(m->x * 1e9), 0);
		text[10] = ' ';
		markup_text(b, (struct text){ text, MINUTES });
	} else {
		markup_text(b, (struct text){ text, number_print(text, m->x) });
	}
}

/* Sets the place of a mark in pixels. */
static void place_mark(
    const struct figure *fig, const struct layout *l, size_t i, double *x, double *y)
{
	const struct mark *m = &fig->mark[i];
	double value = layout_value(l, m->series, mark_median(m));

	if (fig->kind->lanes) {
		*x = l->left + axis_place(&l->value, value) * (l->right - l->left);
		*y = l->top + (l->at[i] - l->lane_from) / (l->lane_to - l->lane_from) *
		                  (l->bottom - l->top);
	} else {
		*x = layout_canvas_x(l, m->x);
		*y = layout_canvas_y(l, value);
	}
}

static void put_mark_line(struct buf *b, const struct figure *fig, const struct layout *l,
    size_t series, size_t i)
{
	const struct mark *m = &fig->mark[i];
	double x, y;

	place_mark(fig, l, i, &x, &y);
	if (!mark_count(m) || !isfinite(x) || !isfinite(y))
		return;
	buf_printf(b, "%zu\t", series);
	markup_text(b, text_of(fig->series[m->series]));
	buf_printf(b, "\t%06x", l->hue[series].color.light);
	put_at(b, fig, m);
	put_number(b, mark_median(m), fig->unit);
	put_number(b, m->s.ci_lo, fig->unit);
	put_number(b, m->s.ci_hi, fig->unit);
	buf_printf(b, "\t%zu\t%.1f\t%.1f\n", mark_count(m), x, y);
}

void svg_data(struct buf *svg, const struct figure *fig, const struct layout *l)
{
	static const char end[] = "</desc>";
	const struct figure_form *form = fig->kind->form;
	const char *at = svg->ptr ? strstr(svg->ptr, end) : NULL;
	struct buf out = { 0 };

	if (!at || fig->kind->steps || fig->kind->quantiles || fig->kind->bins ||
	    (!form->along_x && form != &form_lanes))
		return;
	at += sizeof(end) - 1;
	buf_put(&out, svg->ptr, (size_t)(at - svg->ptr));
	buf_str(&out, "\n<metadata>\n");
	markup_text(
	    &out, text_of(fig->kind->lanes || !fig->x_name ? "subject" : fig->x_name));
	buf_byte(&out, '\n');
	for (size_t s = 0; s < l->series_count; s++)
		for (size_t i = 0; i < fig->marks; i++)
			if (fig->mark[i].series == l->series[s])
				put_mark_line(&out, fig, l, s, i);
	buf_str(&out, "</metadata>");
	buf_str(&out, at);
	buf_free(svg);
	*svg = out;
}

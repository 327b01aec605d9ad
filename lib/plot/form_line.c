/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form of a line: values along a numeric x.
 */
#include "plot/figure_form.h"
#include "plot/layout_priv.h"
#include "text/display_width.h"

int layout_line(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	double tail = c->text ? 3 : l->row * 2.6;
	size_t width = 0;

	if (!c->text && !c->fixed)
		l->height = l->top + LAYOUT_LINE_HEIGHT + tail;
	l->bottom = l->height - tail;
	l->left = 8 * l->column;
	l->right = l->width - 3 * l->column;
	for (size_t i = 0; i < fig->marks; i++)
		l->at[i] = fig->mark[i].x;
	if (fig->kind->steps) {
		struct canvas flat = *c;

		flat.log_y = c->log_x;
		if (layout_value_axis(l, fig, &flat, l->right - l->left, 9 * l->column, f) <
		    0)
			return -1;
		l->x_label = layout_value_label(l, fig);
		l->value_label = str_copy("fraction of values");
		l->x = l->value;
		l->value = axis_linear(0, 1, true, c->text ? 4 : 5);
	} else if (layout_x_axis(l, fig, c, f) < 0 ||
	           layout_value_axis(
	               l, fig, c, l->bottom - l->top, l->row * (c->text ? 4 : 2.2), f) < 0)
		return -1;
	for (size_t i = 0; i < l->value.tics; i++) {
		size_t own = display_width(text_of(l->value.tic[i].text));

		width = own > width ? own : width;
	}
	l->left = ((double)width + 2) * l->column + (c->text ? 0 : l->row * 1.3);
	return 0;
}

const struct figure_form form_line = { sizeof(struct figure), .layout = layout_line };

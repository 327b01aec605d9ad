/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that the layouts of all forms share; see layout.c, and layout_axes.c for the
 * axes.
 */
#ifndef PLOT_LAYOUT_PRIV_H
#define PLOT_LAYOUT_PRIV_H

#include "plot/layout.h"

/* Default height of the axes of a line, in pixels. */
enum { LAYOUT_LINE_HEIGHT = 360 };

/* Appends a text, which the list then owns, at a position. */
void layout_place(struct placed_list *list, char *text, double x, double y);
void layout_placed_free(struct placed_list *list);
/* Returns the width of a text in columns; in a picture some characters take more than one.
 */
double layout_columns(const char *s, bool picture);
/* Returns the width of the widest text of a list in columns. */
double layout_widest(const struct placed_list *list, bool picture);
/* Shortens the texts of a list to at most width columns. */
void layout_cut(struct placed_list *list, double width, bool utf8);
/* Returns a quantity with its unit, such as "12.31 ms"; allocated. */
char *layout_quantity(double value, const char *unit, bool utf8);
/* Returns the metric with the unit of the layout, such as "wall (ms)"; allocated. */
char *layout_value_label(const struct layout *l, const struct figure *fig);
/* Lays out the axes of a form that draws lines. Returns 0, or -1 and the message. */
int layout_line(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f);

/*
 * Chooses l->value, l->unit and, for bins, l->bins and l->peak. length is the length of the
 * axis and tic_room the room that a tic needs, in the layout's units. Must be called after
 * layout_x_axis, because the values of a line can be logarithmic only if x is. Returns 0,
 * or -1 and the message.
 */
int layout_value_axis(struct layout *l, const struct figure *fig, const struct canvas *c,
    double length, double tic_room, struct fault *f);
/* Chooses the x axis of a line. Returns 0, or -1 and the message. */
int layout_x_axis(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the layouts of all forms share; see layout.c, and layout_axes.c for the axes.
 */
#ifndef PLOT_LAYOUT_PRIV_H
#define PLOT_LAYOUT_PRIV_H

#include "plot/layout.h"

/* The height of the axes of a line in pixels, where none is asked for. */
enum { LAYOUT_LINE_HEIGHT = 360 };

/* Appends a text, which the list owns then, at a place. */
void layout_place(struct placed_list *list, char *text, double x, double y);
void layout_placed_free(struct placed_list *list);
/* Returns how many columns a text takes; in a picture some characters take more than one.
 */
double layout_columns(const char *s, bool picture);
/* Returns the columns of the widest text of a list. */
double layout_widest(const struct placed_list *list, bool picture);
/* Shortens the texts of a list to at most width columns. */
void layout_cut(struct placed_list *list, double width, bool utf8);
/* Returns "12.31 ms", allocated. */
char *layout_quantity(double value, const char *unit, bool utf8);
/* Returns "wall (ms)", allocated: the metric with the unit of the layout. */
char *layout_value_label(const struct layout *l, const struct figure *fig);
/* Places the axes of a line, as the forms that draw one do. 0 or -1. */
int layout_line(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f);

/*
 * Chooses value, unit and, for bins, bins and peak. length is that of the axis and tic_room
 * what a tic needs of it, in the layout's units. The x axis comes first: a line's values
 * become logarithmic with it. 0 or -1.
 */
int layout_value_axis(struct layout *l, const struct figure *fig, const struct canvas *c,
    double length, double tic_room, struct fault *f);
/* Chooses the x axis of a line. 0 or -1. */
int layout_x_axis(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f);

#endif

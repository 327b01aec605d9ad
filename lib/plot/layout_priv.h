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

/* Appends a string, which the list then owns, at a position. */
void layout_place(struct placed_list *list, char *text, double x, double y);
void layout_placed_free(struct placed_list *list);
/* Returns the width of a string in columns; in an image a character has its own width. */
double layout_columns(const char *s, bool image);
/* Returns the width of the widest text of a list in columns. */
double layout_widest(const struct placed_list *list, bool image);
/* Shortens allocated strings to at most width columns, so that strings that differ still
 * do. */
void layout_fit(char **text, size_t count, double width, bool utf8, bool image);
/* Shortens the strings of a list in the same way. */
void layout_cut(struct placed_list *list, double width, bool utf8, bool image);
/* Appends parts, joined by commas, in at most `most` lines of at most width columns. */
void layout_wrap(struct lines *out, char *const *part, size_t count, double width,
    size_t most, bool utf8, bool image);
/* Removes tics whose labels overlap, or that are not between the columns from and to, of a
 * horizontal axis that is `columns` columns long and begins at column 0. */
void layout_thin(struct axis *a, double columns, double from, double to, bool image);
/* Returns the height below the axes: of the labels of the tics and of the label of the
 * axis, which have this number of rows on a terminal, and of the footer. */
double layout_tail(const struct layout *l, const struct canvas *c, double rows);
/* Sets the height of a plot whose lanes have their places, unless it is given, and the
 * bottom of its axes, above a tail of this height. */
void layout_end_lanes(struct layout *l, const struct canvas *c, double tail);
/* Returns a quantity with its unit, such as "12.31 ms"; allocated. */
char *layout_quantity(double value, const char *unit, bool utf8);
/* Returns the metric with the unit of the layout, such as "wall (ms)"; allocated. */
char *layout_value_label(const struct layout *l, const struct figure *fig);
/* Gives each series a panel if there are more than `most` series in a plot. Must be
 * called before the labels above the axes are placed. */
void layout_panels(struct layout *l, const struct canvas *c, size_t most);
/* Finds the series of lines that coincide: l->same, and hue.copy of the later ones. */
void layout_find_same(struct layout *l, const struct figure *fig);
/* Makes room for the panels, and chooses the share of their curves. */
void layout_panels_open(struct layout *l, const struct canvas *c, double height);
/* Adds the tics of a panel's axis to the value axis. */
void layout_panel_tics(struct layout *l, size_t panel, size_t *cap);
/* Returns the position on the value axis of a value of one panel, given in its unit. */
double layout_panel_place(const struct layout *l, size_t panel, double value);
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
/* Does the same for the panel of one series, in l->panels. */
int layout_panel_axis(struct layout *l, const struct figure *fig, const struct canvas *c,
    size_t panel, double rows, struct fault *f);
/* Chooses the x axis of a line. Returns 0, or -1 and the message. */
int layout_x_axis(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f);

#endif

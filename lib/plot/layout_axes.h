/*
 * The axes of a layout: which range, which unit, linear or logarithmic, and the bins. Part
 * of layout.c, which alone uses it.
 */
#ifndef LAYOUT_AXES_H
#define LAYOUT_AXES_H

#include "plot/layout.h"

/*
 * Choose value, unit and, for bins, bins and peak. length is that of the axis and tic_room
 * what a tic needs of it, in the layout's units. The x axis comes first: a line's values
 * become logarithmic with it. 0 or -1.
 */
int layout_value_axis(struct layout *l, const struct figure *fig, const struct canvas *c,
    double length, double tic_room, struct fault *f);
/* The x axis of a line. 0 or -1. */
int layout_x_axis(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f);

#endif

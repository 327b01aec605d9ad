/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The forms of figures. Each is in a file form_NAME.c.
 */
#ifndef PLOT_FORMS_H
#define PLOT_FORMS_H

#include "figure/figure_form.h"

extern const struct figure_form form_lanes;    /* names on the left, values along x */
extern const struct figure_form form_grid;     /* lanes and columns of colored cells */
extern const struct figure_form form_line;     /* values along a numeric x */
extern const struct figure_form form_load;     /* a line with a limit */
extern const struct figure_form form_trend;    /* a line with changes, levels and flags */
extern const struct figure_form form_timeline; /* panels of curves along the same time */
extern const struct figure_form form_tokens;   /* a lane for each request */
extern const struct figure_form form_roofline; /* named points below roofs */

#endif

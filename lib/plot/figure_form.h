/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forms of figures: what a figure of some kinds holds beyond its marks, how it is laid out,
 * and which data its template gets. A form has a file, form_NAME.c.
 */
#ifndef PLOT_FIGURE_FORM_H
#define PLOT_FIGURE_FORM_H

#include "plot/figure.h"

struct canvas;
struct gnuplot_writer;
struct layout;

struct figure_form {
	size_t size; /* of the form's own struct, which begins with a struct figure */
	bool no_key;
	bool names_on_screen; /* the layout's names have places on the canvas, not in the
	                         axes */
	/* Places the axes, and everything inside and beside them. Returns 0, or -1 and the
	 * message. The hooks after this one may be NULL. */
	int (*layout)(struct layout *l, const struct figure *fig, const struct canvas *c,
	    struct fault *f);
	void (*clear)(struct figure *fig); /* frees the members that the form adds */
	/* Whether a series is drawn; NULL: whether it has a mark. */
	bool (*has_series)(const struct figure *fig, size_t series);
	/* Called before the texts above the axes are placed. */
	void (*prepare)(struct layout *l, const struct figure *fig, const struct canvas *c);
	/* Writes the data of the template; NULL: gnuplot_put_marks. */
	void (*put_data)(struct gnuplot_writer *w);
	/* Appends in words what the own struct adds. */
	void (*describe)(const struct figure *fig, struct buf *b);
};

extern const struct figure_form form_lanes;    /* names on the left, values along x */
extern const struct figure_form form_grid;     /* lanes and columns of colored cells */
extern const struct figure_form form_line;     /* values along a numeric x */
extern const struct figure_form form_trend;    /* a line with changes, levels and flags */
extern const struct figure_form form_timeline; /* panels of curves along the same time */
extern const struct figure_form form_roofline; /* named points below roofs */

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forms of figures. A form defines what a figure has in addition to its marks, its layout
 * and the data of its template. Each form is in a file form_NAME.c; several kinds may share
 * it.
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
	bool names_on_screen; /* the layout's names have positions on the canvas, not on the
	                         axes */
	/* Lays out the axes and everything inside and beside them. Returns 0, or -1 and the
	 * message. The hooks that follow may be NULL. */
	int (*layout)(struct layout *l, const struct figure *fig, const struct canvas *c,
	    struct fault *f);
	void (*clear)(struct figure *fig); /* frees the members that the form adds */
	/* Returns whether a series is drawn; NULL: a series is drawn if it has a mark. */
	bool (*has_series)(const struct figure *fig, size_t series);
	/* Prepares the layout before the texts above the axes are placed. */
	void (*prepare)(struct layout *l, const struct figure *fig, const struct canvas *c);
	/* Writes the data of the template; NULL: gnuplot_put_marks. */
	void (*put_data)(struct gnuplot_writer *w);
	/* Appends a description of the members that the form adds. */
	void (*describe)(const struct figure *fig, struct buf *b);
};

extern const struct figure_form form_lanes;    /* names on the left, values along x */
extern const struct figure_form form_grid;     /* lanes and columns of colored cells */
extern const struct figure_form form_line;     /* values along a numeric x */
extern const struct figure_form form_load;     /* a line with a limit */
extern const struct figure_form form_trend;    /* a line with changes, levels and flags */
extern const struct figure_form form_timeline; /* panels of curves along the same time */
extern const struct figure_form form_tokens;   /* a lane for each request */
extern const struct figure_form form_roofline; /* named points below roofs */

#endif

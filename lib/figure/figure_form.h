/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form of a figure: what the figure has in addition to its marks, its layout and the
 * data of its template. Several kinds may share a form. plot/forms.h lists the forms.
 */
#ifndef FIGURE_FIGURE_FORM_H
#define FIGURE_FIGURE_FORM_H

#include "figure/figure.h"

struct canvas;
struct gnuplot_writer;
struct layout;

struct figure_form {
	size_t size; /* of the form's own struct, which begins with a struct figure */
	bool no_key;
	bool along_x;         /* values along a numeric x; series may coincide */
	bool no_symbols;      /* lines are drawn without symbols */
	bool names_on_screen; /* the layout's names have positions on the canvas, not on the
	                         axes */
	/* Lays out the axes and everything inside and next to them. Returns 0, or -1 and
	 * the message. The hooks that follow may be NULL. */
	int (*layout)(struct layout *l, const struct figure *fig, const struct canvas *c,
	    struct fault *f);
	void (*clear)(struct figure *fig); /* frees the members that the form adds */
	/* Returns whether a series is drawn; NULL: a series is drawn if it has a mark. */
	bool (*has_series)(const struct figure *fig, size_t series);
	/* Prepares the layout before the labels above the axes are placed. */
	void (*prepare)(struct layout *l, const struct figure *fig, const struct canvas *c);
	/* Writes the data of the template; NULL: gnuplot_put_marks. */
	void (*put_data)(struct gnuplot_writer *w);
	/* Appends a description of the members that the form adds. */
	void (*describe)(const struct figure *fig, struct buf *b);
};

#endif

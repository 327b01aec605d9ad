/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a figure as a gnuplot script that runs alone: the terminal, the figure's numbers
 * as data blocks, its strings as another block, then the style and the kind's template from
 * share/plots, which draw them. Pure.
 */
#ifndef PLOT_GNUPLOT_SCRIPT_H
#define PLOT_GNUPLOT_SCRIPT_H

#include "plot/layout.h"

struct gnuplot_look;

/* A format that gnuplot writes. */
struct gnuplot_format {
	const char *name; /* also the suffix of files */
	bool text;        /* characters for a terminal */
	bool page;        /* an SVG inside an HTML page */
	double font_unit; /* of the terminal, per pixel: 1, or 0.75 points of 1/72 in */
	bool local_fonts; /* strings are drawn with the fonts of this machine */
	unsigned longest; /* most pixels of a side; 0: any number */
	/* Writes the terminal's options for a size in pixels or characters. */
	void (*terminal)(
	    struct buf *b, const struct layout *l, const struct gnuplot_look *look);
};

struct gnuplot_look {
	const struct gnuplot_format *format;
	bool dark;
	bool adaptive; /* of an SVG: its colors follow the reader's theme */
	double scale;  /* pixels of a PNG per unit of its size; 0: 1 */
	bool utf8;
	unsigned colors; /* of a string terminal: 0, 8 or 256 */
};

extern const struct gnuplot_format gnuplot_formats[];
extern const size_t gnuplot_formats_count;
const struct gnuplot_format *gnuplot_format_find(const char *name); /* or NULL */

/* Checks that the format allows a plot of the layout's size. Returns 0, or -1 and the
 * message. */
int gnuplot_check_size(
    const struct layout *l, const struct gnuplot_look *look, struct fault *f);

/* Appends the script. style and template are the contents of style.gp and KIND.gp. */
void gnuplot_script_write(struct buf *b, const struct figure *fig, const struct layout *l,
    const struct gnuplot_look *look, struct text style, struct text template);

#endif

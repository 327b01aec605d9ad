/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a plot from rows, as bench-plot draws it.
 */
#ifndef PLOT_PLOT_H
#define PLOT_PLOT_H

#include "plot/gnuplot_script.h"

/* The options of a plot. */
struct plot_opts {
	const struct figure_kind *kind;
	const struct figure_opts *figure;
	const struct canvas *canvas;
	const struct gnuplot_look *look;
	const char *const *melt; /* foreign columns, as in bench_csv_melt */
	size_t melts;
	char *const *file; /* none: standard input */
	size_t files;
	const char *template_path; /* NULL: the kind's own template */
};

/* Returns a figure of the rows in the files, or NULL and the message. */
struct figure *plot_read(const struct plot_opts *opts, struct fault *f);
/*
 * Returns a figure of rows in memory, for kinds with a source; name is their name in
 * messages. On failure, returns NULL and the message, and *broken is true if a row is
 * wrong, in which case more rows would not help.
 */
struct figure *plot_read_text(const struct plot_opts *opts, const char *name,
    struct text rows, bool *broken, struct fault *f);
/* Sets the size of the canvas to that of the terminal, less one line below the plot; 80
 * by 24 if fd is not a terminal. */
void plot_fit(struct canvas *c, int fd);
/*
 * Appends the script that draws a figure, with the template of its kind or, unless NULL,
 * the template at template_path. Returns 0, or -1 and the message.
 */
int plot_script(const struct plot_opts *opts, const struct figure *fig,
    const char *template_path, struct buf *script, struct fault *f);
/* Appends the plot that gnuplot draws from a script, with its title and description.
 * Returns 0, or -1 and the message. */
int plot_draw(const struct figure *fig, const struct gnuplot_look *look, struct text script,
    struct buf *out, struct fault *f);
/* Puts an SVG into an HTML page of the same theme that needs no other file. */
void plot_page(struct buf *svg, const char *title, const struct gnuplot_look *look);
/* Embeds the numbers of a figure in its SVG; see svg_data.h. Returns 0, or -1 and the
 * message. */
int plot_data(const struct plot_opts *opts, const struct figure *fig, struct buf *out,
    struct fault *f);

#endif

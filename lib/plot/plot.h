/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From rows to a picture, as bench-plot draws it.
 */
#ifndef PLOT_PLOT_H
#define PLOT_PLOT_H

#include "plot/gnuplot_script.h"

/* A picture that is asked for. */
struct plot_opts {
	const struct figure_kind *kind;
	const struct figure_opts *figure;
	const struct canvas *canvas;
	const struct gnuplot_look *look;
	const char *const *melt; /* foreign columns, as bench_csv_melt has them */
	size_t melts;
	char *const *file; /* none: standard input */
	size_t files;
	const char *template_path; /* instead of the kind's own, or NULL */
};

/* Returns a figure of the rows in the files. NULL and the message. */
struct figure *plot_read(const struct plot_opts *opts, struct fault *f);
/*
 * Returns a figure of rows in memory, for kinds with a source; the name is for messages.
 * After a failure *broken says whether a row is wrong, so that more rows would not help.
 */
struct figure *plot_read_text(const struct plot_opts *opts, const char *name,
    struct text rows, bool *broken, struct fault *f);
/* Gets the size of the terminal in characters; 80 by 24 where there is none. */
void plot_terminal_size(int fd, unsigned *width, unsigned *height);
/* Gives the canvas the size of a terminal, with a line left below the picture; 80 by 24
 * where there is none. */
void plot_fit(struct canvas *c, int fd);
/*
 * Appends the script that draws a figure, with the template of its kind or, unless NULL,
 * the one at template_path. 0 or -1.
 */
int plot_script(const struct plot_opts *opts, const struct figure *fig,
    const char *template_path, struct buf *script, struct fault *f);
/* Appends the picture that gnuplot draws of a script, named and described. 0 or -1. */
int plot_draw(const struct figure *fig, const struct gnuplot_look *look, struct text script,
    struct buf *picture, struct fault *f);

#endif

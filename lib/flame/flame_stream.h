/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws a flame graph of a stream of rows with stacks, as bench-prof writes them.
 */
#ifndef FLAME_FLAME_STREAM_H
#define FLAME_FLAME_STREAM_H

#include "figure/figure.h"
#include "io/render.h"
#include "plot/gnuplot_script.h"
#include "record/stream_options.h"

/* The numbers of functions and stacks that a result does not show. */
struct flame_left_out {
	size_t functions; /* of the table, with a small share */
	size_t stacks;    /* of failed runs */
};

struct flame_opts {
	const struct stream_options *rows; /* the first metric with stacks is drawn */
	const char *by;    /* a column whose two values are the sides, old first; or NULL */
	const char *title; /* NULL: made from the metric and sides */
	const char *template; /* a file, or NULL: share/plots/flame.gp */
	bool diff;      /* the first of two files is the old side, the second the new */
	bool functions; /* the result is the table of functions, not a picture */
	enum render_format format; /* of the table */
	bool is_script;            /* the result is the script for gnuplot, not a picture */
	double confidence;
	unsigned width; /* pixels or characters; 0: 1200 pixels */
	const struct metrics *metrics;
};

/* Reads the files, or standard input, and appends the picture or table. Sets *left_out,
 * and *title, which is allocated, for the page around it. Returns 0, or -1 and the message.
 */
int flame_draw(struct buf *out, const struct flame_opts *opts,
    const struct gnuplot_look *look, char *const *file, size_t files, char **title,
    struct flame_left_out *left_out, struct fault *f);

#endif

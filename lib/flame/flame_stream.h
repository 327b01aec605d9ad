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

struct flame_opts {
	char *const *file; /* standard input, if there are none */
	size_t files;
	const struct gnuplot_look *look;
	const struct stream_options *rows; /* the first metric with stacks is drawn */
	const char *by;    /* a column whose two values are the sides, old first; or NULL */
	const char *title; /* NULL: made from the metric and sides */
	const char *template; /* a file, or NULL: share/plots/flame.gp */
	bool diff;      /* the first of two files is the old side, the second the new */
	bool functions; /* the result is the table of functions, not a graph */
	enum render_format format; /* of the table */
	bool is_script;            /* the result is the script for gnuplot, not a graph */
	double confidence;
	unsigned width; /* pixels or characters; 0: 1200 pixels */
	const struct metrics *metrics;
};

struct flame_drawn {
	struct buf text;           /* the graph, script or table */
	char *title;               /* for the page around a graph */
	size_t functions_left_out; /* of a table, with a small share */
	size_t stacks_left_out;    /* of failed runs */
};

/* Reads the files, and draws the graph or table. Returns 0, or -1 and the message. End
 * with flame_drawn_free() in both cases. */
int flame_draw(struct flame_drawn *out, const struct flame_opts *opts, struct fault *f);
void flame_drawn_free(struct flame_drawn *d);

#endif

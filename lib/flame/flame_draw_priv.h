/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws flame graphs as interactive SVG, as characters for a terminal, and as data for
 * gnuplot. Pure.
 */
#ifndef FLAME_FLAME_DRAW_PRIV_H
#define FLAME_FLAME_DRAW_PRIV_H

#include "flame/flame.h"
#include "io/render.h"

struct flame_words {
	const char *title, *metric, *unit;
	const char *old, *new; /* names of the sides; NULL if there is one side */
	const char *held;      /* properties common to all stacks, or "" */
	double confidence;
	size_t failed; /* stacks that are left out because their runs failed */
};

/* Appends a line about a box: "parse: 12.3%, 114 samples". */
void flame_tell(struct buf *b, const struct flame_plot *p, const struct flame_box *box,
    const struct flame_words *w);
/* Appends one or two lines about the graph, each ended by a newline. */
void flame_explain(struct buf *b, const struct flame_plot *p, const struct flame_words *w);
/* Appends a description for readers who cannot see the graph: the lines of flame_explain
 * and the frames with the largest self values. */
void flame_describe(struct buf *b, const struct flame_plot *p, const struct flame_words *w);
/* Writes the color of a box as "#rrggbb". */
void flame_color(char out[8], const struct flame_plot *p, const struct flame_box *box);

struct flame_svg_opts {
	unsigned width; /* pixels */
	bool dark;
	bool adaptive;      /* follows the reader's theme */
	struct text script; /* JavaScript, which the SVG contains */
};
/* Appends an SVG. */
void flame_svg(struct buf *b, const struct flame_plot *p, const struct flame_words *w,
    const struct flame_svg_opts *opts);

struct flame_text_opts {
	unsigned width; /* characters */
	bool utf8;
	unsigned colors; /* of the terminal: 0, 8 or 256 */
};
/* Appends lines of characters, outermost frames first. */
void flame_text(struct buf *b, const struct flame_plot *p, const struct flame_words *w,
    const struct flame_text_opts *opts);

struct flame_script_opts {
	const char *terminal; /* a line of gnuplot */
	struct text template;
	unsigned width; /* pixels */
	bool dark;
};
/*
 * Appends a script for gnuplot that runs alone: the terminal's line, the boxes as the data
 * block $frames (x from and to, depth, color, label), and the template.
 */
void flame_script(struct buf *b, const struct flame_plot *p, const struct flame_words *w,
    const struct flame_script_opts *opts);

/* The functions of a table. */
struct flame_listed {
	const struct flame_function *function;
	size_t count;
	size_t
	    *left_out; /* set to the number of those that have less than 0.1% of a side */
};
/* Appends a table of functions. Returns 0, or -1 and the message. */
int flame_table(struct buf *b, const struct flame_plot *p, const struct flame_words *w,
    enum render_format format, const struct flame_listed *listed, struct fault *f);
/* Returns the height of a graph that gnuplot draws in pixels. */
unsigned flame_height(const struct flame_plot *p, const struct flame_words *w);

#endif

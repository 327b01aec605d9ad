/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws flame graphs as interactive SVG, as characters for a terminal, and as data for
 * gnuplot. Pure.
 */
#ifndef FLAME_FLAME_DRAW_PRIV_H
#define FLAME_FLAME_DRAW_PRIV_H

#include "flame/flame.h"

struct flame_words {
	const char *title, *metric, *unit;
	const char *old, *new; /* names of the sides; NULL if there is one side */
	const char *held;      /* properties common to all stacks, or "" */
	double confidence;
};

/* Appends a line about a box: "parse: 12.3 %, 114 samples". */
void flame_tell(struct buf *b, const struct flame_picture *p, const struct flame_box *box,
    const struct flame_words *w);
/* Appends one or two lines about the picture, each ended by a newline. */
void flame_explain(
    struct buf *b, const struct flame_picture *p, const struct flame_words *w);
/* Appends a description for readers who cannot see the picture: the lines of flame_explain
 * and the frames with the largest self values. */
void flame_describe(
    struct buf *b, const struct flame_picture *p, const struct flame_words *w);
/* Writes the color of a box as "#rrggbb". */
void flame_colour(char out[8], const struct flame_picture *p, const struct flame_box *box);

/* Appends an SVG of this width that contains script, which is JavaScript. */
void flame_svg(struct buf *b, const struct flame_picture *p, const struct flame_words *w,
    unsigned width, bool dark, struct text script);
/* Appends lines of width characters, outermost frames first; the terminal has 0, 8 or
 * 256 colors. */
void flame_text(struct buf *b, const struct flame_picture *p, const struct flame_words *w,
    unsigned width, bool utf8, unsigned colours);
/*
 * Appends a script for gnuplot that runs alone: the terminal's line, the boxes as the data
 * block $frames (x from and to, depth, color, label), and the template.
 */
void flame_script(struct buf *b, const struct flame_picture *p, const struct flame_words *w,
    const char *terminal, unsigned width, bool dark, struct text template);
/* Returns the height of an SVG of the picture in pixels. */
unsigned flame_height(const struct flame_picture *p, const struct flame_words *w);

#endif

/*
 * Flame graphs as pictures: an SVG that answers to mouse and keyboard, characters for a
 * terminal, and data for gnuplot. Text in, text out.
 */
#ifndef FLAME_DRAW_PRIV_H
#define FLAME_DRAW_PRIV_H

#include "flame/flame.h"

struct flame_words {
	const char *title, *metric, *unit;
	const char *old, *new; /* names of the sides; NULL of one side */
	const char *held;      /* what all stacks have in common, or "" */
	double confidence;
};

/* What a box is, in a line: "parse: 12.3 %, 114 samples". */
void flame_tell(struct buf *b, const struct flame_picture *p, const struct flame_box *box,
    const struct flame_words *w);
/* What the picture shows, in one or two lines, each ended by a newline. */
void flame_explain(
    struct buf *b, const struct flame_picture *p, const struct flame_words *w);
/* The same and the frames with most of their own, for those who do not see the picture. */
void flame_describe(
    struct buf *b, const struct flame_picture *p, const struct flame_words *w);
/* "#rrggbb" of a box. */
void flame_colour(char out[8], const struct flame_picture *p, const struct flame_box *box);

/* An SVG of this width; script is what runs in it, JavaScript. */
void flame_svg(struct buf *b, const struct flame_picture *p, const struct flame_words *w,
    unsigned width, bool dark, struct text script);
/* Lines of so many characters, outermost first; colours: of the terminal, 0, 8 or 256. */
void flame_text(struct buf *b, const struct flame_picture *p, const struct flame_words *w,
    unsigned width, bool utf8, unsigned colours);
/*
 * A script for gnuplot that runs alone: the terminal's line, the boxes as the data block
 * $frames (x from and to, depth, colour, label), and the template.
 */
void flame_script(struct buf *b, const struct flame_picture *p, const struct flame_words *w,
    const char *terminal, unsigned width, bool dark, struct text template);
/* The height in pixels that an SVG of the picture has. */
unsigned flame_height(const struct flame_picture *p, const struct flame_words *w);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The colors of plots, each for a light and a dark page. Pure.
 */
#ifndef SVG_PALETTE_H
#define SVG_PALETTE_H

#include "base/base.h"

/* A color as 0xRRGGBB. */
struct palette_color {
	unsigned light, dark; /* on a light and on a dark page */
	/* On terminals with 256 and with eight colors, whose background is unknown: a color
	 * that can be read on both black and white. */
	unsigned many, eight;
};

enum { PALETTE_SLOTS = 6 };

/*
 * Colors of series. Each has a contrast of at least 3 with the page, which WCAG 2.1
 * requires for graphics, and all can be distinguished with any kind of color vision
 * (tests/plot/palette_test.c measures both). None of them is red, which means worse, or
 * gray, which means that nothing was found.
 */
extern const struct palette_color palette_series[PALETTE_SLOTS];

/* Colors of everything else. */
enum { PALETTE_PAGE, PALETTE_INK, PALETTE_FAINT, PALETTE_RULE, PALETTE_PARTS };
extern const struct palette_color palette_part[PALETTE_PARTS];

/* Returns the color of a value among ordered ones, from 0 for the least to 1 for the
 * largest: the greater, the higher the contrast with the page. It has no colors for
 * terminals. */
struct palette_color palette_ramp(double share);

/* Returns the color of a verdict of bench-compare; gray if the word is unknown. */
struct palette_color palette_verdict(struct text word);

/* Finds the color on a dark page that corresponds to one of the colors above on a light
 * page. Returns false if there is none. */
bool palette_darken(unsigned light, unsigned *dark);

#endif

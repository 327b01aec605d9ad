/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The colors of series. Pure.
 */
#ifndef PLOT_PALETTE_H
#define PLOT_PALETTE_H

#include "base/base.h"

enum { PALETTE_SLOTS = 8 };

/*
 * Colors as 0xRRGGBB. Each has a contrast of at least 3 with the page, which WCAG 2.1
 * requires for graphics, and all can be distinguished with full color vision and without
 * red or green (tests/plot/palette_test.c measures both).
 */
extern const unsigned palette_light[PALETTE_SLOTS], palette_dark[PALETTE_SLOTS];
/* Colors for terminals with eight colors: the nearest of the eight is neither black nor
 * white, because either may be the background. */
extern const unsigned palette_terminal[PALETTE_SLOTS];
enum { PALETTE_PAGE_LIGHT = 0xffffff, PALETTE_PAGE_DARK = 0x16191d };

/*
 * Returns the slot of a series' name, which is the same in every picture. Backends and
 * verdicts have fixed slots; all other names get a slot from their hash.
 */
unsigned palette_slot(struct text name);

#endif

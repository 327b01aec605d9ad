/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The colours of series. Pure.
 */
#ifndef PLOT_PALETTE_H
#define PLOT_PALETTE_H

#include "base/base.h"

enum { PALETTE_SLOTS = 8 };

/*
 * Colours as 0xRRGGBB. Each stands out from the page (WCAG 2.1 asks a contrast of 3 of
 * graphics), and all are apart for those who see all colours, and for those who do not see
 * red or green (tests/plot/palette_test.c measures both).
 */
extern const unsigned palette_light[PALETTE_SLOTS], palette_dark[PALETTE_SLOTS];
/* For terminals of eight colors: the nearest of them is neither black nor white, one of
 * which is the page. */
extern const unsigned palette_terminal[PALETTE_SLOTS];
enum { PALETTE_PAGE_LIGHT = 0xffffff, PALETTE_PAGE_DARK = 0x16191d };

/*
 * Returns the slot of a series' name, which is the same in every picture: backends and
 * verdicts have slots of their own, all others one by their hash.
 */
unsigned palette_slot(struct text name);

#endif

/*
 * The colours of series. Pure.
 */
#ifndef PALETTE_H
#define PALETTE_H

#include "base/base.h"

enum { PALETTE_SLOTS = 8 };

/*
 * Colours as 0xRRGGBB. Each stands out from the page (WCAG 2.1 asks a contrast of 3 of
 * graphics), and all are apart for those who see all colours, and for those who do not see
 * red or green (tests/plot/palette_test.c measures both).
 */
extern const unsigned palette_light[PALETTE_SLOTS], palette_dark[PALETTE_SLOTS];
/* For terminals of eight colours: what comes nearest is neither black nor white, one of
 * which no terminal shows. */
extern const unsigned palette_terminal[PALETTE_SLOTS];
enum { PALETTE_PAGE_LIGHT = 0xffffff, PALETTE_PAGE_DARK = 0x16191d };

/*
 * The slot of a series' name: the same in every picture. Backends and verdicts have their
 * own, all others one by their hash.
 */
unsigned palette_slot(struct text name);

#endif

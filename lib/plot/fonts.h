/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The characters for which this machine has a font. gnuplot draws a PNG or PDF with these
 * fonts, and a character that none of them has as a box of any size, over other parts of
 * the plot. The fonts of an SVG are those of its reader.
 */
#ifndef PLOT_FONTS_H
#define PLOT_FONTS_H

#include "base/base.h"

/*
 * Checks that the installed fonts have all characters of the strings in a script: those in
 * its data blocks. fc-list(1) of fontconfig lists the characters of the fonts; without it,
 * nothing is checked. Returns 0, or -1 and the message, which names the first character
 * that is missing.
 */
int fonts_check(struct text script, struct fault *f);

#endif

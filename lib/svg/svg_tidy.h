/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes an SVG of gnuplot smaller. Pure.
 */
#ifndef SVG_TIDY_H
#define SVG_TIDY_H

#include "base/base.h"

/* Removes symbols and filters that are not used, groups that are empty and blank lines from
 * an SVG that gnuplot drew, and writes the color of successive symbols once. */
void svg_tidy(struct buf *svg);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A finished picture in a page of HTML.
 */
#ifndef PLOT_PICTURE_H
#define PLOT_PICTURE_H

#include "base/base.h"

/* Puts an SVG into a page of HTML that needs no other file. */
void picture_page(struct buf *svg, const char *title, bool dark);

#endif

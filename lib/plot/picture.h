/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts a finished picture into an HTML page.
 */
#ifndef PLOT_PICTURE_H
#define PLOT_PICTURE_H

#include "base/base.h"

/* Puts an SVG into an HTML page that needs no other file. */
void picture_page(struct buf *svg, const char *title, bool dark);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A finished picture in a page of HTML, or in a file that is whole or not there.
 */
#ifndef PLOT_PICTURE_H
#define PLOT_PICTURE_H

#include "base/base.h"

/* Puts an SVG into a page of HTML that needs no other file. */
void picture_page(struct buf *svg, const char *title, bool dark);

/*
 * Writes a file so that it is there as a whole or not at all: a temporary file beside it is
 * renamed. A path that is no regular file (a device, a pipe) is written to. 0 or -1.
 */
int picture_write(const char *path, struct text content, struct fault *f);

#endif

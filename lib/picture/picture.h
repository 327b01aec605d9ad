/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decodes pictures: JPEG and PNG files. Pure.
 */
#ifndef PICTURE_PICTURE_H
#define PICTURE_PICTURE_H

#include "base/base.h"

/* A picture of 8 bits per channel. */
struct picture {
	uint32_t width, height;
	uint32_t channels;    /* 1: gray, 3: red, green, blue */
	unsigned char *pixel; /* by row, then column, then channel */
};

/* Returns whether a file begins like a JPEG or PNG file. */
bool picture_is(struct text file);
/*
 * Decodes a file. Alpha channels are dropped, palettes are replaced by their colors, and 16
 * bits are rounded to 8; color profiles and gamma values are ignored. Returns 0, or -1 and
 * the message if the file is neither JPEG nor PNG, is damaged or truncated, is a JPEG file
 * of other colors than gray and YCbCr or RGB, or has more than PICTURE_PIXELS_MAX pixels.
 */
int picture_decode(struct text file, struct picture *out, struct fault *f);
/* Frees the pixels. */
void picture_free(struct picture *p);

enum { PICTURE_PIXELS_MAX = 100000000 };

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resizes pictures as Pillow does, and thus torchvision: each new pixel is a weighted mean
 * of the old pixels under a filter, which is widened when a picture shrinks
 * ("antialiased"), first along the rows, then along the columns, each rounded to 8 bits.
 * Pure.
 */
#ifndef PICTURE_PICTURE_RESIZE_H
#define PICTURE_PICTURE_RESIZE_H

#include "picture/picture.h"

enum picture_filter {
	PICTURE_BILINEAR, /* a triangle */
	PICTURE_BICUBIC   /* R. Keys, 1981, with a = -0.5 */
};

/* Resizes a picture, unless it has this size. */
void picture_resize(
    struct picture *p, uint32_t width, uint32_t height, enum picture_filter filter);

#endif

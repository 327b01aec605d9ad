/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares the decoders of picture.h. Each is compiled with its library, or replaced by a
 * stand-in that names the missing package.
 */
#ifndef PICTURE_PICTURE_DECODERS_PRIV_H
#define PICTURE_PICTURE_DECODERS_PRIV_H

#include "picture/picture.h"

/* Decode a file. Return 0, or -1 and the message; the picture is then empty. */
int picture_jpeg_decode(struct text file, struct picture *out, struct fault *f);
int picture_png_decode(struct text file, struct picture *out, struct fault *f);

/* Allocates the pixels of a picture of this size. Returns 0, or -1 and the message if it
 * has none, or more than PICTURE_PIXELS_MAX. */
int picture_make(
    struct picture *p, uint32_t width, uint32_t height, uint32_t channels, struct fault *f);

#endif

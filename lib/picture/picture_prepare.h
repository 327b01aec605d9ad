/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prepares pictures as inputs of models, in the usual way (torchvision's presets for
 * classification): resize the shorter side, crop the center, scale, normalize. Pure.
 */
#ifndef PICTURE_PICTURE_PREPARE_H
#define PICTURE_PICTURE_PREPARE_H

#include "picture/picture_resize.h"

enum picture_layout { PICTURE_ANY_LAYOUT, PICTURE_NCHW, PICTURE_NHWC };
enum picture_color { PICTURE_RGB, PICTURE_BGR };

/* A size in pixels. With width 0, `height` is the length of the shorter side. */
struct picture_size {
	uint32_t height, width;
};

/* How pictures are prepared. Zero means the default. */
struct picture_settings {
	bool unresized; /* use the size of the file */
	struct picture_size
	    resize; /* default: a shorter side of 8/7 of the input's longer one */
	struct picture_size crop; /* default: the sizes of the input */
	enum picture_filter filter;
	enum picture_layout layout;
	enum picture_color color;
	double scale;           /* pixels are divided by this; 0: default */
	double mean[3], std[3]; /* (pixel / scale - mean) / std is stored */
	uint32_t means, stds;   /* their numbers: 1 for all channels, or 3; 0: default */
};

/* The sizes of an input that holds a picture. */
struct picture_input {
	uint32_t height, width, channels; /* 1 or 3 channels */
	bool channels_last;
	bool is_float; /* else the input holds 8-bit integers */
	bool is_signed;
};

/*
 * Stores the elements of an input: the picture after all steps. Gray pictures become gray
 * RGB ones, and RGB pictures become gray (ITU-R BT.601), as the input needs. An input of
 * floating-point elements is divided by 255 and, with three channels, normalized with the
 * mean and deviation of ImageNet. One of unsigned integers holds the pixels, and one of
 * signed integers the pixels minus 128. Settings replace these defaults. Changes the
 * picture. Returns 0, or -1 and the message if the resized picture is smaller than the
 * input.
 */
int picture_prepare(struct picture *p, const struct picture_settings *s,
    const struct picture_input *to, double *out, struct fault *f);

#endif

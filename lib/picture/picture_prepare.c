/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prepares pictures; see picture_prepare.h.
 */
#include <math.h>
#include <stdlib.h>

#include "picture/picture_prepare.h"

/* The usual share of the resized picture that the crop keeps: 224 of 256 pixels. */
static const double crop_share = 0.875;

/* The defaults by the type of the input. */
struct norm {
	double scale, mean[3], std[3];
};
static const struct norm imagenet = { 255, { 0.485, 0.456, 0.406 },
	{ 0.229, 0.224, 0.225 } },
                         scaled = { 255, { 0 }, { 1, 1, 1 } },
                         pixels = { 1, { 0 }, { 1, 1, 1 } },
                         signed_pixels = { 1, { 128, 128, 128 }, { 1, 1, 1 } };

/* Changes the number of channels to that of the input. */
static void convert_channels(struct picture *p, uint32_t channels)
{
	const size_t count = (size_t)p->width * p->height;
	unsigned char *made;

	if (p->channels == channels)
		return;
	made = mem_zero(count, channels);
	for (size_t i = 0; i < count; i++)
		if (channels == 1) {
			const unsigned char *c = p->pixel + 3 * i;

			/* 0.299, 0.587 and 0.114 in 65536ths. */
			made[i] = (unsigned char)((c[0] * 19595u + c[1] * 38470u +
			                              c[2] * 7471u + 0x8000u) >>
			                          16);
		} else
			memset(made + 3 * i, p->pixel[i], 3);
	free(p->pixel);
	p->pixel = made;
	p->channels = channels;
}

/* Returns the longer side of a picture whose shorter side is given. */
static uint32_t longer_side(uint32_t shorter, uint32_t has_longer, uint32_t has_shorter)
{
	const uint64_t side = (uint64_t)shorter * has_longer / has_shorter;

	return side > UINT32_MAX ? UINT32_MAX : (uint32_t)side;
}

/* Returns the size to which a picture is resized. */
static struct picture_size resized(const struct picture *p,
    const struct picture_settings *s, const struct picture_input *to)
{
	const uint32_t longer = to->width > to->height ? to->width : to->height;
	struct picture_size size = s->resize;

	if (s->unresized)
		return (struct picture_size){ p->height, p->width };
	if (size.width)
		return size;
	if (!size.height)
		size.height = (uint32_t)(longer / crop_share);
	return p->width < p->height
	           ? (struct picture_size){ longer_side(size.height, p->height, p->width),
		             size.height }
	           : (struct picture_size){ size.height,
		             longer_side(size.height, p->width, p->height) };
}

static struct norm norm_of(const struct picture_settings *s, const struct picture_input *to)
{
	struct norm n = !to->is_float       ? (to->is_signed ? signed_pixels : pixels)
	                : to->channels == 3 ? imagenet
	                                    : scaled;

	if (s->scale > 0)
		n.scale = s->scale;
	for (uint32_t c = 0; c < 3; c++) {
		if (s->means)
			n.mean[c] = s->mean[s->means == 1 ? 0 : c];
		if (s->stds)
			n.std[c] = s->std[s->stds == 1 ? 0 : c];
	}
	return n;
}

/* Returns where a crop begins: in the middle, rounded to even as torchvision does. */
static size_t crop_begin(uint32_t has, uint32_t wants)
{
	return (size_t)nearbyint((has - wants) / 2.0);
}

/* Stores the center of a picture. */
static void store_center(const struct picture *p, const struct norm *n,
    const struct picture_input *to, bool reversed, double *out)
{
	const size_t top = crop_begin(p->height, to->height),
	             left = crop_begin(p->width, to->width),
	             area = (size_t)to->height * to->width, channels = to->channels;

	for (size_t y = 0; y < to->height; y++)
		for (size_t x = 0; x < to->width; x++)
			for (size_t c = 0; c < channels; c++) {
				const size_t from = reversed ? channels - 1 - c : c,
				             at = y * to->width + x;
				const double v =
				    p->pixel[((top + y) * p->width + left + x) * channels +
				             from];

				out[to->channels_last ? at * channels + c : c * area + at] =
				    (v / n->scale - n->mean[c]) / n->std[c];
			}
}

int picture_prepare(struct picture *p, const struct picture_settings *s,
    const struct picture_input *to, double *out, struct fault *f)
{
	const struct picture_size size = resized(p, s, to);
	const struct norm norm = norm_of(s, to);

	if (size.height < to->height || size.width < to->width)
		return fault_set(f,
		    "%s, it is %ux%u, smaller than the crop of %ux%u (height x width): set "
		    "resize=%u or more",
		    s->unresized ? "not resized" : "resized", size.height, size.width,
		    to->height, to->width, to->height > to->width ? to->height : to->width);
	if ((uint64_t)size.height * size.width > PICTURE_PIXELS_MAX)
		return fault_set(f, "resized, it has %ux%u pixels, more than %d million",
		    size.height, size.width, PICTURE_PIXELS_MAX / 1000000);
	convert_channels(p, to->channels);
	picture_resize(p, size.width, size.height, s->filter);
	store_center(p, &norm, to, s->color == PICTURE_BGR, out);
	return 0;
}

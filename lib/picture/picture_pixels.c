/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocates and frees the pixels of pictures; see picture.h and picture_decoders_priv.h.
 */
#include <stdlib.h>

#include "picture/picture_decoders_priv.h"

int picture_make(
    struct picture *p, uint32_t width, uint32_t height, uint32_t channels, struct fault *f)
{
	const uint64_t pixels = (uint64_t)width * height;

	if (!pixels)
		return fault_set(f, "it has no pixels");
	if (pixels > PICTURE_PIXELS_MAX)
		return fault_set(f, "it has %ux%u pixels, more than %d million", width,
		    height, PICTURE_PIXELS_MAX / 1000000);
	*p = (struct picture){ width, height, channels, mem_zero(pixels, channels) };
	return 0;
}

void picture_free(struct picture *p)
{
	free(p->pixel);
	*p = (struct picture){ 0 };
}

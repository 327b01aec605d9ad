/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces picture_jpeg.c if its library is not installed.
 */
#include "picture/picture_decoders_priv.h"

int picture_jpeg_decode(struct text file, struct picture *out, struct fault *f)
{
	(void)file;
	(void)out;
	return fault_set(f,
	    "bench-run was built without JPEG files (install libjpeg-dev on "
	    "Debian, and build it again)");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces picture_png.c if its library is not installed.
 */
#include "picture/picture_decoders_priv.h"

int picture_png_decode(struct text file, struct picture *out, struct fault *f)
{
	(void)file;
	(void)out;
	return fault_set(f, "bench-run was built without PNG files (install libpng-dev on "
	                    "Debian, and build it again)");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decodes pictures; see picture.h.
 */
#include "picture/picture_decoders_priv.h"

/* The formats, and the bytes with which a file begins. */
static const struct picture_format {
	struct text begins;
	int (*decode)(struct text file, struct picture *out, struct fault *f);
} formats[] = {
	{ { "\xff\xd8\xff", 3 }, picture_jpeg_decode },
	{ { "\x89PNG\r\n\x1a\n", 8 }, picture_png_decode },
};

/* Returns the format of a file, or NULL. */
static const struct picture_format *format_of(struct text file)
{
	for (size_t i = 0; i < COUNT(formats); i++)
		if (file.len >= formats[i].begins.len &&
		    memcmp(file.ptr, formats[i].begins.ptr, formats[i].begins.len) == 0)
			return &formats[i];
	return NULL;
}

bool picture_is(struct text file)
{
	return format_of(file);
}

int picture_decode(struct text file, struct picture *out, struct fault *f)
{
	const struct picture_format *format = format_of(file);

	*out = (struct picture){ 0 };
	return format ? format->decode(file, out, f)
	              : fault_set(f, "it is neither a JPEG nor a PNG file");
}

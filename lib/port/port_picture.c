/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads pictures; see port_picture.h.
 */
#include <stdlib.h>

#include "port/port_file.h"
#include "port/port_picture.h"
#include "port/port_shape.h"
#include "port/port_store.h"

enum { SIDES_MAX = 65536 };

static bool can_be_channels(int64_t size)
{
	return size == 1 || size == 3;
}

/* Sets a message with the shape of the input. Returns -1. */
static int blame_shape(
    const struct backend_port *p, const int64_t *size, const char *why, struct fault *f)
{
	char *shape = port_shape_text(size, p->dims);

	fault_set(f, "input '%s' is %s, %s", p->name, shape, why);
	free(shape);
	return -1;
}

/* Determines which dimension has the channels. Returns 0, or -1 and the message. */
static int find_channels(const struct backend_port *p, const int64_t *size,
    const struct picture_settings *s, bool *last, struct fault *f)
{
	const bool at_front = can_be_channels(size[p->dims - 3]),
	           at_end = can_be_channels(size[p->dims - 1]);

	*last = s->layout ? s->layout == PICTURE_NHWC : at_end;
	if (*last ? !at_end : !at_front)
		return blame_shape(
		    p, size, "but pictures have 1 or 3 channels (NCHW or NHWC)", f);
	if (!s->layout && at_front && at_end)
		return blame_shape(p, size,
		    "of which two dimensions can be the channels: set layout=nchw or "
		    "layout=nhwc",
		    f);
	return 0;
}

int port_picture_input(const struct backend_port *p, const int64_t *size,
    const struct picture_settings *s, struct picture_input *out, struct fault *f)
{
	const int64_t *picture, *side;
	bool channels_last;

	if (p->dims != 3 && p->dims != 4)
		return blame_shape(p, size, "but pictures need 3 or 4 dimensions", f);
	if (!port_is_float(p) && strcmp(p->type, "uint8") != 0 &&
	    strcmp(p->type, "int8") != 0)
		return fault_set(f,
		    "input '%s' is %s, but pictures need floating-point numbers, uint8 or "
		    "int8",
		    p->name, p->type);
	if (find_channels(p, size, s, &channels_last, f) < 0)
		return -1;
	picture = size + p->dims - 3;
	side = channels_last ? picture : picture + 1;
	if (side[0] < 1 || side[1] < 1 || side[0] > SIDES_MAX || side[1] > SIDES_MAX)
		return blame_shape(p, size, "which is no size of pictures", f);
	*out = (struct picture_input){ .height = (uint32_t)side[0],
		.width = (uint32_t)side[1],
		.channels = (uint32_t)picture[channels_last ? 2 : 0],
		.channels_last = channels_last,
		.is_float = port_is_float(p),
		.is_signed = strcmp(p->type, "int8") == 0 };
	if (s->crop.height &&
	    (s->crop.height != out->height || s->crop.width != out->width))
		return fault_set(f,
		    "setting crop: %ux%u differs from input '%s', whose pictures are %ux%u",
		    s->crop.height, s->crop.width, p->name, out->height, out->width);
	return 0;
}

int port_picture_read(const char *path, const struct picture_settings *s,
    const struct picture_input *to, double *out, struct fault *f)
{
	struct buf file = { 0 };
	struct picture picture = { 0 };
	struct fault why;
	int status = port_file_bytes(path, "", &file, f);

	if (status == 0 &&
	    (picture_decode(text_in(&file), &picture, &why) < 0 ||
	        picture_prepare(&picture, s, to, out, &why) < 0))
		status = fault_set(f, "%s: %s", path, why.text);
	picture_free(&picture);
	buf_free(&file);
	return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses sources of inputs; see port_spec.h.
 */
#include <ctype.h>
#include <stdlib.h>

#include "port/port_spec.h"
#include "text/near_name.h"
#include "text/units.h"

enum { SIDE_MAX = 16384 }; /* of pictures that resize and crop set */

/* Takes the text to a separator, or all of it, from the beginning of a string. */
static struct text take_field(struct text *rest, char separator)
{
	const char *end = rest->len ? memchr(rest->ptr, separator, rest->len) : NULL;
	const size_t len = end ? (size_t)(end - rest->ptr) : rest->len;
	const struct text field = { rest->ptr, len };

	rest->ptr += len + (end != NULL);
	rest->len -= len + (end != NULL);
	return field;
}

static bool read_side(struct text t, uint32_t *out)
{
	int64_t side;

	if (!integer_parse(t, &side) || side < 1 || side > SIDE_MAX)
		return false;
	*out = (uint32_t)side;
	return true;
}

/* Reads N or HEIGHTxWIDTH. */
static bool read_size(struct text t, struct picture_size *out)
{
	const bool both = t.len && memchr(t.ptr, 'x', t.len);

	*out = (struct picture_size){ 0 };
	return read_side(take_field(&t, 'x'), &out->height) &&
	       (!both || read_side(t, &out->width));
}

static bool read_resize(struct text t, struct port_spec *s)
{
	s->picture.unresized = text_is(t, "none");
	return s->picture.unresized || read_size(t, &s->picture.resize);
}

static bool read_crop(struct text t, struct port_spec *s)
{
	struct picture_size *crop = &s->picture.crop;

	if (!read_size(t, crop))
		return false;
	crop->width = crop->width ? crop->width : crop->height;
	return true;
}

/* Returns the number of a word in a list that ends with NULL, or -1. */
static int word_number(struct text t, const char *const *word)
{
	for (int i = 0; word[i]; i++)
		if (text_is(t, word[i]))
			return i;
	return -1;
}

static bool read_filter(struct text t, struct port_spec *s)
{
	static const char *const words[] = { "bilinear", "bicubic", NULL };
	const int number = word_number(t, words);

	s->picture.filter = (enum picture_filter)number;
	return number >= 0;
}

static bool read_layout(struct text t, struct port_spec *s)
{
	static const char *const words[] = { "nchw", "nhwc", NULL };
	const int number = word_number(t, words);

	s->picture.layout = (enum picture_layout)(number + PICTURE_NCHW);
	return number >= 0;
}

static bool read_color(struct text t, struct port_spec *s)
{
	static const char *const words[] = { "rgb", "bgr", NULL };
	const int number = word_number(t, words);

	s->picture.color = (enum picture_color)number;
	return number >= 0;
}

static bool read_scale(struct text t, struct port_spec *s)
{
	return number_parse(t, &s->picture.scale) && s->picture.scale > 0;
}

/* Reads a number, or three with colons. */
static bool read_channels(struct text t, double out[3], uint32_t *count)
{
	*count = 0;
	while (*count < 3 && t.len)
		if (!number_parse(take_field(&t, ':'), &out[(*count)++]))
			return false;
	return !t.len && (*count == 1 || *count == 3);
}

static bool read_mean(struct text t, struct port_spec *s)
{
	return read_channels(t, s->picture.mean, &s->picture.means);
}

static bool read_std(struct text t, struct port_spec *s)
{
	const double *std = s->picture.std;

	if (!read_channels(t, s->picture.std, &s->picture.stds))
		return false;
	for (uint32_t i = 0; i < s->picture.stds; i++)
		if (!(std[i] > 0))
			return false;
	return true;
}

static bool read_pad(struct text t, struct port_spec *s)
{
	s->pads = true;
	return integer_parse(t, &s->pad) && s->pad >= 0;
}

static bool read_batches(struct text t, struct port_spec *s)
{
	int64_t count;

	if (!integer_parse(t, &count) || count < 1)
		return false;
	s->batches = (uint64_t)count;
	return true;
}

static bool read_format(struct text t, struct port_spec *s)
{
	static const char *const words[] = { "raw", "tokens", NULL };
	const int number = word_number(t, words);

	s->format = (enum port_format)(number + PORT_RAW);
	return number >= 0;
}

static const struct port_setting {
	const char *name;
	bool (*read)(struct text value, struct port_spec *s);
	enum port_kind only; /* the kind of source that it is for; PORT_KINDS: all */
	const char *wants;   /* the values */
} settings[] = {
	{ "resize", read_resize, PORT_PICTURES,
	    "a number of pixels, HEIGHTxWIDTH or none" },
	{ "crop", read_crop, PORT_PICTURES, "a number of pixels or HEIGHTxWIDTH" },
	{ "filter", read_filter, PORT_PICTURES, "bilinear or bicubic" },
	{ "layout", read_layout, PORT_PICTURES, "nchw or nhwc" },
	{ "color", read_color, PORT_PICTURES, "rgb or bgr" },
	{ "scale", read_scale, PORT_PICTURES, "a number above 0" },
	{ "mean", read_mean, PORT_PICTURES,
	    "a number, or three such as 0.485:0.456:0.406" },
	{ "std", read_std, PORT_PICTURES,
	    "a number above 0, or three such as 0.229:0.224:0.225" },
	{ "pad", read_pad, PORT_SEQUENCES, "a whole number" },
	{ "batches", read_batches, PORT_KINDS, "a whole number above 0" },
	{ "format", read_format, PORT_KINDS, "raw or tokens" },
};

/* Returns the length of the path. */
static size_t path_length(const char *text)
{
	for (const char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ',')) {
		const char *end = comma + 1;

		while (islower((unsigned char)*end))
			end++;
		if (*end == '=' && end > comma + 1)
			return (size_t)(comma - text);
	}
	return strlen(text);
}

static int read_setting(struct text pair, struct port_spec *s, struct fault *f)
{
	const struct text name = take_field(&pair, '=');
	struct known_names known = { 0 };

	for (size_t i = 0; i < COUNT(settings); i++) {
		if (!text_is(name, settings[i].name))
			continue;
		s->only[settings[i].only] = settings[i].name;
		return settings[i].read(pair, s)
		           ? 0
		           : fault_set(f, "setting %s: '%.*s' is not %s", settings[i].name,
		                 (int)(pair.len < 80 ? pair.len : 80),
		                 pair.len ? pair.ptr : "", settings[i].wants);
	}
	known_names_add_all(&known, settings, sizeof(*settings), COUNT(settings));
	return unknown_name(f, "unknown setting", name, &known);
}

int port_spec_parse(const char *text, struct port_spec *out, struct fault *f)
{
	const size_t path = path_length(text);
	struct text rest = text_of(text + path);

	*out = (struct port_spec){ .path = mem_text(text, path) };
	take_field(&rest, ',');
	while (rest.len)
		if (read_setting(take_field(&rest, ','), out, f) < 0) {
			port_spec_free(out);
			return -1;
		}
	return 0;
}

void port_spec_free(struct port_spec *s)
{
	free(s->path);
	s->path = NULL;
}

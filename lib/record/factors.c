/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON objects of strings; see factors.h. Only necessary escapes are written, and bytes
 * above 127 remain as they are, so that text that is not UTF-8 can also be read back.
 */
#include <stdlib.h>
#include <string.h>

#include "record/factors.h"

static int by_name(const void *a, const void *b)
{
	const struct text x = ((const struct factor *)a)->name,
	                  y = ((const struct factor *)b)->name;
	int order = memcmp(x.ptr, y.ptr, x.len < y.len ? x.len : y.len);

	return order ? order : (x.len > y.len) - (x.len < y.len);
}

static void put_quoted(struct buf *out, struct text t)
{
	buf_byte(out, '"');
	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.ptr[i];

		if (c == '"' || c == '\\')
			buf_byte(out, '\\');
		if (c < 0x20)
			buf_printf(out, "\\u%04x", c);
		else
			buf_byte(out, (char)c);
	}
	buf_byte(out, '"');
}

void factors_write(struct buf *out, struct factor *factors, size_t count)
{
	if (count > 1)
		qsort(factors, count, sizeof(*factors), by_name);
	buf_byte(out, '{');
	for (size_t i = 0; i < count; i++) {
		if (i)
			buf_byte(out, ',');
		put_quoted(out, factors[i].name);
		buf_byte(out, ':');
		put_quoted(out, factors[i].value);
	}
	buf_byte(out, '}');
}

/* Reads the four hexadecimal digits of a control character at *p. */
static bool take_control(const char **p, const char *end, char *out)
{
	char hex[5] = { 0 }, *rest;

	if (end - *p < 4)
		return false;
	memcpy(hex, *p, 4);
	*p += 4;
	*out = (char)strtoul(hex, &rest, 16);
	return !*rest && (unsigned char)*out < 0x20;
}

/* Reads the character at *p that a backslash precedes. */
static bool take_escaped(const char **p, const char *end, char *out)
{
	static const char letters[] = "bfnrt";
	const char *letter;

	if (*p == end)
		return false;
	*out = *(*p)++;
	if (*out == 'u')
		return take_control(p, end, out);
	letter = *out ? strchr(letters, *out) : NULL;
	if (letter)
		*out = "\b\f\n\r\t"[letter - letters];
	return letter || *out == '"' || *out == '\\';
}

/* Reads one quoted text at *p into out. */
static bool take_quoted(const char **p, const char *end, struct buf *out)
{
	if (*p < end && **p == ' ')
		++*p;
	if (*p == end || *(*p)++ != '"')
		return false;
	while (*p < end && **p != '"') {
		char c = *(*p)++;

		if (c == '\\' && !take_escaped(p, end, &c))
			return false;
		buf_byte(out, c);
	}
	return *p < end && *(*p)++ == '"';
}

bool factors_read(struct text json, void (*each)(void *ctx, struct factor f), void *ctx)
{
	const char *p = json.ptr, *end = p + json.len;
	struct buf bytes = { 0 };
	bool good = p < end && *p++ == '{';

	while (good && p < end && *p != '}') {
		size_t split;

		bytes.len = 0;
		good = take_quoted(&p, end, &bytes);
		split = bytes.len;
		good = good && p < end && *p++ == ':' && take_quoted(&p, end, &bytes);
		if (good)
			each(ctx, (struct factor){ { bytes.ptr, split },
			              { bytes.ptr + split, bytes.len - split } });
		good =
		    good && p < end && (*p == '}' || (*p++ == ',' && p < end && *p != '}'));
	}
	buf_free(&bytes);
	return good && end - p == 1 && *p == '}';
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The colors of an SVG as CSS variables; see svg_theme.h. A variable has the name of its
 * color on a light page, so that several plots on a page define the same variables.
 * Colors are replaced only in attributes: text from the input is never inside a tag.
 */
#include <string.h>

#include "svg/palette.h"
#include "svg/svg_theme.h"

enum { COLORS_MAX = 64 };

/* The colors that were found. */
struct themed {
	unsigned light[COLORS_MAX], dark[COLORS_MAX];
	size_t count;
};

/* Parses a number of decimal digits after spaces, below 1000. Returns the end of it. */
static const char *parse_byte(const char *s, unsigned *byte)
{
	for (; *s == ' '; s++)
		;
	for (*byte = 0; *s >= '0' && *s <= '9' && *byte < 1000; s++)
		*byte = *byte * 10 + (unsigned)(*s - '0');
	return s;
}

/* Parses "#rrggbb" or "rgb(r, g, b)" between the quotes of an attribute. Returns its
 * length, or 0 if it is something else. */
static size_t parse_color(const char *s, char quote, unsigned *color)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *end = s + 3;

	*color = 0;
	if (*s == '#') {
		for (end = s + 1; *end && strchr(digits, *end) && end < s + 7; end++)
			*color =
			    *color << 4 | (unsigned)(strchr(digits, *end) - digits) % 16;
		return end == s + 7 && *end == quote ? 7 : 0;
	}
	if (strncmp(s, "rgb(", 4) != 0)
		return 0;
	for (int i = 0; i < 3; i++) {
		unsigned byte;

		end = parse_byte(end + 1, &byte);
		*color = *color << 8 | (byte & 255);
		if (*end != (i < 2 ? ',' : ')'))
			return 0;
	}
	return end[1] == quote ? (size_t)(end + 1 - s) : 0;
}

/* Returns whether a color has a variable. */
static bool add_color(struct themed *t, unsigned light)
{
	unsigned dark;

	for (size_t i = 0; i < t->count; i++)
		if (t->light[i] == light)
			return true;
	if (t->count == COLORS_MAX || !palette_darken(light, &dark))
		return false;
	t->light[t->count] = light;
	t->dark[t->count++] = dark;
	return true;
}

static void put_variables(
    struct buf *b, const struct themed *t, const char *selector, const unsigned *color)
{
	buf_printf(b, "%s{", selector);
	for (size_t i = 0; i < t->count; i++)
		buf_printf(b, "%s--x%06x:#%06x", i ? ";" : "", t->light[i], color[i]);
	buf_byte(b, '}');
}

static void put_style(struct buf *b, const struct themed *t)
{
	buf_str(b, "<style>");
	put_variables(b, t, ":root", t->light);
	buf_str(b, "@media screen and (prefers-color-scheme:dark){");
	put_variables(b, t, ":root:not([data-theme=light])", t->dark);
	buf_str(b, "}@media screen{");
	put_variables(b, t, ":root[data-theme=dark]", t->dark);
	buf_str(b, "}</style>\n");
}

/* Appends an SVG in which variables replace the colors of attributes, and collects these
 * colors. Returns the length of the first tag. */
static size_t put_themed(struct buf *out, const char *svg, struct themed *t)
{
	bool in_tag = false, after_equals = false;
	size_t first_tag = 0;

	for (const char *p = svg; *p; p++) {
		unsigned color;
		size_t len = in_tag && after_equals && (*p == '"' || *p == '\'')
		                 ? parse_color(p + 1, *p, &color)
		                 : 0;

		if (len && add_color(t, color)) {
			buf_printf(out, "%cvar(--x%06x)%c", *p, color, *p);
			p += len + 1;
			after_equals = false;
			continue;
		}
		if (*p == '<' || *p == '>')
			in_tag = *p == '<';
		after_equals = *p == '=' || (*p == ' ' && after_equals);
		buf_byte(out, *p);
		if (*p == '>' && !first_tag)
			first_tag = out->len;
	}
	return first_tag;
}

void svg_theme(struct buf *svg)
{
	struct themed t = { 0 };
	struct buf body = { 0 }, out = { 0 };
	const char *begin = svg->ptr ? strstr(svg->ptr, "<svg") : NULL;

	if (!begin)
		return;
	const size_t first_tag = put_themed(&body, begin, &t);

	buf_put(&out, svg->ptr, (size_t)(begin - svg->ptr));
	buf_put(&out, body.ptr, first_tag);
	buf_byte(&out, '\n');
	put_style(&out, &t);
	buf_put(&out, body.ptr + first_tag, body.len - first_tag);
	buf_free(&body);
	buf_free(svg);
	*svg = out;
}

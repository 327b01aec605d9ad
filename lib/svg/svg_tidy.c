/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes an SVG of gnuplot smaller; see svg_tidy.h. It works on lines, because gnuplot
 * begins each element that matters on a line of its own; a line that looks different
 * remains.
 */
#include <stdlib.h>
#include <string.h>

#include "svg/svg_tidy.h"

struct svg_lines {
	struct text *line;
	bool *dropped;
	size_t count, cap;
};

static void split_svg(struct svg_lines *s, const struct buf *svg)
{
	for (const char *at = svg->ptr, *end = at + svg->len; at < end;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t len = stop ? (size_t)(stop - at) : (size_t)(end - at);

		*VEC_ADD(s->line, s->count, s->cap) = (struct text){ at, len };
		at += len + 1;
	}
	s->dropped = mem_zero(s->count, sizeof(*s->dropped));
}

/* Drops blank lines and groups without contents. */
static void drop_empty(struct svg_lines *s)
{
	for (size_t i = 0; i < s->count; i++) {
		bool group = text_begins(s->line[i], "<g fill=\"none\"") && i + 1 < s->count &&
		             text_is(s->line[i + 1], "</g>");

		if (group)
			s->dropped[i + 1] = true;
		s->dropped[i] = s->dropped[i] || group || !s->line[i].len;
	}
}

/* Returns whether a line that remains, after line `from`, has this string. */
static bool is_used(const struct svg_lines *s, size_t from, const char *name)
{
	for (size_t i = from + 1; i < s->count; i++)
		if (!s->dropped[i] &&
		    memmem(s->line[i].ptr, s->line[i].len, name, strlen(name)))
			return true;
	return false;
}

/* Returns the id of a symbol or filter that begins on a line; NULL: none does. */
static struct text id_on(struct text line)
{
	static const char mark[] = "id='";
	const char *id = memmem(line.ptr, line.len, mark, sizeof(mark) - 1), *end;

	if (!id || line.ptr[0] != '\t')
		return (struct text){ 0 };
	id += sizeof(mark) - 1;
	end = memchr(id, '\'', (size_t)(line.ptr + line.len - id));
	return (struct text){ end ? id : NULL, end ? (size_t)(end - id) : 0 };
}

/* Drops a filter, from its first line to its last. */
static void drop_filter(struct svg_lines *s, size_t first)
{
	for (size_t i = first; i < s->count; i++) {
		s->dropped[i] = true;
		if (text_is(s->line[i], "\t</filter>"))
			return;
	}
}

/* Drops symbols and filters without use, the last first, because symbols use earlier ones.
 */
static void drop_unused(struct svg_lines *s)
{
	for (size_t i = s->count; i-- > 0;) {
		const struct text id = id_on(s->line[i]);
		const bool filter = text_begins(s->line[i], "\t<filter ");
		char *use;

		if (!id.ptr)
			continue;
		use = str_format(filter ? "url(#%.*s)" : "#%.*s'", (int)id.len, id.ptr);
		if (!is_used(s, i, use)) {
			s->dropped[i] = true;
			if (filter)
				drop_filter(s, i);
		}
		free(use);
	}
}

/* Returns the length of a symbol's line before its color, or 0 if it is something else. */
static size_t before_color(struct text line)
{
	static const char color[] = " color='";
	const char *at;

	if (!text_begins(line, "\t<use xlink:href=") || line.len < 4 ||
	    memcmp(line.ptr + line.len - 3, "'/>", 3) != 0)
		return 0;
	at = memmem(line.ptr, line.len, color, sizeof(color) - 1);
	return at ? (size_t)(at - line.ptr) : 0;
}

/* Returns the number of symbols from a line on that have one color. */
static size_t same_color(const struct svg_lines *s, size_t from)
{
	size_t len = before_color(s->line[from]), n = 1;
	struct text first = { s->line[from].ptr + len, s->line[from].len - len };

	if (!len)
		return 0;
	for (; from + n < s->count; n++) {
		const struct text *line = &s->line[from + n];
		size_t own = before_color(*line);

		if (!own ||
		    !text_equal(text_after(*line, own), first))
			break;
	}
	return n;
}

void svg_tidy(struct buf *svg)
{
	enum { FEW = 3 };
	struct svg_lines s = { 0 };
	struct buf out = { 0 };

	if (!svg->len)
		return;
	split_svg(&s, svg);
	drop_empty(&s);
	drop_unused(&s);
	for (size_t i = 0; i < s.count; i++) {
		size_t same = s.dropped[i] ? 0 : same_color(&s, i);

		if (same >= FEW) {
			size_t len = before_color(s.line[i]);

			buf_printf(&out, "<g%.*s>\n", (int)(s.line[i].len - len - 2),
			    s.line[i].ptr + len);
			for (size_t k = 0; k < same; k++, i++) {
				buf_put(&out, s.line[i].ptr, before_color(s.line[i]));
				buf_str(&out, "/>\n");
			}
			buf_str(&out, "</g>\n");
			i--;
		} else if (!s.dropped[i]) {
			buf_text(&out, s.line[i]);
			buf_byte(&out, '\n');
		}
	}
	free(s.line);
	free(s.dropped);
	buf_free(svg);
	*svg = out;
}

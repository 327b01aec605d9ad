/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts an SVG on a page: with unique ids, and without what gnuplot writes but a browser
 * does not need, which is more than half of a plot with many points.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_priv.h"

/* Appends an SVG with unique ids, which are global to a page: id="gpDot" becomes
 * id="f3-gpDot", and so do references to it. Strings are escaped and contain no quotes. */
static void put_renamed(struct buf *b, struct text svg, const char *prefix)
{
	static const char *const before[] = { "id=\"", "id='", "href=\"#", "href='#",
		"url(#", "aria-labelledby=\"" };
	const char *end = svg.ptr + svg.len;

	for (const char *p = svg.ptr; p < end;) {
		size_t len = 0;

		for (size_t i = 0; i < COUNT(before) && !len; i++) {
			size_t n = strlen(before[i]);

			if ((size_t)(end - p) >= n && memcmp(p, before[i], n) == 0)
				len = n;
		}
		if (len) {
			buf_put(b, p, len);
			buf_str(b, prefix);
			p += len;
		} else {
			buf_byte(b, *p++);
		}
	}
}

/* A point that gnuplot draws: a reference to a symbol, moved, scaled and colored. */
struct svg_point {
	struct text symbol, x, y, scale, rest;
};

/* Takes the text up to a word off a string. Returns false if the word is not there. */
static bool take_to(struct text *from, const char *word, struct text *out)
{
	const char *at = memmem(from->ptr, from->len, word, strlen(word));

	if (!at)
		return false;
	*out = (struct text){ from->ptr, (size_t)(at - from->ptr) };
	at += strlen(word);
	*from = (struct text){ at, (size_t)(from->ptr + from->len - at) };
	return true;
}

static bool parse_point(struct text tag, struct svg_point *p)
{
	static const char start[] = "<use xlink:href='#";

	if (!text_begins(tag, start))
		return false;
	tag = (struct text){ tag.ptr + sizeof(start) - 1, tag.len - sizeof(start) + 1 };
	return take_to(&tag, "' transform='translate(", &p->symbol) &&
	       take_to(&tag, ",", &p->x) && take_to(&tag, ") scale(", &p->y) &&
	       take_to(&tag, ")'", &p->scale) && take_to(&tag, "/>", &p->rest) && !tag.len;
}

/* The state of a plot that is made smaller. */
struct compact {
	struct buf *out;
	struct intern points; /* kinds of points */
	struct {
		size_t start, end; /* of a tag in out */
		bool droppable;    /* if nothing follows it */
	} open[64];
	size_t depth;
};

/* Appends a point as a reference to a kind of points, which is defined where it is used
 * first. */
static void put_point(struct compact *c, const struct svg_point *p)
{
	struct buf kind = { 0 };
	size_t number, known = c->points.count;

	buf_printf(&kind, "href=\"#%.*s\" transform=\"scale(%.*s)\"%.*s",
	    (int)p->symbol.len, p->symbol.ptr, (int)p->scale.len, p->scale.ptr,
	    (int)p->rest.len, p->rest.ptr);
	number = intern_add(&c->points, text_in(&kind));
	if (number == known)
		buf_printf(c->out, "<defs><use id=\"p%zu\" %s/></defs>", number, kind.ptr);
	buf_printf(c->out, "<use href=\"#p%zu\" x=\"%.*s\" y=\"%.*s\"/>", number,
	    (int)p->x.len, p->x.ptr, (int)p->y.len, p->y.ptr);
	buf_free(&kind);
}

/* Appends a tag without attributes that have their initial values. */
static void put_tag(struct compact *c, struct text tag)
{
	static const char initial[] = " stroke-width=\"1.00\" stroke-linecap=\"butt\" "
	                              "stroke-linejoin=\"miter\"";
	const char *at = text_begins(tag, "<g fill=\"none\" ")
	                     ? memmem(tag.ptr, tag.len, initial, sizeof(initial) - 1)
	                     : NULL;

	if (at) {
		buf_put(c->out, tag.ptr, (size_t)(at - tag.ptr));
		at += sizeof(initial) - 1;
		tag = (struct text){ at, (size_t)(tag.ptr + tag.len - at) };
	}
	buf_text(c->out, tag);
}

static void open_group(struct compact *c, struct text tag)
{
	size_t start = c->out->len;

	put_tag(c, tag);
	if (c->depth < COUNT(c->open)) {
		c->open[c->depth].start = start;
		c->open[c->depth].end = c->out->len;
		c->open[c->depth].droppable = !memmem(tag.ptr, tag.len, "id=", 3);
	}
	c->depth++;
}

static void end_group(struct compact *c)
{
	c->depth -= c->depth > 0;
	if (c->depth < COUNT(c->open) && c->open[c->depth].droppable &&
	    c->open[c->depth].end == c->out->len)
		c->out->len = c->open[c->depth].start;
	else
		buf_str(c->out, "</g>");
}

/* Returns the length of an element whose contents are text, or 0: it is another element.
 * The names that gnuplot gives to its plots are dropped. */
static size_t text_element(struct compact *c, struct text rest)
{
	static const char *const names[] = { "text", "title", "desc", "style", "metadata" };

	for (size_t i = 0; i < COUNT(names); i++) {
		char end[16], start[16];
		const char *at;
		size_t len;

		snprintf(start, sizeof(start), "<%s", names[i]);
		snprintf(end, sizeof(end), "</%s>", names[i]);
		if (!text_begins(rest, start))
			continue;
		/* Only now: the end may be far away, and there are many tags. */
		at = memmem(rest.ptr, rest.len, end, strlen(end));
		if (!at || !strchr("> \n\t", rest.ptr[strlen(start)]))
			continue;
		len = (size_t)(at - rest.ptr) + strlen(end);
		if (!text_begins(rest, "<title>gnuplot_plot_") && !text_begins(rest, "<metadata"))
			buf_put(c->out, rest.ptr, len);
		return len;
	}
	return 0;
}

/* Appends a plot of gnuplot without empty groups, white space between tags, and long
 * points. */
static void put_compact(struct buf *out, struct text svg)
{
	struct compact c = { .out = out };

	while (svg.len) {
		const char *end = memchr(svg.ptr, '>', svg.len);
		struct svg_point point;
		struct text tag;
		size_t len;

		if (*svg.ptr != '<' || !end) {
			if (!strchr(" \t\r\n", *svg.ptr))
				buf_byte(out, *svg.ptr);
			svg = text_after(svg, 1);
			continue;
		}
		len = text_element(&c, svg);
		tag = (struct text){ svg.ptr, (size_t)(end + 1 - svg.ptr) };
		if (len)
			tag.len = len;
		else if (text_begins(tag, "</g>"))
			end_group(&c);
		else if (text_begins(tag, "<g ") && end[-1] != '/')
			open_group(&c, tag);
		else if (parse_point(tag, &point))
			put_point(&c, &point);
		else
			put_tag(&c, tag);
		svg = text_after(svg, tag.len);
	}
	intern_free(&c.points);
}

void html_svg(struct buf *b, struct text svg, const char *prefix)
{
	const char *from = memmem(svg.ptr, svg.len, "<svg", 4);
	/* Skip the XML declaration, which only a separate file has. */
	size_t len = from ? svg.len - (size_t)(from - svg.ptr) : 0;
	struct buf small = { 0 };

	svg = (struct text){ from, len };
	if (len && memmem(from, len, "id=\"gnuplot_canvas\"", 19)) {
		put_compact(&small, svg);
		svg = text_in(&small);
	}
	put_renamed(b, svg, prefix);
	buf_free(&small);
}

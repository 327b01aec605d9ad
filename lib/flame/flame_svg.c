/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a flame graph as SVG; see flame_draw_priv.h. share/plots/flame.js depends on the
 * classes that are used here. */
#include <stdio.h>

#include "flame/flame_draw_priv.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/markup.h"

enum {
	ROW = 16,    /* height of a frame in pixels */
	LETTER = 7,  /* approximate width of a character of its name */
	LETTERS = 3, /* a shorter name is not shown */
	LINE = 16,   /* height of a line of text */
	TOP = 26,    /* baseline of the title */
	EDGE = 8
};

static unsigned lines_of(const struct flame_picture *p)
{
	return p->both ? 2 : 1;
}

unsigned flame_height(const struct flame_picture *p, const struct flame_words *w)
{
	(void)w;
	return TOP + lines_of(p) * LINE + EDGE + (unsigned)p->depths * ROW + 2 * LINE +
	       EDGE;
}

/* Appends as much of a name as fits a box of this width in pixels. */
static void put_label(struct buf *b, struct text name, double width)
{
	size_t room = width > 6 ? (size_t)((width - 6) / LETTER) : 0, bytes;
	struct buf clean = { 0 }, cut = { 0 };
	struct text whole;

	display_text_label(&clean, name, true);
	whole = (struct text){ clean.ptr, clean.len };
	if (room >= LETTERS && display_width(whole) > room)
		room -= 1;
	bytes = display_prefix(whole, room);
	if (room >= LETTERS - 1 && bytes) {
		buf_put(&cut, clean.ptr, bytes);
		if (bytes < clean.len)
			buf_str(&cut, "\u2026");
		markup_text(b, (struct text){ cut.ptr, cut.len });
	}
	buf_free(&clean);
	buf_free(&cut);
}

static void put_box(struct buf *b, const struct flame_picture *p,
    const struct flame_box *box, const struct flame_words *w, double wide, unsigned bottom)
{
	double x = EDGE + box->x * wide, width = box->width * wide;
	unsigned y = bottom - (unsigned)(box->depth + 1) * ROW;
	struct buf told = { 0 };
	char colour[8];

	flame_colour(colour, p, box);
	flame_tell(&told, p, box, w);
	buf_printf(b, "<g class=\"f%s\"><title>", box->gone ? " gone" : "");
	markup_text(b, (struct text){ told.ptr, told.len });
	buf_printf(b, "</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\"", x,
	    y, width, ROW - 1);
	if (!box->gone)
		buf_printf(b, " fill=\"%s\"", colour);
	buf_printf(b, "/><text x=\"%.2f\" y=\"%u\">", x + 3, y + ROW - 4);
	put_label(b, box->name.len ? box->name : text_of(box->gone ? "only before" : "all"),
	    width);
	buf_str(b, "</text></g>\n");
	buf_free(&told);
}

static void put_lines(
    struct buf *b, const struct flame_picture *p, const struct flame_words *w)
{
	struct buf lines = { 0 };
	unsigned y = TOP;

	flame_explain(&lines, p, w);
	for (char *rest = NULL, *line = strtok_r(lines.ptr, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		y += LINE;
		buf_printf(b, "<text class=\"words\" x=\"%d\" y=\"%u\">", EDGE, y);
		markup_text(b, text_of(line));
		buf_str(b, "</text>\n");
	}
	buf_free(&lines);
}

void flame_svg(struct buf *b, const struct flame_picture *p, const struct flame_words *w,
    unsigned width, bool dark, struct text script)
{
	unsigned height = flame_height(p, w), bottom = height - 2 * LINE - EDGE;
	const char *page = dark ? "#16191d" : "#ffffff",
	           *ink = dark ? "#e6e6e6" : "#222222";
	struct buf words = { 0 }, description = { 0 };

	flame_explain(&words, p, w);
	flame_describe(&description, p, w);
	buf_printf(b,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" width=\"%u\" "
	    "height=\"%u\" "
	    "viewBox=\"0 0 %u %u\" role=\"img\" tabindex=\"0\">\n<title>",
	    width, height, width, height);
	markup_text(b, text_of(w->title));
	buf_str(b, "</title>\n<desc>");
	markup_text(b, (struct text){ description.ptr, description.len });
	buf_printf(b,
	    "</desc>\n<style>.flame{font:12px sans-serif;background:%s}"
	    ".flame text{fill:%s;pointer-events:none}.flame .head{font-size:17px}"
	    ".flame .f text{font:11px monospace;fill:#111}"
	    ".flame .f{cursor:pointer}.flame .f:hover rect,.flame .at rect{stroke:%s;"
	    "stroke-width:1.5}.flame .gone "
	    "rect{fill:#fbfbf8;stroke:#777;stroke-dasharray:3 2}"
	    ".flame .found rect{fill:#b04fd8}.flame .faint{opacity:.45}"
	    ".flame .ask text{pointer-events:auto;cursor:pointer;text-decoration:underline}"
	    "</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n"
	    "<text class=\"head\" x=\"%d\" y=\"%d\">",
	    page, ink, ink, page, EDGE, TOP - 5);
	markup_text(b, text_of(w->title));
	buf_str(b, "</text>\n");
	put_lines(b, p, w);
	buf_str(b, "<g class=\"frames\">\n");
	for (size_t i = 0; i < p->count; i++)
		put_box(b, p, &p->box[i], w, width - 2.0 * EDGE, bottom);
	buf_printf(b,
	    "</g>\n<text class=\"told\" x=\"%d\" y=\"%u\"></text>\n"
	    "<g class=\"ask\" visibility=\"hidden\"><text class=\"reset\" x=\"%d\" "
	    "y=\"%u\">whole "
	    "picture</text><text class=\"search\" x=\"%d\" y=\"%u\">search</text></g>\n"
	    "<text class=\"count\" x=\"%d\" y=\"%u\"></text>\n"
	    "<script><![CDATA[\n",
	    EDGE, bottom + LINE, EDGE, bottom + 2 * LINE, EDGE + 110, bottom + 2 * LINE,
	    EDGE + 180, bottom + 2 * LINE);
	buf_text(b, script);
	buf_str(b, "]]></script>\n</svg>\n");
	buf_free(&words);
	buf_free(&description);
}

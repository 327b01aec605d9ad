/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a flame graph as SVG; see flame_draw_priv.h. share/plots/flame.js depends on the
 * classes that are used here. */
#include <stdio.h>

#include "flame/flame_draw_priv.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/markup.h"

enum {
	ROW = 17,        /* height of a frame in pixels */
	LETTER = 7,      /* approximate width of a character of its name */
	LETTERS = 5,     /* a name that is cut to fewer is not shown */
	LINE = 16,       /* height of a line of text */
	HEAD = 21,       /* height of a line of the title */
	HEAD_LETTER = 9, /* approximate width of its characters */
	TOP = 26,        /* baseline of the title for gnuplot */
	TOLD = 2 * LINE + 4,
	EDGE = 8,
	NARROW = 640, /* of a graph with two rows of controls */
	CONTROLS = 30
};

static unsigned lines_of(const struct flame_plot *p)
{
	return p->both ? 2 : 1;
}

unsigned flame_height(const struct flame_plot *p, const struct flame_words *w)
{
	(void)w;
	return TOP + lines_of(p) * LINE + EDGE + (unsigned)p->depths * (ROW - 1) +
	       2 * LINE + EDGE;
}

/* Appends a name if it fits a box of this width in pixels, or as much of it as does;
 * nothing if that is too little to recognize it. */
static void put_label(struct buf *b, struct text name, double width)
{
	size_t room = width > 6 ? (size_t)((width - 6) / LETTER) : 0, bytes;
	struct buf clean = { 0 };
	struct text whole;

	display_text_label(&clean, name, true);
	whole = text_in(&clean);
	if (display_width(whole) <= room) {
		markup_text(b, whole);
	} else if (room >= LETTERS) {
		bytes = display_prefix(whole, room - 1);
		markup_text(b, (struct text){ clean.ptr, bytes });
		buf_str(b, "\u2026");
	}
	buf_free(&clean);
}

static void put_box(struct buf *b, const struct flame_plot *p, const struct flame_box *box,
    const struct flame_words *w, double wide, unsigned bottom)
{
	double x = EDGE + box->x * wide, width = box->width * wide;
	unsigned y = bottom - (unsigned)(box->depth + 1) * ROW;
	struct buf told = { 0 };
	char color[8];

	flame_color(color, p, box);
	flame_tell(&told, p, box, w);
	buf_printf(b, "<g class=\"f%s\"><title>", box->gone ? " gone" : "");
	markup_text(b, text_in(&told));
	buf_printf(b, "</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\"", x,
	    y, width, ROW - 1);
	if (!box->gone)
		buf_printf(b, " fill=\"%s\"", color);
	buf_printf(b, "/><text x=\"%.2f\" y=\"%u\">", x + 3, y + ROW - 4);
	put_label(b, box->name.len ? box->name : text_of(box->gone ? "only before" : "all"),
	    width);
	buf_str(b, "</text></g>\n");
	buf_free(&told);
}

/* Appends a string as lines of at most this number of columns, the first of which is at *y,
 * and moves *y below them. */
static void put_wrapped(struct buf *b, struct text t, const char *class, size_t columns,
    unsigned step, unsigned *y)
{
	while (t.len) {
		size_t bytes = display_prefix(t, columns), cut = bytes;

		while (bytes < t.len && cut && t.ptr[cut] != ' ')
			cut--;
		bytes = bytes < t.len && cut ? cut : bytes;
		bytes = bytes ? bytes : t.len;
		*y += step;
		buf_printf(b, "<text class=\"%s\" x=\"%d\" y=\"%u\">", class, EDGE, *y - 4);
		markup_text(b, (struct text){ t.ptr, bytes });
		buf_str(b, "</text>\n");
		t = text_after(t, bytes);
		while (t.len && t.ptr[0] == ' ')
			t = text_after(t, 1);
	}
}

/* Appends the title and the lines of flame_explain. Returns the y below them. */
static unsigned put_head(
    struct buf *b, const struct flame_plot *p, const struct flame_words *w, unsigned width)
{
	struct buf lines = { 0 };
	unsigned y = EDGE / 2;

	put_wrapped(
	    b, text_of(w->title), "head", (width - 2 * EDGE) / HEAD_LETTER, HEAD, &y);
	flame_explain(&lines, p, w);
	for (char *rest = NULL, *line = strtok_r(lines.ptr, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		put_wrapped(
		    b, text_of(line), "words", (width - 2 * EDGE) / LETTER, LINE, &y);
	buf_free(&lines);
	return y;
}

static void put_style(struct buf *b, const struct flame_svg_opts *opts)
{
	static const char light[] = "{--flame-page:#ffffff;--flame-ink:#222222;"
	                            "--flame-gone:#fbfbf8;--flame-edge:#777777}",
	                  dark[] = "{--flame-page:#16191d;--flame-ink:#e6e6e6;"
	                           "--flame-gone:#e3e3de;--flame-edge:#999999}";

	buf_printf(b, "<style>.flame%s", opts->dark ? dark : light);
	if (opts->adaptive)
		buf_printf(b,
		    "@media (prefers-color-scheme:dark){:root:not([data-theme=light]) "
		    ".flame,"
		    ":root.flame%s}:root[data-theme=dark] .flame%s"
		    "@media print{:root:root .flame%s}",
		    dark, dark, light);
	buf_str(b,
	    ".flame{font:12px sans-serif;background:var(--flame-page)}"
	    ".flame .page{fill:var(--flame-page)}"
	    ".flame text{fill:var(--flame-ink);pointer-events:none}"
	    ".flame .head{font-size:17px}"
	    ".flame .f text{font:11.5px monospace;fill:#111}"
	    ".flame .f{cursor:pointer}.flame .f:hover rect,.flame .at rect{"
	    "stroke:var(--flame-ink);stroke-width:1.5}"
	    ".flame .gone rect{fill:var(--flame-gone);stroke:var(--flame-edge);"
	    "stroke-dasharray:3 2}"
	    ".flame .found rect{fill:#c77dff}.flame .faint{opacity:.45}"
	    ".flame .ask div{font:13px sans-serif;color:var(--flame-ink);display:flex;"
	    "flex-wrap:wrap;gap:4px 10px;align-items:center}"
	    ".flame .ask input[type=search]{width:13em}"
	    ".flame .ask input,.flame .ask button{font:inherit;color:inherit;"
	    "background:var(--flame-page);border:1px solid var(--flame-edge);"
	    "border-radius:4px;padding:1px 6px}"
	    ".flame div.about{overflow:hidden;height:100%;overflow-wrap:anywhere}"
	    "</style>\n");
}

/* Appends the controls, which the script shows. */
static void put_controls(struct buf *b, unsigned y, unsigned width, unsigned height)
{
	buf_printf(b,
	    "<foreignObject class=\"ask\" x=\"%d\" y=\"%u\" width=\"%u\" height=\"%u\" "
	    "visibility=\"hidden\"><div xmlns=\"http://www.w3.org/1999/xhtml\">"
	    "<input type=\"search\" class=\"search\" placeholder=\"search names\" "
	    "aria-label=\"search names of frames\" autocomplete=\"off\" "
	    "spellcheck=\"false\"/>"
	    "<button type=\"button\" class=\"reset\">whole graph</button>"
	    "<label><input type=\"checkbox\" class=\"heavy\"/> largest first</label>"
	    "<label><input type=\"checkbox\" class=\"down\"/> callers on top</label>"
	    "<output class=\"count\"></output></div></foreignObject>\n",
	    EDGE, y, width - 2 * EDGE, height);
}

void flame_svg(struct buf *b, const struct flame_plot *p, const struct flame_words *w,
    const struct flame_svg_opts *opts)
{
	unsigned width = opts->width, controls = width < NARROW ? 2 * CONTROLS : CONTROLS;
	struct buf head = { 0 }, description = { 0 };
	unsigned top = put_head(&head, p, w, width);
	unsigned bottom = top + controls + EDGE + (unsigned)p->depths * ROW;
	unsigned height = bottom + TOLD + EDGE;

	flame_describe(&description, p, w);
	buf_printf(b,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" width=\"%u\" "
	    "height=\"%u\" viewBox=\"0 0 %u %u\" role=\"img\" tabindex=\"0\">\n<title>",
	    width, height, width, height);
	markup_text(b, text_of(w->title));
	buf_str(b, "</title>\n<desc>");
	markup_text(b, text_in(&description));
	buf_str(b, "</desc>\n");
	put_style(b, opts);
	buf_str(b, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
	buf_text(b, text_in(&head));
	put_controls(b, top + EDGE / 2, width, controls);
	buf_str(b, "<g class=\"frames\">\n");
	for (size_t i = 0; i < p->count; i++)
		put_box(b, p, &p->box[i], w, width - 2.0 * EDGE, bottom);
	buf_printf(b,
	    "</g>\n<foreignObject class=\"ask\" x=\"%d\" y=\"%u\" width=\"%u\" "
	    "height=\"%d\" visibility=\"hidden\"><div class=\"about\" "
	    "xmlns=\"http://www.w3.org/1999/xhtml\"></div></foreignObject>\n"
	    "<script><![CDATA[\n",
	    EDGE, bottom + 2, width - 2 * EDGE, TOLD);
	buf_text(b, opts->script);
	buf_str(b, "]]></script>\n</svg>\n");
	buf_free(&head);
	buf_free(&description);
}

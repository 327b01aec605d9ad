/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Badges: small plots of a verdict, to include in other pages.
 */
#include "site/site_pages.h"
#include "text/display_width.h"
#include "text/markup.h"

enum { ABOUT_MOST = 60, CHARACTER = 7, PAD = 7, HEIGHT = 20 };

/* Returns a prefix of at most ABOUT_MOST bytes of a string, of whole characters. */
static struct text shortened(struct text t)
{
	if (t.len <= ABOUT_MOST)
		return t;
	t.len = ABOUT_MOST;
	while (t.len && ((unsigned char)t.ptr[t.len] & 0xc0) == 0x80)
		t.len--;
	return t;
}

void site_put_badge(
    struct buf *b, struct text about, const char *what, enum site_verdict verdict)
{
	static const char *const color[SITE_VERDICTS] = {
		[SITE_SHORT] = "#5a636e",
		[SITE_SAME] = "#31628f",
		[SITE_BETTER] = "#0b6e4f",
		[SITE_WORSE] = "#b3261e",
		[SITE_DIFFERS] = "#8a5a00",
	};
	struct buf left = { 0 };
	size_t name, value = display_width(text_of(what)) * CHARACTER + 2 * PAD;

	about = shortened(about);
	markup_text(&left, about);
	name = display_width(about) * CHARACTER + 2 * PAD;
	buf_printf(b,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%d\" "
	    "role=\"img\" aria-label=\"%s: %s\"><title>%s: %s</title>"
	    "<path fill=\"#444c56\" d=\"M0 0h%zuv%dH0z\"/><path fill=\"%s\" d=\"M%zu "
	    "0h%zuv%dH%zuz\"/><g fill=\"#fff\" text-anchor=\"middle\" "
	    "font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">"
	    "<text x=\"%zu\" y=\"14\" textLength=\"%zu\">%s</text>"
	    "<text x=\"%zu\" y=\"14\" textLength=\"%zu\">%s</text></g></svg>\n",
	    name + value, HEIGHT, left.ptr, what, left.ptr, what, name, HEIGHT,
	    color[verdict], name, value, HEIGHT, name, name / 2, name - 2 * PAD, left.ptr,
	    name + value / 2, value - 2 * PAD, what);
	buf_free(&left);
}

void site_write_badges(const struct site_model *m, struct site_dir *d)
{
	size_t count[SITE_VERDICTS] = { 0 };
	enum site_verdict verdict = SITE_SAME;
	struct buf b = { 0 }, what = { 0 };

	for (size_t i = 0; i < m->count; i++)
		if (m->series[i].decides)
			count[m->series[i].verdict]++;
	if (count[SITE_WORSE])
		verdict = SITE_WORSE;
	else if (count[SITE_BETTER])
		verdict = SITE_BETTER;
	if (verdict == SITE_SAME)
		buf_str(&what, "no regression");
	else
		buf_printf(
		    &what, "%zu worse, %zu better", count[SITE_WORSE], count[SITE_BETTER]);
	site_put_badge(&b, TEXT("benchmarks"), what.ptr, verdict);
	site_dir_put(d, "badge.svg", &b);
	buf_free(&b);
	buf_free(&what);
}

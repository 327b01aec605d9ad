/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escapes text for XML, HTML, Markdown and AsciiDoc; see markup.h. */
#include <ctype.h>
#include <string.h>

#include "text/display_text.h"
#include "text/display_width.h"
#include "text/markup.h"

void markup_text(struct buf *b, struct text t)
{
	struct buf clean = { 0 };

	display_text_label(&clean, t, true);
	for (size_t i = 0; i < clean.len; i++)
		switch (clean.ptr[i]) {
		case '&':
			buf_str(b, "&amp;");
			break;
		case '<':
			buf_str(b, "&lt;");
			break;
		case '>':
			buf_str(b, "&gt;");
			break;
		case '"':
			buf_str(b, "&quot;");
			break;
		case '\'':
			buf_str(b, "&#39;");
			break;
		default:
			buf_byte(b, clean.ptr[i]);
		}
	buf_free(&clean);
}

void markup_name(struct buf *b, struct text t)
{
	bool isolate = display_has_rtl(t);

	buf_str(b, isolate ? "<bdi>" : "");
	markup_text(b, t);
	buf_str(b, isolate ? "</bdi>" : "");
}

/* Appends a text in which characters that could be markup are character references. before
 * is the character before c, or a space. */
static void put_references(
    struct buf *b, struct text t, bool (*is_plain)(unsigned char c, unsigned char before))
{
	struct buf clean = { 0 };
	unsigned char before = ' ';

	display_text_clean(&clean, t);
	for (size_t i = 0; i < clean.len; i++) {
		unsigned char c = (unsigned char)clean.ptr[i];

		if (c >= 0x80 || isalnum(c) || is_plain(c, before))
			buf_byte(b, (char)c);
		else
			buf_printf(b, "&#%d;", c);
		before = c;
	}
	buf_free(&clean);
}

static bool markdown_plain(unsigned char c, unsigned char before)
{
	(void)before;
	return strchr(" -.,/=+%()", c);
}

void markdown_text(struct buf *b, struct text t)
{
	put_references(b, t, markdown_plain);
}

/* After a letter or digit, no mark can begin a span. A doubled mark can begin one anywhere;
 * doubled hyphens become a dash, and three periods an ellipsis. */
static bool asciidoc_plain(unsigned char c, unsigned char before)
{
	if (strchr(" ,/=%", c))
		return true;
	return strchr("-.", c) ? before != c : strchr("_*+", c) && isalnum(before);
}

void asciidoc_text(struct buf *b, struct text t)
{
	put_references(b, t, asciidoc_plain);
}

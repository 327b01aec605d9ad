/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>

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

static const char harmless[] = " -.,/=+%()";

void markdown_text(struct buf *b, struct text t)
{
	struct buf clean = { 0 };

	display_text_clean(&clean, t);
	for (size_t i = 0; i < clean.len; i++) {
		unsigned char c = (unsigned char)clean.ptr[i];

		if (c >= 0x80 || isalnum(c) || memchr(harmless, c, sizeof(harmless) - 1))
			buf_byte(b, (char)c);
		else
			buf_printf(b, "&#%d;", c);
	}
	buf_free(&clean);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See brief_text.h.
 */
#include <stdlib.h>

#include "brief/brief_text.h"
#include "text/display_text.h"
#include "text/display_width.h"

char *brief_fit(const char *text, size_t width, bool utf8)
{
	char *copy = str_copy(text);

	if (display_width(text_of(text)) > width)
		display_text_fit(&copy, 1, width < 8 ? 8 : width, utf8);
	return copy;
}

/* Returns the bytes of the next line of a text: up to the last blank that fits. */
static size_t line_of(struct text t, size_t columns)
{
	size_t fits = display_prefix(t, columns), end = fits;

	if (fits == t.len)
		return fits;
	while (end && t.ptr[end] != ' ')
		end--;
	return end ? end : fits ? fits : display_char(t).bytes;
}

void brief_wrap(struct buf *b, const char *text, size_t width, size_t indent)
{
	struct text rest = text_of(text);
	size_t margin = 0;

	do {
		size_t len = line_of(rest, width > margin ? width - margin : 1);

		buf_printf(b, "%*s%.*s\n", (int)margin, "", (int)len, rest.ptr);
		rest.ptr += len;
		rest.len -= len;
		while (rest.len && *rest.ptr == ' ') {
			rest.ptr++;
			rest.len--;
		}
		margin = indent;
	} while (rest.len);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text that programs print for people; see console_text.h.
 */
#include "console/console_text.h"

/* Returns the length of a sequence at the begin of a string that sets a color, or 0. */
static size_t color_length(struct text t)
{
	size_t len = 2;

	if (!text_begins(t, "\x1b["))
		return 0;
	while (len < t.len && memchr("0123456789;", t.ptr[len], 11))
		len++;
	return len < t.len && t.ptr[len] == 'm' ? len + 1 : 0;
}

struct text console_plain(struct arena *texts, struct text line)
{
	struct buf plain = { 0 };

	if (!line.len ||
	    (!memchr(line.ptr, '\r', line.len) && !memchr(line.ptr, '\x1b', line.len)))
		return line;
	while (line.len) {
		size_t len = color_length(line);

		if (len) {
			line = text_after(line, len);
			continue;
		}
		if (line.ptr[0] == '\r')
			plain.len = 0;
		else
			buf_byte(&plain, line.ptr[0]);
		line = text_after(line, 1);
	}
	line = text_of(arena_text(texts, text_in(&plain)));
	buf_free(&plain);
	return line;
}

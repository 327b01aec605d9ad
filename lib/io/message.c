/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages; see message.h. Each line is written at once, so that lines of several
 * programs do not mix.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/message.h"
#include "text/display_text.h"

static void write_message(const char *fmt, va_list ap)
{
	struct buf text = { 0 }, line = { 0 };

	buf_printf(&text, "%s: ", program_invocation_short_name);
	buf_vprintf(&text, fmt, ap);
	display_text_clean(&line, text_in(&text));
	buf_byte(&line, '\n');
	fwrite(line.ptr, 1, line.len, stderr);
	buf_free(&text);
	buf_free(&line);
}

void message_lines(struct text lines)
{
	fwrite(lines.ptr, 1, lines.len, stderr);
}

void message_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_message(fmt, ap);
	va_end(ap);
}

void message_warn_lines(struct text lines)
{
	while (lines.len) {
		const char *end = memchr(lines.ptr, '\n', lines.len);
		size_t len = end ? (size_t)(end - lines.ptr) : lines.len,
		       used = len + !!end;

		message_warn("%.*s", (int)len, lines.ptr);
		lines.ptr += used;
		lines.len -= used;
	}
}

void message_warn_buf(struct buf *lines)
{
	message_warn_lines(text_in(lines));
	buf_free(lines);
}

void message_fail(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	write_message(fmt, ap);
	va_end(ap);
	exit(status);
}

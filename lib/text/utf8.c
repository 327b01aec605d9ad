/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encodes characters as UTF-8, and measures them; see utf8.h. */
#include <string.h>

#include "text/utf8.h"

size_t utf8_length(const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t bytes = p[0] < 0x80   ? 1
	               : p[0] < 0xc2 ? 0
	               : p[0] < 0xe0 ? 2
	               : p[0] < 0xf0 ? 3
	                             : 4;

	if (bytes > len || p[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < bytes; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return bytes;
}

size_t utf8_encode(char out[4], unsigned character)
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t bytes = character < 0x80      ? 1
	               : character < 0x800   ? 2
	               : character < 0x10000 ? 3
	                                     : 4;

	for (size_t i = bytes; --i > 0; character >>= 6)
		out[i] = (char)(0x80 | (character & 0x3f));
	out[0] = (char)(lead[bytes] | character);
	return bytes;
}

struct text utf8_skip_mark(struct text t)
{
	const size_t len = sizeof(UTF8_MARK) - 1;

	return t.len < len || memcmp(t.ptr, UTF8_MARK, len) != 0
	           ? t
	           : text_after(t, len);
}

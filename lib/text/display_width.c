/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of text; see display_width.h. The properties of characters come from utf8proc,
 * which contains a copy of the Unicode data, so the result does not depend on the locale.
 */
#include <stdio.h>

#include <utf8proc.h>

#include "text/display_width.h"

enum { BYTE_ESCAPE = 4, LETTER_ESCAPE = 2 }; /* columns of "\x1b" and of "\n" */

/*
 * Line separators, U+200E and U+200F, and characters that change the direction of
 * writing: a name with one of them can look like another name. U+FFFE and U+FFFF are not
 * characters.
 */
static bool may_mislead(utf8proc_int32_t code)
{
	return code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069) || code == 0xfffe || code == 0xffff;
}

/*
 * Returns the columns of a character. Terminals differ from utf8proc in two cases: a
 * vowel or final of conjoining Hangul is drawn into the columns of its initial, and a
 * spacing mark is drawn into a column after its base.
 */
static size_t columns_of(const utf8proc_property_t *property)
{
	if (property->boundclass == UTF8PROC_BOUNDCLASS_V ||
	    property->boundclass == UTF8PROC_BOUNDCLASS_T)
		return 0;
	if (property->category == UTF8PROC_CATEGORY_MC)
		return 1;
	return property->charwidth;
}

static struct display_char escaped_byte(char c)
{
	return (struct display_char){
		.bytes = 1,
		.columns = c == '\n' || c == '\t' ? LETTER_ESCAPE : BYTE_ESCAPE,
		.escaped = true,
	};
}

static bool is_ascii(char c)
{
	return c >= ' ' && c <= '~';
}

struct display_char display_char(struct text t)
{
	const utf8proc_property_t *property;
	utf8proc_ssize_t bytes;
	utf8proc_int32_t code;

	if (is_ascii(*t.ptr))
		return (struct display_char){ .bytes = 1, .columns = 1 };
	bytes = utf8proc_iterate((const utf8proc_uint8_t *)t.ptr,
	    t.len < 4 ? (utf8proc_ssize_t)t.len : 4, &code);
	if (bytes <= 0 || may_mislead(code))
		return escaped_byte(*t.ptr);
	property = utf8proc_get_property(code);
	if (property->category == UTF8PROC_CATEGORY_CC)
		return escaped_byte(*t.ptr);
	return (
	    struct display_char){ .bytes = (size_t)bytes, .columns = columns_of(property) };
}

unsigned display_glyph(struct text t)
{
	const utf8proc_property_t *property;
	utf8proc_int32_t code;

	if (is_ascii(*t.ptr))
		return *t.ptr == ' ' ? 0 : (unsigned)*t.ptr;
	if (utf8proc_iterate((const utf8proc_uint8_t *)t.ptr,
	        t.len < 4 ? (utf8proc_ssize_t)t.len : 4, &code) <= 0)
		return 0;
	property = utf8proc_get_property(code);
	if (property->ignorable || property->category == UTF8PROC_CATEGORY_ZS)
		return 0;
	return (unsigned)code;
}

size_t display_ascii(struct text t)
{
	size_t bytes = 0;

	while (bytes < t.len && is_ascii(t.ptr[bytes]))
		bytes++;
	return bytes;
}

size_t display_width(struct text t)
{
	size_t ascii = display_ascii(t), width = ascii;

	t = text_after(t, ascii);
	for (struct display_char c; t.len; t = text_after(t, c.bytes)) {
		c = display_char(t);
		width += c.columns;
	}
	return width;
}

bool display_has_rtl(struct text t)
{
	for (t = text_after(t, display_ascii(t)); t.len;) {
		utf8proc_int32_t code;
		utf8proc_ssize_t bytes = utf8proc_iterate((const utf8proc_uint8_t *)t.ptr,
		    t.len < 4 ? (utf8proc_ssize_t)t.len : 4, &code);

		utf8proc_propval_t direction =
		    bytes > 0 ? utf8proc_get_property(code)->bidi_class : 0;

		if (direction == UTF8PROC_BIDI_CLASS_R ||
		    direction == UTF8PROC_BIDI_CLASS_AL)
			return true;
		t = text_after(t, bytes > 0 ? (size_t)bytes : 1);
	}
	return false;
}

size_t display_prefix(struct text t, size_t columns)
{
	size_t bytes = 0;

	while (bytes < t.len) {
		struct display_char c = display_char(text_after(t, bytes));

		if (c.columns > columns)
			break;
		columns -= c.columns;
		bytes += c.bytes;
	}
	return bytes;
}

size_t display_suffix(struct text t, size_t columns)
{
	size_t width = display_width(t);
	bool left_out = false;

	for (; t.len; left_out = true) {
		struct display_char c = display_char(t);

		/* A mark belongs to the character before it. */
		if (width <= columns && (!left_out || c.columns > 0))
			break;
		width -= c.columns;
		t = text_after(t, c.bytes);
	}
	return t.len;
}

void display_put(struct buf *b, struct text clean, size_t columns)
{
	size_t bytes = display_prefix(clean, columns);

	buf_put(b, clean.ptr, bytes);
	buf_printf(b, "%*s",
	    (int)(columns - display_width((struct text){ clean.ptr, bytes })), "");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Org; see org_markup.h. Emacs and pandoc read the same text here. They disagree about the
 * entities of other characters, and about zero-width spaces next to markers.
 */
#include <ctype.h>
#include <string.h>

#include "text/display_text.h"
#include "text/org_markup.h"

/* A snippet for an exporter that does not exist. It leaves no text, but separates markup.
 */
static const char nothing[] = "@@x:@@";

/* Returns whether a slash is that of a unit after a number, such as "3 /s". */
static bool is_rate(struct text t, size_t i)
{
	return t.ptr[i] == '/' && i > 1 && t.ptr[i - 1] == ' ' &&
	       isdigit((unsigned char)t.ptr[i - 2]) &&
	       !memchr(t.ptr + i + 1, '/', t.len - i - 1);
}

/*
 * Returns whether a character is no markup. After a letter or digit, no marker can begin
 * emphasis. A doubled hyphen becomes a dash, and three periods an ellipsis.
 */
static bool is_plain(struct text t, size_t i)
{
	const unsigned char c = (unsigned char)t.ptr[i];
	const unsigned char before = i ? (unsigned char)t.ptr[i - 1] : ' ';

	if (c >= 0x80 || isalnum(c) || strchr(" ,%()", c))
		return true;
	if (c == '-' || c == '.')
		return before != c;
	return strchr("/=+*~", c) && (isalnum(before) || is_rate(t, i));
}

static bool all_plain(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (!is_plain(t, i))
			return false;
	return true;
}

static bool text_has(struct text t, char c)
{
	return memchr(t.ptr, c, t.len);
}

/* Appends a text as it is or between markers; returns false if neither is possible. */
static bool put_whole(struct buf *b, struct text t)
{
	const char marker = text_has(t, '=') ? '~' : '=';
	const bool plain = all_plain(t);

	if (!plain && (text_has(t, '|') || text_has(t, marker)))
		return false;
	if (!plain)
		buf_byte(b, marker);
	buf_text(b, t);
	if (!plain)
		buf_byte(b, marker);
	return true;
}

/* Appends a word with entities and with its markup separated from everything else. */
static void put_separated(struct buf *b, struct text word)
{
	bool separate = true; /* from the character before */

	for (size_t i = 0; i < word.len; i++) {
		const char c = word.ptr[i];
		const bool plain = is_plain(word, i), entity = c == '|' || c == '$';

		if (entity)
			buf_str(b, c == '|' ? "\\vert{}" : "\\dollar{}");
		else if (plain)
			buf_byte(b, c);
		else
			buf_printf(b, "%s%c%s", separate ? nothing : "", c, nothing);
		separate = plain || entity;
	}
}

void org_text(struct buf *b, struct text t)
{
	struct buf clean = { 0 };
	size_t end;

	display_text_clean(&clean, t);
	struct text rest = { clean.ptr, clean.len };
	while (rest.len && rest.ptr[0] == ' ')
		rest = text_after(rest, 1);
	while (rest.len && rest.ptr[rest.len - 1] == ' ')
		rest.len--;
	if (rest.len && !put_whole(b, rest))
		for (; rest.len; rest = text_after(rest, end)) {
			const char *space = memchr(rest.ptr, ' ', rest.len);

			end = space ? (size_t)(space - rest.ptr) : rest.len;
			if (end && !put_whole(b, (struct text){ rest.ptr, end }))
				put_separated(b, (struct text){ rest.ptr, end });
			for (; end < rest.len && rest.ptr[end] == ' '; end++)
				buf_byte(b, ' ');
		}
	buf_free(&clean);
}

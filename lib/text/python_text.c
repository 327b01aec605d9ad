/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values as Python writes them; see python_text.h.
 */
#include <string.h>

#include "text/python_text.h"
#include "text/units.h"

/* Returns whether a string is in quotes, and has none of these unescaped in between. */
static bool is_quoted(struct text t)
{
	if (t.len < 2 || (t.ptr[0] != '\'' && t.ptr[0] != '"'))
		return false;
	for (size_t i = 1; i < t.len; i++) {
		if (t.ptr[i] == t.ptr[0])
			return i + 1 == t.len;
		i += t.ptr[i] == '\\';
	}
	return false;
}

struct text python_plain(struct arena *texts, struct text repr)
{
	static const char escaped[] = "\\'\"nrt", meant[] = "\\'\"\n\r\t";
	struct buf plain = { 0 };
	struct text result = repr;

	if (!is_quoted(repr))
		return repr;
	for (size_t i = 1; i + 1 < repr.len; i++) {
		const char *at;

		if (repr.ptr[i] != '\\') {
			buf_byte(&plain, repr.ptr[i]);
			continue;
		}
		at = memchr(escaped, repr.ptr[++i], strlen(escaped));
		if (!at) {
			buf_free(&plain);
			return repr;
		}
		buf_byte(&plain, meant[at - escaped]);
	}
	if (plain.len)
		result = text_of(arena_text(texts, text_in(&plain)));
	buf_free(&plain);
	return result;
}

/* Returns whether Python writes a value like this without quotes. It writes numbers without
 * needless zeros, and no plus sign before them. */
static bool is_unquoted(struct text t)
{
	static const char *const names[] = { "None", "True", "False", "nan", "inf",
		"-inf" };
	static const char open[] = "([{<", close[] = ")]}>";
	size_t sign = t.len && t.ptr[0] == '-';
	const char *at;
	double x;

	for (size_t i = 0; i < COUNT(names); i++)
		if (text_is(t, names[i]))
			return true;
	at = t.len > 1 ? memchr(open, t.ptr[0], strlen(open)) : NULL;
	if (at)
		return t.ptr[t.len - 1] == close[at - open];
	if (!number_parse(t, &x) || t.ptr[sign] < '0' || t.ptr[sign] > '9')
		return false;
	return t.len < sign + 2 || t.ptr[sign] != '0' || t.ptr[sign + 1] < '0' ||
	       t.ptr[sign + 1] > '9';
}

/* Returns whether a value in quotes has them because python_plain() or the reader of asv
 * kept them. */
static bool keeps_quotes(struct text value, const struct intern *others)
{
	struct arena texts = { 0 };
	struct text plain = python_plain(&texts, value);
	bool result = is_quoted(value) &&
	              (plain.ptr == value.ptr ||
	                  (is_unquoted(plain) && intern_find(others, plain) >= 0));

	arena_free(&texts);
	return result;
}

void python_put_repr(struct buf *out, struct text value, const struct intern *others)
{
	static const char bytes[] = "\\\n\r\t", *const escapes[] = { "\\\\", "\\n", "\\r",
		"\\t" };
	char quote = '\'';

	if (!value.len || is_unquoted(value) || keeps_quotes(value, others)) {
		buf_text(out, value);
		return;
	}
	if (memchr(value.ptr, '\'', value.len) && !memchr(value.ptr, '"', value.len))
		quote = '"';
	buf_byte(out, quote);
	for (size_t i = 0; i < value.len; i++) {
		char c = value.ptr[i];
		const char *at = memchr(bytes, c, strlen(bytes));

		if (at)
			buf_str(out, escapes[at - bytes]);
		else if (c == quote)
			buf_printf(out, "\\%c", c);
		else if ((unsigned char)c < 0x20 || c == 0x7f)
			buf_printf(out, "\\x%02x", (unsigned char)c);
		else
			buf_byte(out, c);
	}
	buf_byte(out, quote);
}

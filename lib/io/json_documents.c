/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Separates JSON documents by their brackets; see json_documents.h.
 */
#include "io/json_documents.h"

static struct text skip_space(struct text t)
{
	for (; t.len && memchr(" \t\r\n", *t.ptr, 4); t.len--)
		t.ptr++;
	return t;
}

static bool is_open(char c)
{
	return c == '{' || c == '[';
}

/* Returns the length of the array or object that a text begins with, or of the whole text
 * if its end is missing. */
static size_t document_length(struct text t)
{
	size_t depth = 0;
	bool quoted = false;

	for (size_t i = 0; i < t.len; i++) {
		char c = t.ptr[i];

		if (c == '"')
			quoted = !quoted;
		else if (quoted)
			i += c == '\\';
		else if (is_open(c))
			depth++;
		else if ((c == '}' || c == ']') && --depth == 0)
			return i + 1;
	}
	return t.len;
}

bool json_documents_several(struct text t)
{
	struct text first;

	return json_documents_next(&t, &first) && t.len && is_open(*t.ptr);
}

bool json_documents_next(struct text *rest, struct text *document)
{
	struct text t = skip_space(*rest);

	if (!t.len || !is_open(*t.ptr))
		return false;
	*document = (struct text){ t.ptr, document_length(t) };
	*rest = skip_space(text_after(t, document->len));
	return true;
}

/* Removes a string, whose quote was removed, from a text. Returns it. */
static struct text take_string(struct text *t)
{
	const char *from = t->ptr;
	size_t len = 0;

	while (len < t->len && from[len] != '"')
		len += from[len] == '\\' ? 2 : 1;
	len = len < t->len ? len : t->len;
	*t = (struct text){ from + len, t->len - len };
	if (t->len)
		*t = text_after(*t, 1);
	return (struct text){ from, len };
}

static bool may_be(struct text name, const char *const *names, size_t count)
{
	if (name.len && memchr(name.ptr, '\\', name.len))
		return true;
	for (size_t i = 0; i < count; i++)
		if (text_is(name, names[i]))
			return true;
	return false;
}

bool json_documents_may_have(struct text t, const char *const *names, size_t count)
{
	size_t depth = 0;

	t = skip_space(t);
	if (t.len && *t.ptr == '[')
		t = skip_space(text_after(t, 1));
	if (!t.len || *t.ptr != '{')
		return true;
	while (t.len) {
		const char c = *t.ptr;

		t = text_after(t, 1);
		if (c == '"') {
			struct text name = take_string(&t), after = skip_space(t);

			if (depth == 1 && after.len && *after.ptr == ':' &&
			    may_be(name, names, count))
				return true;
		} else if (is_open(c)) {
			depth++;
		} else if ((c == '}' || c == ']') && --depth == 0) {
			break;
		}
	}
	return false;
}

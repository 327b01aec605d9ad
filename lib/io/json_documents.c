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
	*rest = skip_space((struct text){ t.ptr + document->len, t.len - document->len });
	return true;
}

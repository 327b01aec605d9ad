/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The messages of jansson; see json_reject.h.
 */
#include <stdlib.h>

#include <jansson.h>

#include "io/json_reject.h"

/* Returns the length of the NaN or Infinity at the start of a text; 0: there is none. */
static size_t nan_length(struct text t)
{
	static const struct text words[] = { TEXT("NaN"), TEXT("Infinity") };

	for (size_t i = 0; i < COUNT(words); i++)
		if (t.len >= words[i].len && memcmp(t.ptr, words[i].ptr, words[i].len) == 0)
			return words[i].len;
	return 0;
}

/*
 * Replaces each NaN and Infinity outside of strings by null. Copies the text only if it has
 * one, and otherwise returns false.
 */
static bool without_nan(struct text t, struct buf *out)
{
	bool quoted = false;
	size_t copied = 0, word;

	if (!memmem(t.ptr, t.len, "NaN", 3) && !memmem(t.ptr, t.len, "Infinity", 8))
		return false;
	for (size_t i = 0; i < t.len; i++) {
		if (t.ptr[i] == '"')
			quoted = !quoted;
		else if (quoted)
			i += t.ptr[i] == '\\';
		else if ((word = nan_length(text_after(t, i)))) {
			buf_put(out, t.ptr + copied, i - copied);
			if (out->len && out->ptr[out->len - 1] == '-')
				out->len--;
			buf_str(out, "null");
			copied = i + word;
			i = copied - 1;
		}
	}
	buf_put(out, t.ptr + copied, t.len - copied);
	return true;
}

/* Allocates for jansson, whose own errors look like those of a document. */
static void *doc_memory(size_t size)
{
	return mem_resize(NULL, size, 1);
}

/* If int64_t cannot hold an integer, all numbers of the document become doubles. */
static json_t *load_doc(struct text t, json_error_t *error)
{
	const char *bytes = t.len ? t.ptr : "";
	json_t *v;

	json_set_alloc_funcs(doc_memory, free);
	v = json_loadb(bytes, t.len, JSON_REJECT_DUPLICATES, error);
	if (!v && json_error_code(error) == json_error_numeric_overflow)
		v = json_loadb(
		    bytes, t.len, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, error);
	return v;
}

int json_reject(struct text t, const char *name, struct fault *f)
{
	struct buf plain = { 0 };
	json_error_t error;
	json_t *v;

	if (t.len && without_nan(t, &plain))
		t = text_in(&plain);
	v = load_doc(t, &error);
	buf_free(&plain);
	if (v) {
		json_decref(v);
		return fault_set(f, "%s: not valid JSON", name);
	}
	for (char *p = error.text; *p; p++)
		if ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f)
			*p = '?';
	return fault_set(f, "%s:%d: not valid JSON: %s", name, error.line, error.text);
}

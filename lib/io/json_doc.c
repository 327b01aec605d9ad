/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON through jansson; see json_doc.h.
 */
#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "io/json_doc.h"
#include "text/units.h"
#include "text/utf8.h"

/* The number that represents NaN: the negative number nearest to 0, which no measurement
 * has. */
#define NAN_TEXT "-4.9406564584124654e-324"
#define NAN_NUMBER (-0x1p-1074)

/*
 * Replaces each NaN outside of strings by NAN_TEXT, and each Infinity by null. Copies the
 * text only if it has one, and otherwise returns false.
 */
static bool without_nan(struct text t, struct buf *out)
{
	static const char *const words[] = { "NaN", "Infinity" }, *const instead[] = {
		NAN_TEXT, "null"
	};
	bool quoted = false;
	size_t from = 0;

	if (!memmem(t.ptr, t.len, words[0], 3) && !memmem(t.ptr, t.len, words[1], 8))
		return false;
	for (size_t i = 0; i < t.len; i++) {
		if (t.ptr[i] == '"')
			quoted = !quoted;
		else if (quoted)
			i += t.ptr[i] == '\\';
		else if (t.ptr[i] == 'N' || t.ptr[i] == 'I')
			for (size_t w = 0; w < COUNT(words); w++) {
				size_t len = strlen(words[w]);

				if (t.len - i < len ||
				    memcmp(t.ptr + i, words[w], len) != 0)
					continue;
				buf_put(out, t.ptr + from, i - from);
				if (out->len && out->ptr[out->len - 1] == '-')
					out->len--;
				buf_str(out, instead[w]);
				i += len - 1;
				from = i + 1;
				break;
			}
	}
	buf_put(out, t.ptr + from, t.len - from);
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

struct json_t *doc_read(struct text t, const char *name, struct fault *f)
{
	struct buf plain = { 0 };
	json_error_t error;
	json_t *v;

	if (t.len && without_nan(t, &plain))
		t = (struct text){ plain.ptr, plain.len };
	v = load_doc(t, &error);
	buf_free(&plain);
	if (v)
		return v;
	for (char *p = error.text; *p; p++)
		if ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f)
			*p = '?';
	fault_set(f, "%s:%d: not valid JSON: %s", name, error.line, error.text);
	return NULL;
}

void doc_free(struct json_t *document)
{
	json_decref(document);
}

bool doc_is_array(const struct json_t *v)
{
	return json_is_array(v);
}

bool doc_is_null(const struct json_t *v)
{
	return !v || json_is_null(v) || doc_is_nan(v);
}

bool doc_is_nan(const struct json_t *v)
{
	return json_is_real(v) && json_real_value(v) == NAN_NUMBER;
}

bool doc_is_truth(const struct json_t *v)
{
	return json_is_boolean(v);
}

bool doc_true(const struct json_t *v)
{
	return json_is_true(v);
}

const struct json_t *doc_member(const struct json_t *v, const char *name)
{
	return json_object_get(v, name);
}

size_t doc_length(const struct json_t *v)
{
	return json_array_size(v);
}

const struct json_t *doc_item(const struct json_t *array, size_t i)
{
	return json_array_get(array, i);
}

bool doc_text(const struct json_t *v, struct text *out)
{
	if (!json_is_string(v))
		return false;
	*out = (struct text){ json_string_value(v), json_string_length(v) };
	return true;
}

bool doc_number(const struct json_t *v, double *out)
{
	if (!json_is_number(v) || doc_is_nan(v))
		return false;
	*out = json_number_value(v);
	return true;
}

/* jansson has no iterators for const values; nothing is changed. */
int doc_each(const struct json_t *object, doc_each_fn *each, void *ctx, struct fault *f)
{
	json_t *v = (json_t *)(uintptr_t)object;

	for (void *at = json_object_iter(v); at; at = json_object_iter_next(v, at))
		if (each(ctx, text_of(json_object_iter_key(at)), json_object_iter_value(at),
		        f) < 0)
			return -1;
	return 0;
}

/* Appends a character of ASCII that JSON must escape. */
static void put_escape(struct buf *b, unsigned char c)
{
	static const char from[] = "\b\f\n\r\t", to[] = "bfnrt";
	const char *at = c ? strchr(from, c) : NULL;

	if (c == '"' || c == '\\')
		buf_printf(b, "\\%c", c);
	else if (at)
		buf_printf(b, "\\%c", to[at - from]);
	else
		buf_printf(b, "\\u%04X", c);
}

void doc_put_text(struct buf *b, struct text t)
{
	const unsigned char *p = (const unsigned char *)t.ptr;
	size_t kept = 0, bytes;

	buf_byte(b, '"');
	for (size_t i = 0; i < t.len; i += bytes) {
		bool plain = p[i] >= 0x20 && p[i] != '"' && p[i] != '\\';

		bytes = p[i] < 0x80 ? 1 : utf8_length(t.ptr + i, t.len - i);
		if (plain && bytes)
			continue;
		buf_put(b, p + kept, i - kept);
		if (!bytes || !p[i])
			buf_printf(b, "\\\\x%02x", p[i]);
		else
			put_escape(b, p[i]);
		bytes = bytes ? bytes : 1;
		kept = i + bytes;
	}
	buf_put(b, p + kept, t.len - kept);
	buf_byte(b, '"');
}

void doc_put_number(struct buf *b, double x)
{
	char text[NUMBER_TEXT_MAX];

	if (x == 0 && signbit(x))
		buf_str(b, "-0.0");
	else if (isfinite(x))
		buf_put(b, text, number_print(text, x));
	else
		buf_str(b, "null");
}

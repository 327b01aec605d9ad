/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON through jansson; see json_doc.h.
 */
#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "io/json_doc.h"
#include "text/display_text.h"
#include "text/units.h"

/*
 * The text with each NaN and Infinity outside of strings replaced by null. Nothing is
 * copied when there is none.
 */
static bool without_nan(struct text t, struct buf *out)
{
	static const char *const words[] = { "NaN", "Infinity" };
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
				buf_str(out, "null");
				i += len - 1;
				from = i + 1;
				break;
			}
	}
	buf_put(out, t.ptr + from, t.len - from);
	return true;
}

struct json_t *doc_read(struct text t, const char *name, struct fault *f)
{
	struct buf plain = { 0 };
	json_error_t error;
	json_t *v;

	if (t.len && without_nan(t, &plain))
		t = (struct text){ plain.ptr, plain.len };
	v = json_loadb(t.len ? t.ptr : "", t.len,
	    JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
	buf_free(&plain);
	if (v)
		return v;
	for (char *p = error.text; *p; p++)
		if ((unsigned char)*p < 0x20 || (unsigned char)*p >= 0x7f)
			*p = '?';
	fault_set(f, "%s:%d: no JSON: %s", name, error.line, error.text);
	return NULL;
}

void doc_free(struct json_t *document)
{
	json_decref(document);
}

bool doc_is_object(const struct json_t *v)
{
	return json_is_object(v);
}

bool doc_is_array(const struct json_t *v)
{
	return json_is_array(v);
}

bool doc_is_null(const struct json_t *v)
{
	return !v || json_is_null(v);
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
	if (!json_is_number(v))
		return false;
	*out = json_number_value(v);
	return true;
}

/* jansson's iterators take what may be changed; nothing is. */
int doc_each(const struct json_t *object, doc_each_fn *each, void *ctx, struct fault *f)
{
	json_t *v = (json_t *)(uintptr_t)object;

	for (void *at = json_object_iter(v); at; at = json_object_iter_next(v, at))
		if (each(ctx, text_of(json_object_iter_key(at)), json_object_iter_value(at),
		        f) < 0)
			return -1;
	return 0;
}

static int put_bytes(const char *bytes, size_t len, void *out)
{
	buf_put(out, bytes, len);
	return 0;
}

void doc_put_text(struct buf *b, struct text t)
{
	json_t *v = json_stringn(t.len ? t.ptr : "", t.len);

	if (!v) {
		struct buf clean = { 0 };

		display_text_clean(&clean, t);
		v = json_stringn(clean.ptr, clean.len);
		buf_free(&clean);
	}
	json_dump_callback(v, put_bytes, b, JSON_ENCODE_ANY);
	json_decref(v);
}

void doc_put_number(struct buf *b, double x)
{
	char text[NUMBER_TEXT_MAX];

	if (isfinite(x))
		buf_put(b, text, number_print(text, x));
	else
		buf_str(b, "null");
}

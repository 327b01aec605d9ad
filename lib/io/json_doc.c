/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON documents; see json_doc.h.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "io/json_node_priv.h"
#include "io/json_reject.h"
#include "text/units.h"
#include "text/utf8.h"

struct json_t *doc_read(struct text t, const char *name, struct fault *f)
{
	struct json_t *v = json_parse(t.len ? t : TEXT(""));

	if (!v)
		json_reject(t, name, f);
	return v;
}

static bool is_kind(const struct json_t *v, enum json_kind kind)
{
	return v && v->kind == kind;
}

bool doc_is_array(const struct json_t *v)
{
	return is_kind(v, JSON_NODE_ARRAY);
}

bool doc_is_null(const struct json_t *v)
{
	return !v || v->kind == JSON_NODE_NULL || doc_is_nan(v);
}

bool doc_is_nan(const struct json_t *v)
{
	return is_kind(v, JSON_NODE_NAN);
}

bool doc_is_truth(const struct json_t *v)
{
	return is_kind(v, JSON_NODE_FALSE) || doc_true(v);
}

bool doc_true(const struct json_t *v)
{
	return is_kind(v, JSON_NODE_TRUE);
}

/* Returns the value of a member of an object with an index, or NULL. */
static const struct json_t *find_member(
    const struct json_t *object, const struct json_t *name)
{
	size_t low = 0, high = object->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct json_t *at = &object[object[1].index[middle]];
		const int order = json_node_compare(name, at);

		if (order == 0)
			return at + 1;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

const struct json_t *doc_member(const struct json_t *v, const char *name)
{
	const struct json_t wanted = { .text = name, .count = (uint32_t)strlen(name) };
	const struct json_t *at;

	if (!is_kind(v, JSON_NODE_OBJECT))
		return NULL;
	if (v[1].index)
		return find_member(v, &wanted);
	at = v + 2;
	for (size_t i = 0; i < v->count; i++) {
		if (at->count == wanted.count && memcmp(at->text, name, at->count) == 0)
			return at + 1;
		at += 1 + json_node_extent(at + 1);
	}
	return NULL;
}

size_t doc_length(const struct json_t *v)
{
	return doc_is_array(v) ? v->count : 0;
}

const struct json_t *doc_item(const struct json_t *array, size_t i)
{
	const struct json_t *at;

	if (i >= doc_length(array))
		return NULL;
	if (array[1].index)
		return array + array[1].index[i];
	at = array + 2;
	if (array[1].count == array->count + 2)
		return at + i;
	while (i--)
		at += json_node_extent(at);
	return at;
}

bool doc_text(const struct json_t *v, struct text *out)
{
	if (!is_kind(v, JSON_NODE_TEXT))
		return false;
	*out = (struct text){ v->text, v->count };
	return true;
}

bool doc_number(const struct json_t *v, double *out)
{
	if (!is_kind(v, JSON_NODE_NUMBER))
		return false;
	*out = v->number;
	return true;
}

int doc_each(const struct json_t *object, doc_each_fn *each, void *ctx, struct fault *f)
{
	const struct json_t *at;

	if (!is_kind(object, JSON_NODE_OBJECT))
		return 0;
	at = object + 2;
	for (size_t i = 0; i < object->count; i++) {
		if (each(ctx, (struct text){ at->text, at->count }, at + 1, f) < 0)
			return -1;
		at += 1 + json_node_extent(at + 1);
	}
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

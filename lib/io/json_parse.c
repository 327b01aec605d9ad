/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses JSON (RFC 8259) into the nodes of json_node_priv.h. The values of jansson need 40
 * bytes for a number and more than 100 for a member of an object, and a file of benchmarks
 * has many of both. Strings that are repeated, such as the names of members, share their
 * memory if they are short. json_reject.c says why a text is refused.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "io/json_node_priv.h"
#include "text/units.h"
#include "text/utf8.h"

enum { DEPTH_MAX = 2048, SHARED_BYTES = 32, SHARED = 256 };

struct json_parser {
	const char *at, *end;
	struct json_t *node;
	size_t count, cap;
	struct arena *memory;
	struct text shared[SHARED]; /* by hash */
	struct buf unescaped;
	unsigned depth;
};

static void skip_space(struct json_parser *p)
{
	while (p->at < p->end &&
	       (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r'))
		p->at++;
}

/* Skips a byte if it is the next one. */
static bool take_byte(struct json_parser *p, char byte)
{
	if (p->at == p->end || *p->at != byte)
		return false;
	p->at++;
	return true;
}

static bool take_word(struct json_parser *p, struct text word)
{
	if ((size_t)(p->end - p->at) < word.len || memcmp(p->at, word.ptr, word.len) != 0)
		return false;
	p->at += word.len;
	return true;
}

static struct json_t *add_node(struct json_parser *p, enum json_kind kind)
{
	struct json_t *node = VEC_ADD(p->node, p->count, p->cap);

	*node = (struct json_t){ .kind = kind };
	return node;
}

/* Returns a copy of a string, or the copy of an equal one. */
static const char *keep_text(struct json_parser *p, struct text t)
{
	struct text *shared;

	if (t.len > SHARED_BYTES)
		return arena_text(p->memory, t);
	shared = &p->shared[text_hash(t, 0) % SHARED];
	if (!shared->ptr || !text_equal(*shared, t))
		*shared = (struct text){ arena_text(p->memory, t), t.len };
	return shared->ptr;
}

/* Parses the four digits of \uXXXX. */
static bool take_unit(struct json_parser *p, unsigned *unit)
{
	uint64_t bits;

	if (p->end - p->at < 4 || !hex_parse((struct text){ p->at, 4 }, &bits))
		return false;
	p->at += 4;
	*unit = (unsigned)bits;
	return true;
}

/* Parses a character after \u, which may be two surrogates. */
static bool take_character(struct json_parser *p, struct buf *out)
{
	unsigned c, low;
	char bytes[4];

	if (!take_unit(p, &c) || !c || (c >= 0xdc00 && c < 0xe000))
		return false;
	if (c >= 0xd800 && c < 0xdc00) {
		if (!take_word(p, TEXT("\\u")) || !take_unit(p, &low) || low < 0xdc00 ||
		    low >= 0xe000)
			return false;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	buf_put(out, bytes, utf8_encode(bytes, c));
	return true;
}

static bool take_escape(struct json_parser *p, struct buf *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *found;

	if (p->at == p->end)
		return false;
	if (*p->at == 'u') {
		p->at++;
		return take_character(p, out);
	}
	found = memchr(from, *p->at++, sizeof(from) - 1);
	if (found)
		buf_byte(out, to[found - from]);
	return found;
}

/* Skips bytes of a string up to a quote or a backslash. Returns whether there is one, and
 * the bytes are UTF-8 without control characters. */
static bool skip_plain(struct json_parser *p)
{
	while (p->at < p->end && *p->at != '"' && *p->at != '\\') {
		const unsigned char c = (unsigned char)*p->at;
		const size_t bytes = c < 0x20 ? 0
		                     : c < 0x80
		                         ? 1
		                         : utf8_length(p->at, (size_t)(p->end - p->at));

		if (!bytes)
			return false;
		p->at += bytes;
	}
	return p->at < p->end;
}

/* Parses the rest of a string after its first quote. */
static bool parse_text(struct json_parser *p)
{
	const char *from = p->at;
	struct json_t *node;
	struct text t;

	p->unescaped.len = 0;
	while (skip_plain(p) && *p->at == '\\') {
		buf_put(&p->unescaped, from, (size_t)(p->at - from));
		p->at++;
		if (!take_escape(p, &p->unescaped))
			return false;
		from = p->at;
	}
	t = (struct text){ from, (size_t)(p->at - from) };
	if (!take_byte(p, '"'))
		return false;
	if (p->unescaped.len) {
		buf_put(&p->unescaped, t.ptr, t.len);
		t = text_in(&p->unescaped);
	}
	node = add_node(p, JSON_NODE_TEXT);
	node->count = (uint32_t)t.len;
	node->text = keep_text(p, t);
	return true;
}

/* Skips digits. Returns whether there are any. */
static bool take_digits(struct json_parser *p)
{
	const char *from = p->at;

	while (p->at < p->end && *p->at >= '0' && *p->at <= '9')
		p->at++;
	return p->at > from;
}

/* Parses a number, or NaN or Infinity. */
static bool parse_number(struct json_parser *p)
{
	const char *from = p->at;
	bool is_whole = true;
	double x;

	take_byte(p, '-');
	if (take_word(p, TEXT("NaN"))) {
		add_node(p, JSON_NODE_NAN);
		return true;
	}
	if (take_word(p, TEXT("Infinity"))) {
		add_node(p, JSON_NODE_NULL);
		return true;
	}
	if (!take_byte(p, '0') && !take_digits(p))
		return false;
	if (take_byte(p, '.')) {
		is_whole = false;
		if (!take_digits(p))
			return false;
	}
	if (take_byte(p, 'e') || take_byte(p, 'E')) {
		is_whole = false;
		if (!take_byte(p, '-'))
			take_byte(p, '+');
		if (!take_digits(p))
			return false;
	}
	if (!number_parse((struct text){ from, (size_t)(p->at - from) }, &x))
		return false;
	add_node(p, JSON_NODE_NUMBER)->number = is_whole && x == 0 ? 0 : x;
	return true;
}

static bool parse_value(struct json_parser *p);

/* Parses the name of a member and its value. */
static bool parse_member(struct json_parser *p)
{
	skip_space(p);
	if (!take_byte(p, '"') || !parse_text(p))
		return false;
	skip_space(p);
	return take_byte(p, ':') && parse_value(p);
}

/* Parses the values or members of an array or object after its bracket. Returns whether
 * they are valid, and sets *count. */
static bool parse_parts(
    struct json_parser *p, bool (*parse)(struct json_parser *p), char end, uint32_t *count)
{
	*count = 0;
	skip_space(p);
	if (take_byte(p, end))
		return true;
	do {
		if (!parse(p))
			return false;
		++*count;
		skip_space(p);
	} while (take_byte(p, ','));
	return take_byte(p, end);
}

int json_node_compare(const struct json_t *a, const struct json_t *b)
{
	if (a->text == b->text)
		return 0;
	return strcmp(a->text, b->text);
}

/* The object whose members compare_members() compares. */
static int compare_members(const void *a, const void *b, void *object)
{
	const struct json_t *v = object;

	return json_node_compare(&v[*(const uint32_t *)a], &v[*(const uint32_t *)b]);
}

/* Sets the positions of the values of an array or the names of an object. */
static void list_parts(const struct json_t *v, uint32_t *position)
{
	const uint32_t names = v->kind == JSON_NODE_OBJECT;
	uint32_t at = 2;

	for (uint32_t i = 0; i < v->count; i++) {
		position[i] = at;
		at += names + (uint32_t)json_node_extent(&v[at + names]);
	}
}

/* Returns whether two values are the same number, text or word. */
static bool are_same(const struct json_t *a, const struct json_t *b)
{
	if (a->kind != b->kind || a->kind >= JSON_NODE_ARRAY)
		return false;
	return a->kind == JSON_NODE_NUMBER ? a->number == b->number
	       : a->kind == JSON_NODE_TEXT ? json_node_compare(a, b) == 0
	                                   : true;
}

/* Returns whether an object whose names are sorted has two members of one name with
 * different values. iperf3 writes the same size of buffers for each of its streams. */
static bool has_duplicates(const struct json_t *v, const uint32_t *sorted)
{
	for (uint32_t i = 1; i < v->count; i++) {
		const struct json_t *a = &v[sorted[i - 1]], *b = &v[sorted[i]];

		if (json_node_compare(a, b) == 0 && !are_same(a + 1, b + 1))
			return true;
	}
	return false;
}

/* Makes the index of an array or object, if it needs one. Returns whether the names of
 * members are different. */
static bool index_parts(struct json_parser *p, struct json_t *v)
{
	const bool is_object = v->kind == JSON_NODE_OBJECT;
	uint32_t few[JSON_FEW_MEMBERS], *position = few;

	if (is_object ? v->count > JSON_FEW_MEMBERS
	              : v->count > JSON_FEW_VALUES && v[1].count != v->count + 2)
		v[1].index = position = arena_zero(p->memory, v->count, sizeof(*position));
	else if (!is_object)
		return true;
	list_parts(v, position);
	if (!is_object)
		return true;
	qsort_r(position, v->count, sizeof(*position), compare_members, v);
	return !has_duplicates(v, position);
}

/* Parses an array or object after its bracket. */
static bool parse_group(struct json_parser *p, enum json_kind kind)
{
	const size_t start = p->count;
	uint32_t count;

	add_node(p, kind);
	add_node(p, JSON_NODE_EXTENT);
	if (!parse_parts(p, kind == JSON_NODE_OBJECT ? parse_member : parse_value,
	        kind == JSON_NODE_OBJECT ? '}' : ']', &count))
		return false;
	p->node[start].count = count;
	p->node[start + 1].count = (uint32_t)(p->count - start);
	return index_parts(p, &p->node[start]);
}

/* Parses a word that is a value. */
static bool parse_word(struct json_parser *p)
{
	static const struct {
		struct text word;
		enum json_kind kind;
	} words[] = { { TEXT("null"), JSON_NODE_NULL }, { TEXT("false"), JSON_NODE_FALSE },
		{ TEXT("true"), JSON_NODE_TRUE } };

	for (size_t i = 0; i < COUNT(words); i++)
		if (take_word(p, words[i].word)) {
			add_node(p, words[i].kind);
			return true;
		}
	return false;
}

static bool parse_value(struct json_parser *p)
{
	bool valid;

	skip_space(p);
	if (p->at == p->end || ++p->depth > DEPTH_MAX)
		return false;
	valid = take_byte(p, '{')   ? parse_group(p, JSON_NODE_OBJECT)
	        : take_byte(p, '[') ? parse_group(p, JSON_NODE_ARRAY)
	        : take_byte(p, '"') ? parse_text(p)
	                            : parse_word(p) || parse_number(p);
	p->depth--;
	return valid;
}

void doc_free(struct json_t *document)
{
	struct json_t *first;

	if (!document)
		return;
	first = document - 1;
	arena_free(first->memory);
	free(first->memory);
	free(first);
}

struct json_t *json_parse(struct text t)
{
	struct json_parser *p = mem_zero(1, sizeof(*p));
	struct json_t *first;
	bool valid;

	*p = (struct json_parser){
		.at = t.ptr, .end = t.ptr + t.len, .memory = mem_zero(1, sizeof(*p->memory))
	};
	add_node(p, JSON_NODE_MEMORY)->memory = p->memory;
	skip_space(p);
	valid = t.len <= UINT32_MAX && p->at < p->end && (*p->at == '{' || *p->at == '[') &&
	        parse_value(p);
	skip_space(p);
	valid = valid && p->at == p->end;
	first = mem_resize(p->node, p->count, sizeof(*first));
	buf_free(&p->unescaped);
	free(p);
	if (valid)
		return first + 1;
	doc_free(first + 1);
	return NULL;
}

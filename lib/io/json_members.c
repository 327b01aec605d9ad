/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See json_members.h. The depth of the recursion is limited by the caller, who has matched
 * the brackets.
 */
#include <stdlib.h>

#include "io/json_members.h"
#include "text/utf8.h"

struct cursor {
	const char *p, *end;
	struct buf *out; /* the bytes of strings */
	const char *why; /* the first error */
};

static bool cursor_fail(struct cursor *c, const char *why)
{
	if (!c->why)
		c->why = why;
	return false;
}

static void skip_blanks(struct cursor *c)
{
	while (c->p < c->end &&
	       (*c->p == ' ' || *c->p == '\t' || *c->p == '\n' || *c->p == '\r'))
		c->p++;
}

/* Skips blanks and a byte, if it is next. */
static bool take_byte(struct cursor *c, char byte)
{
	skip_blanks(c);
	if (c->p == c->end || *c->p != byte)
		return false;
	c->p++;
	return true;
}

/* Skips a word, if it is next. */
static bool take_word(struct cursor *c, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(c->end - c->p) < len || memcmp(c->p, word, len) != 0)
		return false;
	c->p += len;
	return true;
}

/* Reads the four digits of \u. */
static bool read_unit(struct cursor *c, unsigned *out)
{
	*out = 0;
	if (c->end - c->p < 4)
		return cursor_fail(c, "\\u without four digits");
	for (int i = 0; i < 4; i++) {
		static const char digits[] = "0123456789abcdef0123456789ABCDEF";
		const char *at = c->p[i] ? strchr(digits, c->p[i]) : NULL;

		if (!at)
			return cursor_fail(c, "\\u without four digits");
		*out = *out << 4 | (unsigned)((at - digits) & 15);
	}
	c->p += 4;
	return true;
}

static bool read_character(struct cursor *c)
{
	char bytes[4];
	unsigned first, second;

	if (!read_unit(c, &first))
		return false;
	if (!first)
		return cursor_fail(c, "\\u0000, which no text may have");
	if (first >= 0xd800 && first < 0xdc00) {
		if (!take_word(c, "\\u") || !read_unit(c, &second) || second < 0xdc00 ||
		    second > 0xdfff)
			return cursor_fail(c, "half a character (a surrogate)");
		first = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
	} else if (first >= 0xdc00 && first < 0xe000) {
		return cursor_fail(c, "half a character (a surrogate)");
	}
	buf_put(c->out, bytes, utf8_encode(bytes, first));
	return true;
}

static bool read_escape(struct cursor *c)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	char byte = ++c->p < c->end ? *c->p : '\0';
	const char *at = byte ? strchr(from, byte) : NULL;

	c->p++;
	if (byte == 'u')
		return read_character(c);
	if (!at)
		return cursor_fail(c, "an unknown escape in a string");
	buf_byte(c->out, to[at - from]);
	return true;
}

/* Appends a string, whose quote is next, to the bytes. */
static bool read_string(struct cursor *c)
{
	const char *from;

	if (!take_byte(c, '"'))
		return cursor_fail(c, "a member without a name in quotes");
	for (from = c->p; c->p < c->end; from = c->p) {
		while (c->p < c->end && *c->p != '"' && *c->p != '\\') {
			size_t bytes = utf8_length(c->p, (size_t)(c->end - c->p));

			if (!bytes)
				return cursor_fail(c, "a byte that is not UTF-8");
			if ((unsigned char)*c->p < 0x20)
				return cursor_fail(c, "a control character in a string");
			c->p += bytes;
		}
		buf_put(c->out, from, (size_t)(c->p - from));
		if (c->p == c->end)
			break;
		if (*c->p == '"') {
			c->p++;
			return true;
		}
		if (!read_escape(c))
			return false;
	}
	return cursor_fail(c, "a string without an end");
}

static bool skip_digits(struct cursor *c)
{
	const char *from = c->p;

	while (c->p < c->end && *c->p >= '0' && *c->p <= '9')
		c->p++;
	return c->p > from;
}

/* Appends a number to the bytes, without a fraction of zeros. */
static bool read_number(struct cursor *c)
{
	const char *from = c->p, *end;

	take_word(c, "-");
	if (!take_word(c, "0") && !skip_digits(c))
		return cursor_fail(c, "neither a string, a number, true, false, null, an "
		                      "array nor an object");
	end = c->p;
	if (take_word(c, ".")) {
		if (!skip_digits(c))
			return cursor_fail(c, "a number without digits after its point");
		for (const char *p = end + 1; p < c->p; p++)
			end = *p == '0' ? end : c->p;
	}
	if (take_word(c, "e") || take_word(c, "E")) {
		if (!take_word(c, "-"))
			take_word(c, "+");
		if (!skip_digits(c))
			return cursor_fail(c, "a number without digits in its exponent");
		end = c->p;
	}
	buf_put(c->out, from, (size_t)(end - from));
	return true;
}

static bool skip_nested(struct cursor *c);

/* Appends a value to the bytes. */
static bool read_value(struct cursor *c, enum field_type *type)
{
	const char *from;

	skip_blanks(c);
	from = c->p;
	if (c->p < c->end && *c->p == '"') {
		*type = FIELD_TEXT;
		return read_string(c);
	}
	if (c->p < c->end && (*c->p == '{' || *c->p == '[')) {
		*type = FIELD_NESTED;
		if (!skip_nested(c))
			return false;
		buf_put(c->out, from, (size_t)(c->p - from));
		return true;
	}
	if (take_word(c, "null") || take_word(c, "NaN") || take_word(c, "Infinity") ||
	    take_word(c, "-Infinity")) {
		*type = FIELD_NULL;
		return true;
	}
	if (take_word(c, "true") || take_word(c, "false")) {
		*type = FIELD_TRUTH;
		buf_put(c->out, from, (size_t)(c->p - from));
		return true;
	}
	*type = FIELD_NUMBER;
	return read_number(c);
}

/* Checks an array or object, and leaves the bytes as they are. */
static bool skip_nested(struct cursor *c)
{
	char begin = *c->p++, end = begin == '{' ? '}' : ']';
	size_t len = c->out->len;
	enum field_type type;

	if (take_byte(c, end))
		return true;
	do {
		if (begin == '{' && !read_string(c))
			return false;
		if (begin == '{' && !take_byte(c, ':'))
			return cursor_fail(c, "no ':' after the name of a member");
		if (!read_value(c, &type))
			return false;
		c->out->len = len;
	} while (take_byte(c, ','));
	return take_byte(c, end) ||
	       cursor_fail(c, begin == '{' ? "no ',' or '}' after a member"
	                                   : "no ',' or ']' after a value");
}

static bool read_members(struct cursor *c, struct json_members *o)
{
	const char *begin = c->p;

	if (!take_byte(c, '{'))
		return cursor_fail(c, "no object");
	if (take_byte(c, '}'))
		return true;
	do {
		struct json_member *m = VEC_ADD(o->member, o->count, o->cap);

		m->name = c->out->len;
		if (!read_string(c))
			return false;
		m->name_len = c->out->len - m->name;
		if (!take_byte(c, ':'))
			return cursor_fail(c, "no ':' after the name of a member");
		skip_blanks(c);
		m->value = c->out->len;
		m->source = (size_t)(c->p - begin);
		if (!read_value(c, &m->type))
			return false;
		m->value_len = c->out->len - m->value;
	} while (take_byte(c, ','));
	return take_byte(c, '}') || cursor_fail(c, "no ',' or '}' after a member");
}

const char *json_members_parse(struct json_members *o, struct text t, size_t *at)
{
	struct cursor c = { .p = t.ptr, .end = t.ptr + t.len, .out = &o->bytes };

	o->bytes.len = o->count = 0;
	buf_room(&o->bytes, 0);
	read_members(&c, o);
	*at = (size_t)(c.p - t.ptr);
	return c.why;
}

struct text json_members_name(const struct json_members *o, size_t i)
{
	return (struct text){ o->bytes.ptr + o->member[i].name, o->member[i].name_len };
}

struct text json_members_value(const struct json_members *o, size_t i)
{
	return (struct text){ o->bytes.ptr + o->member[i].value, o->member[i].value_len };
}

long json_members_find(const struct json_members *o, const char *name)
{
	for (size_t i = 0; i < o->count; i++)
		if (text_is(json_members_name(o, i), name))
			return (long)i;
	return -1;
}

void json_members_free(struct json_members *o)
{
	buf_free(&o->bytes);
	free(o->member);
	*o = (struct json_members){ 0 };
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A mutator of libFuzzer for texts that have a structure: JSON, CSV, lines of words. Its
 * own changes of bytes nearly always make a file that is no longer JSON, so that the reader
 * after the parser is not reached. Half of all changes, and most of those of JSON, are
 * therefore changes of whole items: of a word, a text in quotes, an array, an object, a
 * member with its name, or a line.
 */
#include "base/base.h"
#include "base/rng.h"

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t len, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t len, size_t max, unsigned seed);

enum { ITEMS_MAX = 1 << 14 };

/* Texts that replace items: first those that are values in JSON. */
static const char *const pieces[] = { "0", "-1", "1", "0.1", "-0.0", "1e308", "1e-400",
	"9999999999999999999999", "9223372036854775807", "9007199254740993", "NaN",
	"Infinity", "null", "true", "false", "[]", "{}", "[[]]", "[null]", "[1,2]", "\"\"",
	"\"a\"", "\"1\"", "\"\\n\"", "\"value\"", "\"x_a\"", "\"ns\"", "\"ms\"", "\n",
	"\r\n", ",", ";", ":", " ", "", "\t", "%", "=", "/", "\"", "\\", "\xff",
	"\xc2\xb5s", "<not counted>", "nan", "1e999", "ns", "us", "ms", "s", "x_a",
	"value" };
enum { JSON_PIECES = 28 };

/* The items of a text: where each begins, and at the end the length of the text. */
static size_t start[ITEMS_MAX + 1];
static size_t items;

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
	       strchr("_+-.", c) || (unsigned char)c >= 0x80;
}

/* Returns the end of the item that begins at a byte. */
static size_t item_end(struct text t, size_t at)
{
	size_t end = at + 1;

	if (t.ptr[at] == '"') {
		while (end < t.len && t.ptr[end] != '"' && t.ptr[end] != '\n')
			end += t.ptr[end] == '\\' ? 2 : 1;
		return end + 1 < t.len ? end + 1 : t.len;
	}
	while (end < t.len && t.ptr[at] && is_word(t.ptr[at]) && t.ptr[end] &&
	       is_word(t.ptr[end]))
		end++;
	return end;
}

static void find_items(struct text t)
{
	items = 0;
	for (size_t at = 0; at < t.len && items < ITEMS_MAX; at = item_end(t, at))
		start[items++] = at;
	start[items] = items < ITEMS_MAX ? t.len : start[items - 1];
}

/* Returns the item after one, with what its bracket, or its colon, joins. */
static size_t skip_item(struct text t, size_t item)
{
	char open = t.ptr[start[item]], close = open == '{'   ? '}'
	                                        : open == '[' ? ']'
	                                                      : '\0';
	size_t depth = 0, next = item + 1;

	if (!close) {
		while (next < items && t.ptr[start[next]] == ' ')
			next++;
		if (open != '"' || next + 1 >= items || t.ptr[start[next]] != ':')
			return item + 1;
		for (next++; next + 1 < items && t.ptr[start[next]] == ' ';)
			next++;
		return t.ptr[start[next]] == '"' ? next + 1 : skip_item(t, next);
	}
	for (next = item; next < items; next++) {
		depth += t.ptr[start[next]] == open;
		depth -= t.ptr[start[next]] == close;
		if (!depth)
			return next + 1;
	}
	return items;
}

/* An item with all that it contains. */
struct item {
	struct text text;
	bool is_member; /* a name, a colon and a value */
	bool is_value;  /* as it may be in JSON, or a word */
};

static struct item item_at(struct text t, size_t i)
{
	size_t end = skip_item(t, i);
	char first = t.ptr[start[i]];
	struct item item = { .text = { t.ptr + start[i], start[end] - start[i] } };

	item.is_member = first == '"' && end > i + 1;
	item.is_value = !item.is_member && (is_word(first) || strchr("\"[{", first));
	return item;
}

/* Returns the line that an item is in. */
static struct item line_at(struct text t, size_t i)
{
	size_t from = start[i], to = from;

	while (from && t.ptr[from - 1] != '\n')
		from--;
	while (to < t.len && t.ptr[to] != '\n')
		to++;
	to += to < t.len;
	return (struct item){ .text = { t.ptr + from, to - from } };
}

/* Returns a random item. In JSON it is a value, or a member if may_be_member. */
static struct item random_item(
    struct rng *rng, struct text t, bool json, bool may_be_member)
{
	enum { TRIES = 20 };
	struct item item = { 0 };

	if (rng_below(rng, json ? 64 : 8) == 0)
		return line_at(t, rng_below(rng, items));
	for (int i = 0; i < TRIES; i++) {
		item = item_at(t, rng_below(rng, items));
		if (!json || item.is_value || (may_be_member && item.is_member))
			break;
	}
	return item;
}

/* Stores a text in which one item is replaced, removed, repeated or copied. */
static void change_item(struct rng *rng, struct text t, bool json, struct buf *out)
{
	struct item item = random_item(rng, t, json, true);
	size_t at = (size_t)(item.text.ptr - t.ptr), end = at + item.text.len;
	uint64_t kind = rng_below(rng, 8);

	if (json && item.is_member)
		kind = 6; /* a value is no member, and names are unique */
	out->len = 0;
	buf_text(out, (struct text){ t.ptr, at });
	if (kind < 3) {
		buf_str(out, pieces[rng_below(rng, json ? JSON_PIECES : COUNT(pieces))]);
	} else if (kind < 5) {
		buf_text(out, random_item(rng, t, json, false).text);
	} else if (kind == 5) {
		buf_text(out, item.text);
		if (item.text.len && item.text.ptr[item.text.len - 1] != '\n')
			buf_str(out, ",");
		buf_text(out, item.text);
	} else if (end < t.len && t.ptr[end] == ',') {
		end++;
	} else {
		while (out->len && strchr(" \n\r\t", out->ptr[out->len - 1]))
			out->len--;
		if (out->len && out->ptr[out->len - 1] == ',')
			out->len--;
	}
	buf_text(out, text_after(t, end));
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t len, size_t max, unsigned seed)
{
	static struct buf now, next;
	struct rng rng;
	bool json;

	rng_seed(&rng, seed);
	json = len && (bytes[0] == '{' || bytes[0] == '[');
	if (!len || rng_below(&rng, json ? 8 : 2) == 0)
		return LLVMFuzzerMutate(bytes, len, max);
	now.len = 0;
	buf_put(&now, bytes, len);
	for (uint64_t changes = 1 + rng_below(&rng, 3); changes; changes--) {
		struct text t = { now.ptr, now.len };
		struct buf other = now;

		find_items(t);
		if (!items)
			break;
		change_item(&rng, t, json, &next);
		if (!next.len || next.len > max)
			continue;
		now = next;
		next = other;
	}
	memcpy(bytes, now.ptr, now.len);
	return now.len;
}

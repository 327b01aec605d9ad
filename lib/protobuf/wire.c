/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the wire format; see wire.h.
 *
 * Recursion is bounded: by depth_max for messages that can contain themselves, and by the
 * tables for all others.
 */
#include "protobuf/wire.h"

#include <stdlib.h>

#include "text/utf8.h"

/* The structs that a message names: a node, an attribute and its tensor. */
enum { PLACES = 3 };

/* The wire types of each kind, and the size of an element of its array. A list of numbers
 * may be packed: one field contains all of them. */
static const struct {
	uint32_t type;
	size_t element;
	bool is_list, is_counted, is_packable;
} kinds[] = {
	[WIRE_INT] = { .type = WIRE_TYPE_VARINT },
	[WIRE_STRING] = { .type = WIRE_TYPE_BYTES },
	[WIRE_BYTES] = { .type = WIRE_TYPE_BYTES },
	[WIRE_FLOAT] = { .type = WIRE_TYPE_32 },
	[WIRE_INLINE] = { .type = WIRE_TYPE_BYTES },
	[WIRE_CHILD] = { .type = WIRE_TYPE_BYTES },
	[WIRE_INTS] = { WIRE_TYPE_VARINT, sizeof(int64_t), .is_list = true,
	    .is_packable = true },
	[WIRE_FLOATS] = { WIRE_TYPE_32, sizeof(float), .is_list = true,
	    .is_packable = true },
	[WIRE_STRINGS] = { WIRE_TYPE_BYTES, sizeof(struct text), .is_list = true },
	[WIRE_BYTES_LIST] = { WIRE_TYPE_BYTES, sizeof(struct text), .is_list = true },
	[WIRE_CHILDREN] = { WIRE_TYPE_BYTES, 0, .is_list = true },
	[WIRE_COUNT_INTS] = { WIRE_TYPE_VARINT, .is_counted = true, .is_packable = true },
	[WIRE_COUNT_FLOATS] = { WIRE_TYPE_32, .is_counted = true, .is_packable = true },
	[WIRE_COUNT_DOUBLES] = { WIRE_TYPE_64, .is_counted = true, .is_packable = true },
	[WIRE_COUNT_MESSAGES] = { WIRE_TYPE_BYTES, .is_counted = true },
};

int wire_fail(struct wire_reader *r, const char *at, const char *fmt, ...)
{
	struct buf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	fault_set(r->fault, "byte %zu: %s", (size_t)(at - r->file.ptr), text.ptr);
	buf_free(&text);
	return -1;
}

/* Returns zeroed memory from the arena, or NULL and the message if it is more than the
 * limit. */
static void *wire_alloc(struct wire_reader *r, const char *at, size_t count, size_t size)
{
	if (count > (r->memory_max - r->memory) / size) {
		wire_fail(r, at,
		    "%zu elements need more memory than the file's size allows", count);
		return NULL;
	}
	r->memory += count * size;
	return arena_zero(r->arena, count, size);
}

bool wire_varint(struct text *bytes, uint64_t *out)
{
	uint64_t value = 0;

	for (size_t i = 0; i < bytes->len && i < 10; i++) {
		uint64_t byte = (unsigned char)bytes->ptr[i];

		if (i == 9 && byte > 1)
			return false;
		value |= (byte & 0x7f) << (7 * i);
		if (byte < 0x80) {
			*bytes = text_after(*bytes, i + 1);
			*out = value;
			return true;
		}
	}
	return false;
}

/* Takes a little-endian number of 4 or 8 bytes. */
static bool take_fixed(struct text *bytes, size_t width, uint64_t *out)
{
	if (bytes->len < width)
		return false;
	*out = 0;
	for (size_t i = 0; i < width; i++)
		*out |= (uint64_t)(unsigned char)bytes->ptr[i] << (8 * i);
	*bytes = text_after(*bytes, width);
	return true;
}

const char *wire_next(struct text *bytes, struct wire_item *out)
{
	uint64_t tag, len;
	bool is_fine;

	*out = (struct wire_item){ 0 };
	if (!wire_varint(bytes, &tag) || tag > UINT32_MAX)
		return "the number of a field is truncated or too large";
	out->number = (uint32_t)(tag >> 3);
	out->type = (uint32_t)(tag & 7);
	if (!out->number)
		return "a field has the number 0; the file has another format";
	switch (out->type) {
	case WIRE_TYPE_VARINT:
		is_fine = wire_varint(bytes, &out->value);
		break;
	case WIRE_TYPE_64:
		is_fine = take_fixed(bytes, 8, &out->value);
		break;
	case WIRE_TYPE_32:
		is_fine = take_fixed(bytes, 4, &out->value);
		break;
	case WIRE_TYPE_BYTES:
		if (!wire_varint(bytes, &len) || len > bytes->len)
			return "a length is beyond the end of the file or of its message; "
			       "the file is truncated or damaged";
		out->bytes = (struct text){ bytes->ptr, (size_t)len };
		*bytes = text_after(*bytes, (size_t)len);
		return NULL;
	default:
		return "a field is a group or has an unknown wire type; the file has "
		       "another format or is damaged";
	}
	return is_fine ? NULL : "a number is truncated or has more than 64 bits";
}

static const struct wire_field *field_of(const struct wire_message *m, uint32_t number)
{
	for (size_t i = 0; i < m->fields; i++)
		if (m->field[i].number == number)
			return &m->field[i];
	return NULL;
}

static bool is_packed(const struct wire_field *f, const struct wire_item *item)
{
	return kinds[f->kind].is_packable && item->type == WIRE_TYPE_BYTES;
}

/* Takes one number of a list from a packed field. */
static bool take_packed(uint32_t type, struct text *bytes, uint64_t *out)
{
	return type == WIRE_TYPE_VARINT
	           ? wire_varint(bytes, out)
		   : take_fixed(bytes, type == WIRE_TYPE_32 ? 4 : 8, out);
}

/* Stores the number of elements that an occurrence of a list contains. */
static int count_item(struct wire_reader *r, const struct wire_field *f,
    const struct wire_item *item, uint64_t *count)
{
	uint32_t type = kinds[f->kind].type;
	struct text left = item->bytes;
	uint64_t ignored;

	if (!is_packed(f, item)) {
		++*count;
		return 0;
	}
	for (; left.len; ++*count)
		if (!take_packed(type, &left, &ignored))
			return wire_fail(r, left.ptr,
			    "%s: a number is truncated or has more "
			    "than 64 bits",
			    f->name);
	return 0;
}

/* Makes the arrays of a message. count[i] is the length of the list field[i]. */
static int make_arrays(struct wire_reader *r, const struct wire_message *m, const char *at,
    const uint64_t *count, char *object)
{
	for (size_t i = 0; i < m->fields; i++) {
		const struct wire_field *f = &m->field[i];
		size_t size =
		    f->kind == WIRE_CHILDREN ? f->message->size : kinds[f->kind].element;
		void *array;

		if (kinds[f->kind].is_counted)
			memcpy(object + f->offset, &count[i], sizeof(count[i]));
		if (!kinds[f->kind].is_list || !count[i])
			continue;
		array = wire_alloc(r, at, (size_t)count[i], size);
		if (!array)
			return -1;
		memcpy(object + f->offset, &array, sizeof(array));
	}
	return 0;
}

/* Checks the fields of a message, counts the elements of its lists, and makes their
 * arrays. */
static int scan(
    struct wire_reader *r, const struct wire_message *m, struct text bytes, char *object)
{
	uint64_t count[WIRE_FIELDS] = { 0 };
	const char *begin = bytes.ptr;

	while (bytes.len) {
		const char *at = bytes.ptr;
		struct wire_item item;
		const char *wrong = wire_next(&bytes, &item);
		const struct wire_field *f = wrong ? NULL : field_of(m, item.number);

		if (wrong)
			return wire_fail(r, at, "%s: %s", m->name, wrong);
		if (!f)
			continue;
		if (item.type != kinds[f->kind].type && !is_packed(f, &item))
			return wire_fail(r, at, "%s: %s has wire type %u instead of %u",
			    m->name, f->name, item.type, kinds[f->kind].type);
		if (count_item(r, f, &item, &count[f - m->field]) < 0)
			return -1;
	}
	return make_arrays(r, m, begin, count, object);
}

static int check_utf8(struct wire_reader *r, const struct wire_field *f, struct text t)
{
	for (size_t i = 0, n; i < t.len; i += n) {
		n = utf8_length(t.ptr + i, t.len - i);
		if (!n || !t.ptr[i])
			return wire_fail(r, t.ptr + i, "%s is not text in UTF-8", f->name);
	}
	return 0;
}

/* Returns the next free element of a list, whose array has room for it. */
static void *next_element(const struct wire_field *f, char *object)
{
	size_t size = f->kind == WIRE_CHILDREN ? f->message->size : kinds[f->kind].element;
	uint32_t used;
	char *array;

	memcpy(&used, object + f->more, sizeof(used));
	memcpy(&array, object + f->offset, sizeof(array));
	array += used++ * size;
	memcpy(object + f->more, &used, sizeof(used));
	return array;
}

static void store_number(enum wire_kind kind, uint64_t value, void *to)
{
	if (kind == WIRE_INT || kind == WIRE_INTS) {
		int64_t number = (int64_t)value;

		memcpy(to, &number, sizeof(number));
	} else {
		uint32_t bits = (uint32_t)value;

		memcpy(to, &bits, sizeof(bits));
	}
}

/* Stores the numbers of one occurrence of a list. */
static void store_numbers(
    const struct wire_field *f, const struct wire_item *item, char *object)
{
	struct text left = item->bytes;
	uint64_t value;

	if (!is_packed(f, item))
		store_number(f->kind, item->value, next_element(f, object));
	else
		while (left.len && take_packed(kinds[f->kind].type, &left, &value))
			store_number(f->kind, value, next_element(f, object));
}

static int store_child(struct wire_reader *r, const struct wire_field *f,
    const struct wire_item *item, char *object)
{
	void *child;

	memcpy(&child, object + f->offset, sizeof(child));
	if (child)
		return wire_fail(r, item->bytes.ptr, "%s occurs twice", f->name);
	child = wire_alloc(r, item->bytes.ptr, 1, f->message->size);
	if (!child)
		return -1;
	memcpy(object + f->offset, &child, sizeof(child));
	return wire_read(r, f->message, item->bytes, child);
}

/* Marks a field as present. Returns false if it was. */
static bool mark(const struct wire_field *f, char *object)
{
	bool was;

	memcpy(&was, object + f->more, sizeof(was));
	memcpy(object + f->more, &(bool){ true }, sizeof(was));
	return !was;
}

static int store_field(struct wire_reader *r, const struct wire_field *f,
    const struct wire_item *item, char *object)
{
	bool is_first = kinds[f->kind].is_list || !f->more || mark(f, object);

	switch (f->kind) {
	case WIRE_INT:
	case WIRE_FLOAT:
		store_number(f->kind, item->value, object + f->offset);
		return 0;
	case WIRE_STRING:
	case WIRE_BYTES:
		memcpy(object + f->offset, &item->bytes, sizeof(item->bytes));
		return f->kind == WIRE_STRING ? check_utf8(r, f, item->bytes) : 0;
	case WIRE_STRINGS:
	case WIRE_BYTES_LIST:
		memcpy(next_element(f, object), &item->bytes, sizeof(item->bytes));
		return f->kind == WIRE_STRINGS ? check_utf8(r, f, item->bytes) : 0;
	case WIRE_INTS:
	case WIRE_FLOATS:
		store_numbers(f, item, object);
		return 0;
	case WIRE_INLINE:
		if (!is_first)
			return wire_fail(r, item->bytes.ptr, "%s occurs twice", f->name);
		return wire_read(r, f->message, item->bytes, object + f->offset);
	case WIRE_CHILD:
		return store_child(r, f, item, object);
	case WIRE_CHILDREN:
		return wire_read(r, f->message, item->bytes, next_element(f, object));
	default: /* counted by scan() */
		return 0;
	}
}

/* Puts the words that name a struct before the message, for the innermost structs.
 * Returns -1. */
static int name_place(
    struct wire_reader *r, const struct wire_message *m, const void *object)
{
	char *label = m->label && r->places < PLACES ? m->label(object) : NULL;

	if (label) {
		fault_prefix(r->fault, "%s", label);
		r->places++;
	}
	free(label);
	return -1;
}

int wire_read(
    struct wire_reader *r, const struct wire_message *m, struct text bytes, void *object)
{
	struct text left = bytes;

	if (m->nests && r->depth == r->depth_max)
		return wire_fail(r, bytes.ptr, "%s: nested deeper than %d levels", m->name,
		    r->depth_max);
	if (scan(r, m, bytes, object) < 0)
		return -1;
	r->depth += m->nests;
	while (left.len) {
		struct wire_item item;
		const struct wire_field *f;

		wire_next(&left, &item);
		f = field_of(m, item.number);
		if (f && store_field(r, f, &item, object) < 0)
			return name_place(r, m, object);
	}
	r->depth -= m->nests;
	if (m->check && m->check(r, object, bytes) < 0)
		return name_place(r, m, object);
	return 0;
}

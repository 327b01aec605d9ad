/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads tensors; see onnx_tensor.h. The data of a tensor is in the field raw_data, in an
 * external file, or in the list of numbers that belongs to the element type.
 */
#include "onnx/onnx_tensor.h"

#include "onnx/onnx_model.h"
#include "text/units.h"

/* The numbers of the fields that have lists of elements. */
enum {
	FLOAT_DATA = 4,
	INT32_DATA = 5,
	STRING_DATA = 6,
	INT64_DATA = 7,
	DOUBLE_DATA = 10,
	UINT64_DATA = 11
};

/* The list of a type: its field, and how many of its numbers are one element, or how many
 * elements are in one number. */
struct listing {
	uint32_t field, numbers, elements;
};

/* Those that are not in INT32_DATA. */
static const struct listing listings[ONNX_TYPES] = {
	[ONNX_FLOAT] = { FLOAT_DATA, 1, 1 },
	[ONNX_COMPLEX64] = { FLOAT_DATA, 2, 1 },
	[ONNX_DOUBLE] = { DOUBLE_DATA, 1, 1 },
	[ONNX_COMPLEX128] = { DOUBLE_DATA, 2, 1 },
	[ONNX_INT64] = { INT64_DATA, 1, 1 },
	[ONNX_UINT32] = { UINT64_DATA, 1, 1 },
	[ONNX_UINT64] = { UINT64_DATA, 1, 1 },
	[ONNX_STRING] = { STRING_DATA, 1, 1 },
	[ONNX_UINT4] = { INT32_DATA, 1, 2 },
	[ONNX_INT4] = { INT32_DATA, 1, 2 },
	[ONNX_FLOAT4E2M1] = { INT32_DATA, 1, 2 },
	[ONNX_UINT2] = { INT32_DATA, 1, 4 },
	[ONNX_INT2] = { INT32_DATA, 1, 4 },
};

static struct listing listing_of(int64_t type)
{
	return listings[type].field ? listings[type] : (struct listing){ INT32_DATA, 1, 1 };
}

static uint64_t count_of(const struct onnx_tensor *t, uint32_t field)
{
	return field == FLOAT_DATA    ? t->floats
	       : field == INT32_DATA  ? t->int32s
	       : field == STRING_DATA ? t->strings
	       : field == INT64_DATA  ? t->int64s
	       : field == DOUBLE_DATA ? t->doubles
	                              : t->uint64s;
}

/* Computes the numbers of elements and bytes. */
static int check_size(struct wire_reader *r, struct onnx_tensor *t)
{
	uint64_t bits = onnx_type_bits(t->type), elements = 1;
	bool is_empty = false;

	if (t->dims > ONNX_DIMS_MAX)
		return wire_fail(r, t->message.ptr, "%u dimensions, of at most %d", t->dims,
		    ONNX_DIMS_MAX);
	for (uint32_t i = 0; i < t->dims; i++) {
		if (t->dim[i] < 0)
			return wire_fail(r, t->message.ptr, "dimension %u is %lld", i,
			    (long long)t->dim[i]);
		is_empty |= t->dim[i] == 0;
	}
	for (uint32_t i = 0; i < t->dims && !is_empty; i++)
		if (__builtin_mul_overflow(elements, (uint64_t)t->dim[i], &elements))
			elements = UINT64_MAX;
	if (!is_empty && elements > INT64_MAX / (bits ? bits : 1))
		return wire_fail(r, t->message.ptr, "the dimensions are too large");
	t->elements = is_empty ? 0 : elements;
	t->bytes = (t->elements * bits + 7) / 8;
	return 0;
}

/* Finds the place of an external tensor in its entries. */
static int check_external(struct wire_reader *r, struct onnx_tensor *t)
{
	int64_t offset = 0, length = (int64_t)t->bytes;

	for (uint32_t i = 0; i < t->externals; i++) {
		const struct onnx_entry *e = &t->external[i];

		if (text_is(e->key, "location"))
			t->location = e->value;
		if ((text_is(e->key, "offset") && !integer_parse(e->value, &offset)) ||
		    (text_is(e->key, "length") && !integer_parse(e->value, &length)))
			return wire_fail(r, e->value.ptr,
			    "the %.6s of external data is no number", e->key.ptr);
	}
	if (!t->location.len || t->has_raw)
		return wire_fail(r, t->message.ptr,
		    t->has_raw ? "data both in the file and external"
		               : "external data has no location");
	if (offset < 0 || length < 0 || (uint64_t)length != t->bytes)
		return wire_fail(r, t->message.ptr,
		    "external data of %lld bytes at offset %lld, instead of %llu bytes",
		    (long long)length, (long long)offset, (unsigned long long)t->bytes);
	t->is_external = true;
	t->offset = (uint64_t)offset;
	return 0;
}

/* Checks that the tensor has data of its size. */
static int check_data(struct wire_reader *r, struct onnx_tensor *t)
{
	struct listing l = listing_of(t->type);
	uint64_t have = count_of(t, l.field);
	uint64_t all =
	    t->floats + t->int32s + t->int64s + t->doubles + t->uint64s + t->strings;
	uint64_t want = t->elements / l.elements + (t->elements % l.elements != 0);

	if (t->has_raw ? all != 0 || t->type == ONNX_STRING : all != have)
		return wire_fail(r, t->message.ptr,
		    "data in a field that the element type %s does not use",
		    onnx_type_name(t->type));
	if (t->has_raw && t->data.len != t->bytes)
		return wire_fail(r, t->message.ptr, "%zu bytes of data instead of %llu",
		    t->data.len, (unsigned long long)t->bytes);
	/* No overflow: the elements are fewer than 2^63. */
	if (!t->has_raw && have != want * l.numbers)
		return wire_fail(r, t->message.ptr, "%llu numbers of data instead of %llu",
		    (unsigned long long)have, (unsigned long long)(want * l.numbers));
	return 0;
}

static int check_tensor(struct wire_reader *r, void *object, struct text bytes)
{
	struct onnx_tensor *t = object;

	t->message = bytes;
	if (t->type <= 0 || t->type >= ONNX_TYPES)
		return wire_fail(r, bytes.ptr,
		    "element type %lld is unknown (onnx.proto has 1 to %d)",
		    (long long)t->type, ONNX_TYPES - 1);
	if (t->has_segment)
		return wire_fail(r, bytes.ptr, "segments of tensors are not supported");
	if (t->data_location < 0 || t->data_location > 1)
		return wire_fail(r, bytes.ptr, "data location %lld is unknown",
		    (long long)t->data_location);
	if (check_size(r, t) < 0)
		return -1;
	if (t->data_location == 1 && t->type == ONNX_STRING)
		return wire_fail(r, bytes.ptr, "strings cannot be external");
	return t->data_location == 1 ? check_external(r, t) : check_data(r, t);
}

static char *label_tensor(const void *object)
{
	const struct onnx_tensor *t = object;

	return t->name.len ? str_format("tensor '%.*s'",
	                         t->name.len > 80 ? 80 : (int)t->name.len, t->name.ptr)
	                   : NULL;
}

static const struct wire_field entry_fields[] = {
	{ 1, WIRE_STRING, "key", offsetof(struct onnx_entry, key), 0, NULL },
	{ 2, WIRE_STRING, "value", offsetof(struct onnx_entry, value), 0, NULL },
};

static const struct wire_message entry_message = { "StringStringEntryProto",
	sizeof(struct onnx_entry), entry_fields, COUNT(entry_fields), false, NULL, NULL };

/* The member `has_segment` serves as the place of the segment, whose data are not kept. */
static const struct wire_message segment_message = { "Segment", 0, NULL, 0, false, NULL,
	NULL };

#define PLACE(member) offsetof(struct onnx_tensor, member)

static const struct wire_field tensor_fields[] = {
	{ 1, WIRE_INTS, "dims", PLACE(dim), PLACE(dims), NULL },
	{ 2, WIRE_INT, "data_type", PLACE(type), 0, NULL },
	{ 3, WIRE_INLINE, "segment", PLACE(has_segment), PLACE(has_segment),
	    &segment_message },
	{ FLOAT_DATA, WIRE_COUNT_FLOATS, "float_data", PLACE(floats), 0, NULL },
	{ INT32_DATA, WIRE_COUNT_INTS, "int32_data", PLACE(int32s), 0, NULL },
	{ STRING_DATA, WIRE_COUNT_MESSAGES, "string_data", PLACE(strings), 0, NULL },
	{ INT64_DATA, WIRE_COUNT_INTS, "int64_data", PLACE(int64s), 0, NULL },
	{ 8, WIRE_STRING, "name", PLACE(name), 0, NULL },
	{ 9, WIRE_BYTES, "raw_data", PLACE(data), PLACE(has_raw), NULL },
	{ DOUBLE_DATA, WIRE_COUNT_DOUBLES, "double_data", PLACE(doubles), 0, NULL },
	{ UINT64_DATA, WIRE_COUNT_INTS, "uint64_data", PLACE(uint64s), 0, NULL },
	{ 13, WIRE_CHILDREN, "external_data", PLACE(external), PLACE(externals),
	    &entry_message },
	{ 14, WIRE_INT, "data_location", PLACE(data_location), 0, NULL },
};

const struct wire_message onnx_tensor_message = { "TensorProto", sizeof(struct onnx_tensor),
	tensor_fields, COUNT(tensor_fields), false, check_tensor, label_tensor };

/* Copies the numbers of one field, each `width` bytes long. 6-bit elements are packed. */
struct copying {
	unsigned char *out;
	uint64_t at, bits; /* the next bit, and the bits of a number */
	uint64_t end;      /* bits that fit */
};

static void copy_number(struct copying *c, uint64_t value)
{
	for (uint64_t i = 0; i < c->bits && c->at < c->end; i++, c->at++)
		c->out[c->at / 8] |= (unsigned char)((value >> i & 1) << c->at % 8);
}

/* Copies bytes that are numbers in order. */
static void copy_numbers(struct copying *c, uint32_t field, const struct wire_item *item)
{
	struct text left = item->bytes;
	uint64_t value;

	if (item->type != WIRE_TYPE_BYTES) {
		copy_number(c, item->value);
	} else if (field == FLOAT_DATA || field == DOUBLE_DATA) {
		if (left.len) /* the form in the file is that in memory; whole bytes */
			memcpy(c->out + c->at / 8, left.ptr, left.len);
		c->at += left.len * 8;
	} else {
		while (left.len && wire_varint(&left, &value))
			copy_number(c, value);
	}
}

int onnx_tensor_read(const struct onnx_tensor *t, void *out, struct fault *f)
{
	struct listing l = listing_of(t->type);
	uint64_t bits = (uint64_t)onnx_type_bits(t->type) * l.elements / l.numbers;
	struct copying c = { out, 0, bits, t->bytes * 8 };
	struct text left = t->message;
	struct wire_item item;

	if (t->type == ONNX_STRING)
		return fault_set(
		    f, "tensor '%.*s' has strings", (int)t->name.len, t->name.ptr);
	if (t->is_external && !t->data.ptr)
		return fault_set(f, "the external data of tensor '%.*s' is not mapped",
		    (int)t->name.len, t->name.ptr);
	if (t->data.ptr) {
		memcpy(out, t->data.ptr, t->bytes);
		return 0;
	}
	memset(out, 0, t->bytes);
	while (left.len && !wire_next(&left, &item))
		if (item.number == l.field)
			copy_numbers(&c, l.field, &item);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the wire format of protocol buffers; see onnx_write.h.
 */
#include "onnx/onnx_write.h"

/* The types of fields. */
enum { TYPE_VARINT = 0, TYPE_BYTES = 2, TYPE_32 = 5 };

static void put_varint(struct buf *b, uint64_t value)
{
	char byte[10];
	size_t len = 0;

	for (; value >= 0x80; value >>= 7)
		byte[len++] = (char)(value | 0x80);
	byte[len++] = (char)value;
	buf_put(b, byte, len);
}

static void put_tag(struct buf *b, uint32_t field, unsigned type)
{
	put_varint(b, (uint64_t)field << 3 | type);
}

void proto_int(struct buf *b, uint32_t field, int64_t value)
{
	put_tag(b, field, TYPE_VARINT);
	put_varint(b, (uint64_t)value);
}

void proto_float(struct buf *b, uint32_t field, float value)
{
	uint32_t bits;
	char byte[4];

	memcpy(&bits, &value, sizeof(bits));
	for (int i = 0; i < 4; i++)
		byte[i] = (char)(bits >> 8 * i);
	put_tag(b, field, TYPE_32);
	buf_put(b, byte, sizeof(byte));
}

void proto_begin(struct buf *b, uint32_t field, uint64_t bytes)
{
	put_tag(b, field, TYPE_BYTES);
	put_varint(b, bytes);
}

void proto_text(struct buf *b, uint32_t field, struct text value)
{
	proto_begin(b, field, value.len);
	buf_text(b, value);
}

void proto_ints(struct buf *b, uint32_t field, const int64_t *value, size_t count)
{
	struct buf list = { 0 };

	for (size_t i = 0; i < count; i++)
		put_varint(&list, (uint64_t)value[i]);
	proto_text(b, field, text_in(&list));
	buf_free(&list);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes messages in the wire format of protocol buffers, also wrong ones, for tests of the
 * reader.
 */
#ifndef TESTS_ONNX_WIRE_BYTES_H
#define TESTS_ONNX_WIRE_BYTES_H

#include "base/base.h"

static inline void put_varint(struct buf *b, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		buf_byte(b, (char)(value | 0x80));
	buf_byte(b, (char)value);
}

static inline void put_int(struct buf *b, uint32_t number, int64_t value)
{
	put_varint(b, (uint64_t)number << 3);
	put_varint(b, (uint64_t)value);
}

static inline void put_bytes(struct buf *b, uint32_t number, struct text bytes)
{
	put_varint(b, (uint64_t)number << 3 | 2);
	put_varint(b, bytes.len);
	buf_text(b, bytes);
}

static inline void put_text(struct buf *b, uint32_t number, const char *s)
{
	put_bytes(b, number, text_of(s));
}

/* Appends a message and frees its bytes. */
static inline void put_message(struct buf *b, uint32_t number, struct buf *message)
{
	put_bytes(
	    b, number, (struct text){ message->ptr ? message->ptr : "", message->len });
	buf_free(message);
	*message = (struct buf){ 0 };
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes fields of protocol buffers in their wire format. Pure.
 */
#ifndef ONNX_ONNX_WRITE_H
#define ONNX_ONNX_WRITE_H

#include "base/base.h"

/* Appends an integer, even if it is 0. */
void proto_int(struct buf *b, uint32_t field, int64_t value);
/* Appends a float. */
void proto_float(struct buf *b, uint32_t field, float value);
/* Appends a string, bytes, or a message that has been written to another buffer. */
void proto_text(struct buf *b, uint32_t field, struct text value);
/* Appends a list of integers, packed. */
void proto_ints(struct buf *b, uint32_t field, const int64_t *value, size_t count);
/* Appends the beginning of a string, bytes or message; `bytes` bytes must follow. */
void proto_begin(struct buf *b, uint32_t field, uint64_t bytes);

#endif

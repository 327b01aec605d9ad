/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names the types of elements. Pure.
 */
#ifndef ONNXRUNTIME_TYPE_H
#define ONNXRUNTIME_TYPE_H

#include <stdint.h>

/* Returns the name of an element type as NumPy has it, and stores its size in bytes, 0 for
 * strings. Returns NULL for a type whose elements do not have whole bytes, and for unknown
 * ones. */
const char *ort_type_name(int element, uint32_t *bytes);

#endif

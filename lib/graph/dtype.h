/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and sizes of the element types of bench-operation.h, and conversions of arrays from
 * and to doubles. Pure.
 */
#ifndef GRAPH_DTYPE_H
#define GRAPH_DTYPE_H

#include "base/base.h"
#include "bench-operation.h"

/* Returns the name of a type, such as "float32" or "bfloat16". */
const char *dtype_name(enum backend_dtype dtype);
/* Returns the type of this name or usual short form (f32, fp16, bf16, i8), or -1. */
int dtype_find(const char *name);
/* Returns the size of an element in bytes. */
size_t dtype_bytes(enum backend_dtype dtype);
/* Returns whether a type is a floating-point type. */
bool dtype_is_float(enum backend_dtype dtype);
/* Converts doubles to a type, rounded to nearest, ties to even. A number out of range
 * becomes infinite, or the nearest whole number in range; NAN becomes 0 in an integer type.
 */
void dtype_store(enum backend_dtype dtype, void *to, const double *from, size_t count);
/* Converts elements of a type to doubles. */
void dtype_load(enum backend_dtype dtype, double *to, const void *from, size_t count);

#endif

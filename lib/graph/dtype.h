/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and sizes of the element types of backend.h, and arrays of them from and to
 * doubles. Pure.
 */
#ifndef GRAPH_DTYPE_H
#define GRAPH_DTYPE_H

#include "base/base.h"
#include "bench-backend.h"

/* "float32", "bfloat16" ... */
const char *dtype_name(enum backend_dtype dtype);
/* By name, or its usual short form (f32, fp16, bf16, i8); -1 when it is none. */
int dtype_find(const char *name);
size_t dtype_bytes(enum backend_dtype dtype);
bool dtype_is_float(enum backend_dtype dtype);
/* Rounded to nearest, ties to even; what is out of range becomes infinite, or of whole
 * numbers the nearest. */
void dtype_store(enum backend_dtype dtype, void *to, const double *from, size_t count);
void dtype_load(enum backend_dtype dtype, double *to, const void *from, size_t count);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The types of integers and truth values in files and on engines that no graph has. Pure.
 */
#ifndef ENGINE_INTEGER_TYPE_H
#define ENGINE_INTEGER_TYPE_H

#include "base/base.h"

/* Returns the bytes of an element of "int64", "bool" and so on; 0 for other types. */
size_t integer_type_bytes(const char *type);
/* Converts little-endian elements of such a type. */
void integer_type_load(const char *type, const void *elements, size_t count, double *out);

#endif

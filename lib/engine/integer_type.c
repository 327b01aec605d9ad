/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts integers; see integer_type.h.
 */
#include <string.h>

#include "engine/integer_type.h"

static const struct integer_type {
	const char *name;
	size_t bytes;
	bool is_signed;
} integers[] = {
	{ "bool", 1, false },
	{ "int16", 2, true },
	{ "uint16", 2, false },
	{ "uint32", 4, false },
	{ "int64", 8, true },
	{ "uint64", 8, false },
};

/* Returns the row of a type, or NULL. */
static const struct integer_type *find_integer(const char *type)
{
	for (size_t i = 0; i < COUNT(integers); i++)
		if (strcmp(integers[i].name, type) == 0)
			return &integers[i];
	return NULL;
}

size_t integer_type_bytes(const char *type)
{
	const struct integer_type *t = find_integer(type);

	return t ? t->bytes : 0;
}

/* Returns a little-endian integer. */
static double integer_of(const unsigned char *p, size_t bytes, bool is_signed)
{
	uint64_t bits = 0;

	for (size_t i = bytes; i-- > 0;)
		bits = bits << 8 | p[i];
	if (!is_signed)
		return (double)bits;
	return (double)((int64_t)(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes));
}

void integer_type_load(const char *type, const void *elements, size_t count, double *out)
{
	const struct integer_type *t = find_integer(type);
	const unsigned char *p = elements;

	for (size_t i = 0; t && i < count; i++)
		out[i] = integer_of(p + i * t->bytes, t->bytes, t->is_signed);
}

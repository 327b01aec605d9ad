/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stores numbers in inputs; see port_store.h.
 */
#include "graph/dtype.h"
#include "port/port_store.h"

/* The types that have no enum backend_dtype; all hold whole numbers. */
static const struct {
	const char *name;
	uint32_t bytes;
} wholes[] = {
	{ "bool", 1 },
	{ "int16", 2 },
	{ "uint16", 2 },
	{ "uint32", 4 },
	{ "int64", 8 },
	{ "uint64", 8 },
};

static bool is_whole(const struct backend_port *p)
{
	for (size_t i = 0; i < COUNT(wholes); i++)
		if (strcmp(wholes[i].name, p->type) == 0)
			return wholes[i].bytes == p->element_bytes;
	return false;
}

/* Returns the enum backend_dtype of an input, or -1. */
static int dtype_of(const struct backend_port *p)
{
	const int dtype = dtype_find(p->type);

	return dtype >= 0 && dtype_bytes((enum backend_dtype)dtype) == p->element_bytes
	           ? dtype
	           : -1;
}

bool port_takes_numbers(const struct backend_port *p)
{
	return is_whole(p) || dtype_of(p) >= 0;
}

bool port_is_float(const struct backend_port *p)
{
	return dtype_of(p) >= 0 && dtype_is_float((enum backend_dtype)dtype_of(p));
}

/* Stores whole numbers, which are not negative, as little-endian integers. */
static void store_whole(unsigned char *to, uint32_t bytes, const double *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t number = (uint64_t)from[i];

		for (uint32_t k = 0; k < bytes; k++)
			to[i * bytes + k] = (unsigned char)(number >> (8 * k));
	}
}

void port_store(
    const struct backend_port *p, const double *from, size_t count, struct buf *out)
{
	const size_t bytes = count * p->element_bytes;

	buf_room(out, bytes);
	if (is_whole(p))
		store_whole(
		    (unsigned char *)out->ptr + out->len, p->element_bytes, from, count);
	else
		dtype_store(
		    (enum backend_dtype)dtype_of(p), out->ptr + out->len, from, count);
	out->len += bytes;
}

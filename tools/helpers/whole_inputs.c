/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws inputs; see whole_inputs.h.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "engine/fill.h"
#include "graph/dtype.h"
#include "port/port_shape.h"
#include "whole_inputs.h"

enum { CHUNK = 1 << 14 }; /* elements that are drawn at once */

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

/* Stores whole numbers, which are not negative, as little-endian integers. */
static void store_whole(unsigned char *to, uint32_t bytes, const double *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t number = (uint64_t)from[i];

		for (uint32_t k = 0; k < bytes; k++)
			to[i * bytes + k] = (unsigned char)(number >> (8 * k));
	}
}

static bool is_whole(const char *type, uint32_t bytes)
{
	for (size_t i = 0; i < COUNT(wholes); i++)
		if (strcmp(wholes[i].name, type) == 0)
			return wholes[i].bytes == bytes;
	return false;
}

/* Returns whether all elements of an integer input are 1. */
static bool is_mask(const struct backend_port *p, const struct graph *known)
{
	if (strcmp(p->type, "bool") == 0 || known)
		return true;
	for (const char *s = p->name; *s; s++)
		if (strncasecmp(s, "mask", 4) == 0)
			return true;
	return false;
}

int whole_input_draw(const struct backend_port *p, const int64_t *size, uint64_t seed,
    const struct graph *known, struct buf *out, struct fault *f)
{
	const size_t count = port_elements(size, p->dims);
	const int dtype = dtype_find(p->type);
	const bool whole = is_whole(p->type, p->element_bytes);
	struct graph_value value = {
		.name = (char *)p->name, .fill = FILL_NORMAL, .spread = 1
	};
	struct fill fill;
	double *drawn;

	if (!whole &&
	    (dtype < 0 || dtype_bytes((enum backend_dtype)dtype) != p->element_bytes))
		return fault_set(f,
		    "input '%s' is %s, which cannot be generated: give it with --input "
		    "%s=PATH",
		    p->name, p->type, p->name);
	if (whole || !dtype_is_float((enum backend_dtype)dtype)) {
		const uint32_t number = known ? graph_find(known, p->name) : GRAPH_NONE;

		value = (struct graph_value){ .name = (char *)p->name,
			.fill = is_mask(p, known) ? FILL_VALUE : FILL_BELOW,
			.at = 1,
			.spread = 2 };
		if (number != GRAPH_NONE && known->value[number].fill == FILL_BELOW) {
			value.fill = FILL_BELOW;
			value.spread = known->value[number].spread;
		}
	}
	fill_begin(&fill, &value, seed);
	drawn = mem_zero(CHUNK, sizeof(*drawn));
	buf_room(out, count * p->element_bytes);
	for (size_t at = 0; at < count; at += CHUNK) {
		const size_t n = count - at < CHUNK ? count - at : CHUNK;
		char *to = out->ptr + out->len;

		fill_next(&fill, drawn, n);
		if (whole)
			store_whole((unsigned char *)to, p->element_bytes, drawn, n);
		else
			dtype_store((enum backend_dtype)dtype, to, drawn, n);
		out->len += n * p->element_bytes;
	}
	free(drawn);
	return 0;
}

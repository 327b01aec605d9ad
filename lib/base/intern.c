/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Strings, stored one after the other in a buffer and found by a hash table; see intern.h.
 */
#include <stdlib.h>

#include "base/intern.h"

/* A string to find. */
struct search {
	const struct intern *in;
	struct text text;
};

static bool equal_text(const void *ctx, size_t number)
{
	const struct search *s = ctx;

	return text_equal(intern_text(s->in, number), s->text);
}

long intern_find(const struct intern *in, struct text t)
{
	size_t number =
	    hash_map_find(&in->map, text_hash(t, 0), equal_text, &(struct search){ in, t });

	return number == HASH_MAP_NONE ? -1 : (long)number;
}

size_t intern_add(struct intern *in, struct text t)
{
	size_t number =
	    hash_map_add(&in->map, text_hash(t, 0), equal_text, &(struct search){ in, t });

	if (number == in->count) {
		*VEC_ADD(in->start, in->count, in->cap) = in->bytes.len;
		buf_text(&in->bytes, t);
	}
	return number;
}

struct text intern_text(const struct intern *in, size_t number)
{
	const size_t start = in->start[number],
	             end = number + 1 < in->count ? in->start[number + 1] : in->bytes.len;

	return (struct text){ in->bytes.ptr + start, end - start };
}

void intern_free(struct intern *in)
{
	buf_free(&in->bytes);
	free(in->start);
	hash_map_free(&in->map);
	*in = (struct intern){ 0 };
}

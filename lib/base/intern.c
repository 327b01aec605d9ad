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
		*VEC_ADD(in->entry, in->count, in->cap) =
		    (struct intern_entry){ in->bytes.len, t.len };
		buf_text(&in->bytes, t);
	}
	return number;
}

struct text intern_text(const struct intern *in, size_t number)
{
	const struct intern_entry *e = &in->entry[number];

	return (struct text){ in->bytes.ptr + e->start, e->len };
}

void intern_free(struct intern *in)
{
	buf_free(&in->bytes);
	free(in->entry);
	hash_map_free(&in->map);
	*in = (struct intern){ 0 };
}

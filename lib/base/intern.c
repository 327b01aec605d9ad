/*
 * An open-addressing hash table over texts kept end to end in one buffer.
 */
#include <stdlib.h>

#include "base/intern.h"

static void grow(struct intern *in)
{
	in->slots = in->slots ? in->slots * 2 : 64;
	free(in->slot);
	in->slot = mem_zero(in->slots, sizeof(*in->slot));
	for (size_t i = 0; i < in->count; i++) {
		size_t at = in->entry[i].hash & (in->slots - 1);

		while (in->slot[at])
			at = (at + 1) & (in->slots - 1);
		in->slot[at] = (uint32_t)i + 1;
	}
}

/* Where the text is, or the free slot where it would be. */
static size_t slot_of(const struct intern *in, struct text t, uint64_t hash)
{
	size_t at = hash & (in->slots - 1);

	for (; in->slot[at]; at = (at + 1) & (in->slots - 1)) {
		size_t i = in->slot[at] - 1;

		if (in->entry[i].hash == hash && text_equal(intern_text(in, i), t))
			break;
	}
	return at;
}

long intern_find(const struct intern *in, struct text t)
{
	return in->slots ? (long)in->slot[slot_of(in, t, text_hash(t, 0))] - 1 : -1;
}

size_t intern_add(struct intern *in, struct text t)
{
	uint64_t hash = text_hash(t, 0);
	size_t at;

	if (in->count * 2 >= in->slots)
		grow(in);
	at = slot_of(in, t, hash);
	if (in->slot[at])
		return in->slot[at] - 1;
	in->slot[at] = (uint32_t)in->count + 1;
	*VEC_ADD(in->entry, in->count, in->cap) =
	    (struct intern_entry){ hash, in->bytes.len, t.len };
	buf_text(&in->bytes, t);
	return in->count - 1;
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
	free(in->slot);
	*in = (struct intern){ 0 };
}

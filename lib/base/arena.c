/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Strings and arrays in blocks that are never moved; see arena.h.
 */
#include <stdalign.h>
#include <stdlib.h>

#include "base/arena.h"

/* Blocks are small at first, because there can be an arena for each of many documents. */
enum { FIRST_BLOCK = 1 << 10, BLOCK = 1 << 16 };

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	alignas(max_align_t) char bytes[];
};

/* Returns a place for some bytes, more than 0. */
static char *arena_room(struct arena *a, size_t bytes)
{
	struct arena_block *b = a->block;

	if (!b || b->size - b->used < bytes) {
		size_t size = !b ? FIRST_BLOCK : 2 * b->size < BLOCK ? 2 * b->size : BLOCK;

		if (bytes > size)
			size = bytes + -bytes % alignof(max_align_t);
		b = mem_resize(NULL, 1, sizeof(*b) + size);
		*b = (struct arena_block){ .next = a->block, .size = size };
		a->block = b;
	}
	b->used += bytes;
	return b->bytes + b->used - bytes;
}

const char *arena_text(struct arena *a, struct text t)
{
	char *at;

	if (!t.len)
		return "";
	at = arena_room(a, t.len + 1);
	memcpy(at, t.ptr, t.len);
	at[t.len] = '\0';
	return at;
}

void *arena_zero(struct arena *a, size_t count, size_t size)
{
	const size_t align = alignof(max_align_t);
	char *at;

	if (size && count > (SIZE_MAX - BLOCK) / size)
		return mem_zero(count, size); /* ends the program */
	if (a->block)
		a->block->used += -a->block->used % align;
	at = arena_room(a, (count * size / align + 1) * align);
	return memset(at, 0, count * size);
}

const char *arena_format(struct arena *a, const char *fmt, ...)
{
	struct buf text = { 0 };
	const char *kept;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	kept = arena_text(a, text_in(&text));
	buf_free(&text);
	return kept;
}

void arena_free(struct arena *a)
{
	while (a->block) {
		struct arena_block *next = a->block->next;

		free(a->block);
		a->block = next;
	}
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts in blocks that are never moved; see arena.h.
 */
#include <stdlib.h>

#include "base/arena.h"

enum { BLOCK = 1 << 16 };

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	char bytes[];
};

const char *arena_text(struct arena *a, struct text t)
{
	struct arena_block *b = a->block;
	char *at;

	if (!t.len)
		return "";
	if (!b || b->size - b->used <= t.len) {
		size_t size = t.len < BLOCK ? BLOCK : t.len + 1;

		b = mem_resize(NULL, 1, sizeof(*b) + size);
		*b = (struct arena_block){ .next = a->block, .size = size };
		a->block = b;
	}
	at = b->bytes + b->used;
	memcpy(at, t.ptr, t.len);
	at[t.len] = '\0';
	b->used += t.len + 1;
	return at;
}

const char *arena_format(struct arena *a, const char *fmt, ...)
{
	struct buf text = { 0 };
	const char *kept;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	kept = arena_text(a, (struct text){ text.ptr, text.len });
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

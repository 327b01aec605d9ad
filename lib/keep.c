/*
 * Blocks that are filled and never moved; see keep.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "keep.h"

enum { BLOCK = 1 << 16 };

struct keep_block {
	struct keep_block *next;
	size_t used, size;
	char bytes[];
};

const char *keep_text(struct keep *k, struct text t)
{
	struct keep_block *b = k->block;
	char *at;

	if (!t.len)
		return "";
	if (!b || b->size - b->used <= t.len) {
		size_t size = t.len < BLOCK ? BLOCK : t.len + 1;

		b = mem_resize(NULL, 1, sizeof(*b) + size);
		*b = (struct keep_block){ .next = k->block, .size = size };
		k->block = b;
	}
	at = b->bytes + b->used;
	memcpy(at, t.ptr, t.len);
	at[t.len] = '\0';
	b->used += t.len + 1;
	return at;
}

const char *keep_format(struct keep *k, const char *fmt, ...)
{
	const char *kept;
	char *text;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		return "";
	kept = keep_text(k, (struct text){ text, (size_t)len });
	free(text);
	return kept;
}

void keep_free(struct keep *k)
{
	while (k->block) {
		struct keep_block *next = k->block->next;

		free(k->block);
		k->block = next;
	}
}

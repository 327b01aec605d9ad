/*
 * Texts to small numbers: equal texts get equal numbers, 0, 1, 2 ... in order of
 * appearance.
 */
#ifndef INTERN_H
#define INTERN_H

#include "base/base.h"

struct intern {
	struct buf bytes;
	struct intern_entry {
		uint64_t hash;
		size_t start, len;
	} * entry;
	size_t count, cap;
	uint32_t *slot; /* entry + 1, or 0; a power of two of them */
	size_t slots;
};

/* Zero a struct intern to begin. */
size_t intern_add(struct intern *in, struct text t);
/* The number of a text, or -1 when it was never added. */
long intern_find(const struct intern *in, struct text t);
/* Lives until the next intern_add. */
struct text intern_text(const struct intern *in, size_t number);
void intern_free(struct intern *in);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers for strings: equal strings get equal numbers, 0, 1, 2 ... in order of appearance.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/base.h"
#include "base/hash_map.h"

/* Zero it to begin. */
struct intern {
	struct buf bytes; /* of all strings, end to end */
	size_t *start;    /* of each string, which ends where the next one begins */
	size_t count, cap;
	struct hash_map map;
};

/* Returns the number of a string, which is count when it is new. */
size_t intern_add(struct intern *in, struct text t);
/* Returns the number of a string, or -1 when it was never added. */
long intern_find(const struct intern *in, struct text t);
/* Returns the text with a number. It lives until the next intern_add(). */
struct text intern_text(const struct intern *in, size_t number);
void intern_free(struct intern *in);

#endif

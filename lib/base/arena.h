/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many small texts that live and go together.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/base.h"

/* Zero it to begin. */
struct arena {
	struct arena_block *block;
};

/* A copy with a NUL behind it, which stays where it is. */
const char *arena_text(struct arena *a, struct text t);
const char *arena_format(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
void arena_free(struct arena *a);

#endif

/*
 * Many small texts that live and go together.
 */
#ifndef KEEP_H
#define KEEP_H

#include "base.h"

/* Zero it to begin. */
struct keep {
	struct keep_block *block;
};

/* A copy with a NUL behind it, which stays where it is. */
const char *keep_text(struct keep *k, struct text t);
const char *keep_format(struct keep *k, const char *fmt, ...) PRINTF_LIKE(2, 3);
void keep_free(struct keep *k);

#endif

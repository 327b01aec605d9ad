/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The blocks that are allocated, by address: how large each is, and whose.
 */
#ifndef TOOLS_PRELOAD_BLOCKS_H
#define TOOLS_PRELOAD_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct block {
	uintptr_t at;
	uint64_t bytes;
	uint32_t stack;
	uint32_t next; /* number + 1 of the next one in its bucket, or free */
};

bool blocks_open(void);
void blocks_close(void);
/* False when there is no memory. */
bool blocks_add(uintptr_t at, uint64_t bytes, uint32_t stack);
/* Take a block out; false when it is not known. */
bool blocks_take(uintptr_t at, struct block *out);
/* Around fork: no thread is in here meanwhile. */
void blocks_hold(void);
void blocks_release(void);

#endif

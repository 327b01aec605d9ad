/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of the allocated blocks by address, with the size and the stack of each.
 */
#ifndef TOOLS_PRELOAD_BLOCKS_H
#define TOOLS_PRELOAD_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* An allocated block. */
struct block {
	uintptr_t at;
	uint64_t bytes;
	uint32_t stack;
	uint32_t next; /* the number of the next one in its bucket or free list, + 1 */
};

/* Creates the table. Returns false if there is no memory. */
bool blocks_open(void);
/* Frees the table. */
void blocks_close(void);
/* Adds a block. Returns false if there is no memory. */
bool blocks_add(uintptr_t at, uint64_t bytes, uint32_t stack);
/* Removes a block and stores it in out. Returns false if the block is unknown. */
bool blocks_take(uintptr_t at, struct block *out);
/* Locks the table before a fork, so that no thread is inside it. */
void blocks_hold(void);
/* Unlocks the table after a fork. */
void blocks_release(void);

#endif

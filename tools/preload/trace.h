/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stack of a call: by frame pointers, or by the unwinder of libgcc.
 */
#ifndef TOOLS_PRELOAD_TRACE_H
#define TOOLS_PRELOAD_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/heap_file.h"

/* Return addresses, innermost first. */
struct trace {
	uintptr_t pc[HEAP_DEPTH];
	uint32_t depth;
	uintptr_t begins; /* where the caller's part begins, for the unwinder */
};

/*
 * caller: the return address of the function that the program called; frame: its frame
 * address. May allocate the first time in a thread.
 */
void trace_take(struct trace *t, uintptr_t caller, uintptr_t frame, bool by_unwinder);
uint64_t trace_hash(const struct trace *t); /* never 0 */

#endif

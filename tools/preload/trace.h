/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes the call stack, by frame pointers or with the unwinder of libgcc.
 */
#ifndef TOOLS_PRELOAD_TRACE_H
#define TOOLS_PRELOAD_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/heap_file.h"

/* The return addresses of a stack, innermost first. */
struct trace {
	uintptr_t pc[HEAP_DEPTH];
	uint32_t depth;
	uintptr_t begins; /* where the caller's frames begin, for the unwinder */
};

/*
 * Stores the stack. caller is the return address of the function that the program called,
 * and frame its frame address. It may allocate memory the first time in a thread.
 */
void trace_take(struct trace *t, uintptr_t caller, uintptr_t frame, bool by_unwinder);
/* Returns a hash of the stack, which is never 0. */
uint64_t trace_hash(const struct trace *t);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines the file through which the preloaded allocator (tools/preload/heap.c) reports to
 * bench-prof. Each program has its own file, which it maps and keeps up to date, so that
 * the file is complete however the program ends. The file is sparse; a full disk ends what
 * uses a page that has no block yet, so programs reserve pages first, and bench-prof reads
 * the file without mapping it. Its numbers have the native format, because both ends belong
 * to one build on one machine.
 */
#ifndef PROTOCOL_HEAP_FILE_H
#define PROTOCOL_HEAP_FILE_H

#include <stdatomic.h>
#include <stdint.h>

#define HEAP_MAGIC 0x3170616568636e62u /* "bncheap1" */
/* The variable in the command's environment, with the value "fp:DIR" or "dwarf:DIR". */
#define HEAP_VARIABLE "BENCH_HEAP"

/* The sizes of the tables, and of paths. */
enum {
	HEAP_DEPTH = 128,
	HEAP_MODULES = 1024,
	HEAP_PATH = 512,
	HEAP_STACKS = 1 << 18,
	HEAP_FRAMES = 1 << 23,
};

/* The counts of each stack. */
enum heap_value { HEAP_BYTES, HEAP_CALLS, HEAP_LIVE, HEAP_PEAK, HEAP_VALUES };

/* A frame of a stack. */
struct heap_frame {
	uint64_t where; /* offset in the module's file */
	uint32_t module;
	uint32_t padding;
};

/* A call stack and its values. */
struct heap_stack {
	/* HEAP_PEAK is HEAP_LIVE at the last time that a peak was recorded. */
	_Atomic uint64_t value[HEAP_VALUES];
	uint32_t first, depth; /* the first frame, innermost first, and their number */
};

/* The beginning of the file. */
struct heap_head {
	/* Set when the rest is complete, and 0 in a file for which there was no room: then
	 * the allocations of the program are unknown. */
	_Atomic uint64_t magic;
	uint32_t pid;
	char comm[16];
	_Atomic uint32_t modules, stacks, frames;
	_Atomic uint64_t live;    /* the live bytes of all stacks */
	_Atomic uint64_t peak;    /* `live` when HEAP_PEAK was recorded */
	_Atomic uint64_t dropped; /* the allocations that did not fit the tables */
	char module[HEAP_MODULES][HEAP_PATH]; /* paths; the first is "", for no file */
};

/* The file. */
struct heap_file {
	struct heap_head head;
	struct heap_stack stack[HEAP_STACKS]; /* the first is never used */
	struct heap_frame frame[HEAP_FRAMES];
};

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the interposed allocator (tools/preload/heap.c) tells bench-prof: a file for each
 * program that ran, which that program maps and keeps up to date, so that it is whole
 * however it ends. The file is sparse; all of it is native numbers, as both ends are of one
 * build on one machine.
 */
#ifndef PROTOCOL_HEAP_FILE_H
#define PROTOCOL_HEAP_FILE_H

#include <stdatomic.h>
#include <stdint.h>

#define HEAP_MAGIC 0x3170616568636e62u /* "bncheap1" */
/* What the command's environment says: "fp:DIR" or "dwarf:DIR". */
#define HEAP_VARIABLE "BENCH_HEAP"

enum {
	HEAP_DEPTH = 128,
	HEAP_MODULES = 1024,
	HEAP_PATH = 512,
	HEAP_STACKS = 1 << 18,
	HEAP_FRAMES = 1 << 23,
};

enum heap_value { HEAP_BYTES, HEAP_CALLS, HEAP_LIVE, HEAP_PEAK, HEAP_VALUES };

struct heap_frame {
	uint64_t where; /* offset in the module's file */
	uint32_t module;
	uint32_t padding;
};

struct heap_stack {
	_Atomic uint64_t
	    value[HEAP_VALUES]; /* HEAP_PEAK: live when it was last taken down */
	uint32_t first, depth;  /* of the frames, innermost first */
};

struct heap_file {
	_Atomic uint64_t magic; /* set when the rest is there */
	uint32_t pid;
	char comm[16];
	_Atomic uint32_t modules, stacks, frames;
	_Atomic uint64_t live;    /* bytes in all stacks together */
	_Atomic uint64_t peak;    /* what it was when HEAP_PEAK was taken down */
	_Atomic uint64_t dropped; /* allocations for which the tables have no room */
	char module[HEAP_MODULES][HEAP_PATH]; /* paths; the first one is "": no file */
	struct heap_stack stack[HEAP_STACKS]; /* the first one is never used */
	struct heap_frame frame[HEAP_FRAMES];
};

#endif

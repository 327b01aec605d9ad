/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps the file for bench-prof up to date: stacks, and how much each has allocated; see
 * heap_file.h.
 */
#ifndef TOOLS_PRELOAD_HEAP_WRITER_H
#define TOOLS_PRELOAD_HEAP_WRITER_H

#include "protocol/heap_file.h"
#include "trace.h"

/* The mapped file; NULL if nothing is counted. */
extern struct heap_file *heap_writer_file;

/* Creates a file in the directory. Returns false if it cannot, with heap_writer_file NULL.
 */
bool heap_writer_open(const char *directory);
/* Unmaps the file. */
void heap_writer_close(void);
/* Unmaps the file, and marks it as one of a program whose allocations are unknown. */
void heap_writer_abandon(void);
/* Returns the number of a stack, which is added if it is new; 0 if there is no room for
 * it. */
uint32_t heap_writer_stack(const struct trace *t);
/* Counts an allocation. */
void heap_writer_alloc(uint32_t stack, uint64_t bytes);
/* Counts a free. */
void heap_writer_free(uint32_t stack, uint64_t bytes);
/* Revokes a free. */
void heap_writer_back(uint32_t stack, uint64_t bytes);
/* Counts an allocation that has no stack because there is no room for it. */
void heap_writer_drop(void);
/* Locks the tables before a fork, so that no thread is inside. */
void heap_writer_hold(void);
/* Unlocks the tables after a fork. */
void heap_writer_release(void);

#endif

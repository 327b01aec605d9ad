/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What bench-prof will read, kept up to date: stacks and how much each has allocated. See
 * heap_file.h.
 */
#ifndef TOOLS_PRELOAD_HEAP_WRITER_H
#define TOOLS_PRELOAD_HEAP_WRITER_H

#include "protocol/heap_file.h"
#include "trace.h"

extern struct heap_file *heap_writer_file; /* NULL: nothing is counted */

/* A new file in the directory; false, and no heap_writer_file, when there can be none. */
bool heap_writer_open(const char *directory);
void heap_writer_close(void);
/* A stack's number; 0 when there is no room for another one. */
uint32_t heap_writer_stack(const struct trace *t);
void heap_writer_alloc(uint32_t stack, uint64_t bytes);
void heap_writer_free(uint32_t stack, uint64_t bytes);
/* It was not freed after all. */
void heap_writer_back(uint32_t stack, uint64_t bytes);
void heap_writer_drop(void); /* an allocation that could not be counted */
/* Around fork: no thread is in here meanwhile. */
void heap_writer_hold(void);
void heap_writer_release(void);

#endif

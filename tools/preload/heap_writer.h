/*
 * What bench-prof will read, kept up to date: stacks and how much each has allocated. See
 * heap_file.h.
 */
#ifndef TALLY_H
#define TALLY_H

#include "protocol/heap_file.h"
#include "trace.h"

extern struct heap_file *tally; /* NULL: nothing is counted */

/* A new file in the directory; false, and no tally, when there can be none. */
bool tally_open(const char *directory);
void tally_close(void);
/* A stack's number; 0 when there is no room for another one. */
uint32_t tally_stack(const struct trace *t);
void tally_alloc(uint32_t stack, uint64_t bytes);
void tally_free(uint32_t stack, uint64_t bytes);
/* It was not freed after all. */
void tally_back(uint32_t stack, uint64_t bytes);
void tally_drop(void); /* an allocation that could not be counted */
/* Around fork: no thread is in here meanwhile. */
void tally_hold(void);
void tally_release(void);

#endif

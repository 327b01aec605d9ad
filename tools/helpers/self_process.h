/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads facts about the helper's own process from /proc/self without allocating memory.
 */
#ifndef TOOLS_HELPERS_SELF_PROCESS_H
#define TOOLS_HELPERS_SELF_PROCESS_H

#include <stdint.h>

/* Returns a line of /proc/self/status in kB, such as "VmHWM:", in bytes. */
int64_t self_memory_bytes(const char *name);
/* Returns the number of threads; 0 if unknown. */
uint32_t self_threads(void);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a counter of this thread without a system call, if the kernel allows that: with
 * rdpmc on x86. Only the helpers link it.
 */
#ifndef TOOLS_HELPERS_COUNTER_RDPMC_H
#define TOOLS_HELPERS_COUNTER_RDPMC_H

#include <stdbool.h>

#include "protocol/spawn_proto.h"

struct perf_event_mmap_page;

/* Maps the page of an event, which only its own thread may read. Returns NULL if it cannot
 * be read this way. */
struct perf_event_mmap_page *counter_rdpmc_map(int fd);
/* Reads the count, as perf_event_open(2) describes under "rdpmc instruction". */
struct wire_count counter_rdpmc_read(const struct perf_event_mmap_page *page);

#endif

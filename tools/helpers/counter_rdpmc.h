/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a counter of this thread without the kernel, where that allows it: rdpmc on x86.
 * For the helpers, which link it alone.
 */
#ifndef TOOLS_HELPERS_COUNTER_RDPMC_H
#define TOOLS_HELPERS_COUNTER_RDPMC_H

#include <stdbool.h>

#include "protocol/spawn_proto.h"

struct perf_event_mmap_page;

/* The event's page, to be read by its own thread alone; NULL where it cannot be read so. */
struct perf_event_mmap_page *counter_rdpmc_map(int fd);
/* As perf_event_open(2) says under "rdpmc instruction". */
struct wire_count counter_rdpmc_read(const struct perf_event_mmap_page *page);

#endif

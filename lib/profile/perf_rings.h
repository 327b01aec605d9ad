/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ring buffers into which the kernel writes the records of events, one for each processor,
 * read in the order of time.
 */
#ifndef PROFILE_PERF_RINGS_H
#define PROFILE_PERF_RINGS_H

#include <linux/perf_event.h>

#include "profile/perf_record.h"

struct perf_ring {
	int fd;
	struct perf_event_mmap_page *page;
	const unsigned char *data;
	size_t size; /* a power of two */
	uint64_t head, tail;
	uint64_t next_ns; /* time of the record at tail */
};

/* Initialize with zeros. */
struct perf_rings {
	struct perf_ring *ring;
	size_t count, cap;
	unsigned char scratch[1 << 16]; /* maximum size of a record */
};

typedef int perf_rings_sink(void *ctx, const struct perf_record *r, struct fault *f);

/*
 * Maps the ring buffer of an event, of at most the given size, a power of two. The event is
 * closed with the rings, even after a failure. Returns 0 or -1.
 */
int perf_rings_add(struct perf_rings *s, int fd, size_t bytes, struct fault *f);
/*
 * Passes the records up to the time ripe_ns, by the clock of the events, to the sink, the
 * oldest first. Returns 0, or -1 if the sink fails.
 */
int perf_rings_read(struct perf_rings *s, const struct perf_layout *layout,
    uint64_t ripe_ns, perf_rings_sink *sink, void *ctx, struct fault *f);
void perf_rings_close(struct perf_rings *s);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds a profile: from records of the kernel to stacks of places in objects. The first
 * frame of every stack is the name of the process.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "profile/frames.h"
#include "profile/perf_record.h"
#include "profile/stack_symbols.h"
#include "profile/waits.h"

/* The values of a stack: the number of samples, and the sum of their periods. */
enum { PROFILE_SAMPLES, PROFILE_EVENT, PROFILE_VALUES };
/*
 * The values of a stack in a profile of waits: the time for which threads were blocked, how
 * often, and the time for which they were ready to run but had no processor.
 */
enum { WAIT_BLOCKED, WAIT_COUNT, WAIT_PREEMPTED, WAIT_VALUES };

struct profile {
	struct maps *maps;
	struct stacks stacks;
	struct perf_layout layout;
	struct frames *unwinding;          /* NULL: the kernel unwinds */
	struct waits *waits;               /* NULL: samples count */
	uint64_t samples, lost, throttled; /* samples: or waits */
	uint64_t unrecorded;               /* programs without any record */
	struct frame *frame;               /* the current stack, innermost first */
	size_t frames, frame_cap;
	uint64_t *chain; /* the program's part of the current call chain */
	size_t links, chain_cap;
};

/* Initializes an empty profile for samples of this layout; if waits is set, for samples and
 * records of context switches. */
void profile_init(struct profile *p, const struct perf_layout *layout, bool waits);
/* Announces that a process will run the program with this path. */
void profile_expect(struct profile *p, uint32_t pid, const char *path);
/* Adds a record to the profile ctx. A perf_rings_sink; always returns 0. */
int profile_record(void *ctx, const struct perf_record *r, struct fault *f);
/*
 * Reads the mappings, the name and the threads of a running process from /proc. Threads
 * that are blocked have been so since begin_ns. Returns 0 or -1.
 */
int profile_adopt(struct profile *p, uint32_t pid, uint64_t begin_ns, struct fault *f);
/* Counts the waits that have not ended up to a time. */
void profile_end(struct profile *p, uint64_t now_ns);
void profile_free(struct profile *p);

#endif

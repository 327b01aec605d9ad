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

/* The values of a stack: the number of samples, and the sum of their periods. */
enum { PROFILE_SAMPLES, PROFILE_EVENT, PROFILE_VALUES };

struct profile {
	struct maps *maps;
	struct stacks stacks;
	struct perf_layout layout;
	struct frames *unwinding; /* NULL: the kernel unwinds */
	uint64_t samples, lost, throttled;
	struct frame *frame; /* the current stack, innermost first */
	size_t frames, frame_cap;
};

/* Initializes an empty profile for samples of this layout. */
void profile_init(struct profile *p, const struct perf_layout *layout);
/* Announces that a process will run the program with this path. */
void profile_expect(struct profile *p, uint32_t pid, const char *path);
/* Adds a record to the profile ctx. A perf_rings_sink; always returns 0. */
int profile_record(void *ctx, const struct perf_record *r, struct fault *f);
/*
 * Reads the mappings, the name and the threads of a running process from /proc. Returns 0
 * or -1.
 */
int profile_adopt(struct profile *p, uint32_t pid, struct fault *f);
void profile_free(struct profile *p);

#endif

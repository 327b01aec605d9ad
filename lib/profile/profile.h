/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile in the making: records of the kernel in, stacks of places in objects out. The
 * first frame of every stack is the process's name.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "profile/frames.h"
#include "profile/perf_record.h"
#include "profile/stack_symbols.h"

/* The values of a stack: how often it was found, and how much of the event that is. */
enum { PROFILE_SAMPLES, PROFILE_EVENT, PROFILE_VALUES };

struct profile {
	struct maps *maps;
	struct stacks stacks;
	struct perf_layout layout;
	struct frames *unwinding; /* NULL: by the kernel */
	uint64_t samples, lost, throttled;
	struct frame *frame; /* one stack, innermost first */
	size_t frames, frame_cap;
};

void profile_init(struct profile *p, const struct perf_layout *layout);
/* A process that is about to become the program of this path. */
void profile_expect(struct profile *p, uint32_t pid, const char *path);
/* A perf_rings_sink; ctx is the profile. Returns 0. */
int profile_record(void *ctx, const struct perf_record *r, struct fault *f);
/* What a process that runs already has mapped, and its name and threads, from /proc. */
int profile_adopt(struct profile *p, uint32_t pid, struct fault *f);
void profile_free(struct profile *p);

#endif

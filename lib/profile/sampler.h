/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sampling of a process, its threads and its descendants with perf_event_open(2): an event
 * and a ring buffer for each processor, read in the order of time.
 */
#ifndef PROFILE_SAMPLER_H
#define PROFILE_SAMPLER_H

#include <sys/types.h>

#include "counters/counter.h"
#include "profile/perf_rings.h"

enum sampler_stack { STACK_NONE, STACK_CHAIN, STACK_DUMP };

struct sampler_opts {
	pid_t pid;
	bool running; /* it runs already: all its threads, from now on; else from its exec
	                 on */
	double frequency_hz; /* at most what the kernel allows is taken */
	enum sampler_stack stack;
	uint32_t dump_bytes; /* of the stack with each sample, for STACK_DUMP */
};

struct sampler;
/*
 * Opens the event, which sampler_close leaves alone: user_only is set when the kernel's
 * part was denied, error when it cannot be opened at all. Returns NULL and the message on
 * failure.
 */
struct sampler *sampler_open(
    const struct sampler_opts *opts, struct counter *event, struct fault *f);
double sampler_frequency_hz(const struct sampler *s);
const struct perf_layout *sampler_layout(const struct sampler *s);
/*
 * Waits for the buffers to fill, for a descriptor to become readable, or at most so long; a
 * signal ends it too. Returns true when the descriptor is readable.
 */
bool sampler_wait(struct sampler *s, int fd, int timeout_ms);
/*
 * Hands over what is in the buffers in the order of time. Records of the last moment stay,
 * as another processor's may still come, unless all is asked for. Returns 0, or -1 from the
 * sink.
 */
int sampler_read(
    struct sampler *s, bool all, perf_rings_sink *sink, void *ctx, struct fault *f);
void sampler_stop(struct sampler *s); /* no sample comes after that */
void sampler_close(struct sampler *s);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples a process, its threads and its descendants with perf_event_open(2): an event and
 * a ring buffer for each processor, read in the order of time.
 */
#ifndef PROFILE_SAMPLER_H
#define PROFILE_SAMPLER_H

#include <sys/types.h>

#include "counters/counter.h"
#include "profile/perf_rings.h"

enum sampler_stack { STACK_NONE, STACK_CHAIN, STACK_DUMP };

struct sampler_opts {
	pid_t pid;
	bool running; /* sample all threads of a running process; else begin at its exec */
	/*
	 * Record each context switch, and a sample before each that leaves a processor. The
	 * event must be context-switches. Stacks have no functions of the kernel.
	 */
	bool switches;
	double frequency_hz; /* limited to what the kernel allows; without switches */
	enum sampler_stack stack;
	uint32_t dump_bytes; /* size of the copied stack, for STACK_DUMP */
};

struct sampler;
/*
 * Opens an event. event->user_only is set if the kernel's part was denied, and event->error
 * if the event cannot be opened. Returns NULL and a message on failure. The caller keeps
 * the event.
 */
struct sampler *sampler_open(
    const struct sampler_opts *opts, struct counter *event, struct fault *f);
/* Returns the frequency that is used. */
double sampler_frequency_hz(const struct sampler *s);
/* Returns the layout of the samples. */
const struct perf_layout *sampler_layout(const struct sampler *s);
/*
 * Waits until the buffers fill, a descriptor becomes readable, the timeout ends or a signal
 * arrives. Returns whether the descriptor is readable.
 */
bool sampler_wait(struct sampler *s, int fd, int timeout_ms);
/*
 * Passes the records of the buffers to the sink in the order of time. Unless all is set,
 * the most recent records stay, because another processor may still write an older one.
 * Returns 0, or -1 if the sink fails.
 */
int sampler_read(
    struct sampler *s, bool all, perf_rings_sink *sink, void *ctx, struct fault *f);
/* Stops sampling. */
void sampler_stop(struct sampler *s);
void sampler_close(struct sampler *s);

#endif

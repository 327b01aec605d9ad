/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of the kernel's clocks, in nanoseconds. Everything is inline: bench-spawn links few
 * objects.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

static inline int64_t clock_timespec_ns(struct timespec t)
{
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int64_t clock_timeval_ns(struct timeval t)
{
	return ((int64_t)t.tv_sec * 1000000 + t.tv_usec) * 1000;
}

static inline int64_t clock_now_ns(clockid_t which)
{
	struct timespec now;

	clock_gettime(which, &now);
	return clock_timespec_ns(now);
}

/* Returns the time of CLOCK_MONOTONIC, the clock of durations. */
static inline int64_t clock_monotonic_ns(void)
{
	return clock_now_ns(CLOCK_MONOTONIC);
}

/* Returns the time of CLOCK_REALTIME, since the epoch, for time stamps. */
static inline int64_t clock_realtime_ns(void)
{
	return clock_now_ns(CLOCK_REALTIME);
}

/* Returns the duration from start_ns, a time of CLOCK_MONOTONIC, until now. */
static inline double clock_elapsed_ns(int64_t start_ns)
{
	return (double)(clock_monotonic_ns() - start_ns);
}

#endif

/*
 * Times of the kernel in ns. For bench-spawn and its modules.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

static inline int64_t clock_now_ns(clockid_t which)
{
	struct timespec now;

	clock_gettime(which, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline int64_t clock_ns(struct timeval t)
{
	return ((int64_t)t.tv_sec * 1000000 + t.tv_usec) * 1000;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions for the hooks of all plug-ins: the reason of a failure, and the clock.
 */
#ifndef HOOK_H
#define HOOK_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "bench-backend.h"

/* Writes a reason of at most BACKEND_WHY bytes, as one line. Returns -1, so that a hook can
 * `return hook_fail(...)`. */
__attribute__((format(printf, 2, 3))) static inline int hook_fail(
    char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, BACKEND_WHY, format, args);
	va_end(args);
	for (char *p = why; *p; p++)
		if ((unsigned char)*p < ' ')
			*p = ' ';
	return -1;
}

/* Returns CLOCK_MONOTONIC in nanoseconds. */
static inline int64_t hook_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines a backend that has all required hooks, and no device. Each of the invalid
 * backends in this directory differs from it in one respect.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench-backend.h"

static inline int no_device(struct backend_device *list, size_t max, char *why)
{
	(void)list;
	(void)max;
	snprintf(why, BACKEND_WHY, "it is for tests only");
	return 0;
}

static inline struct backend_session *no_session(
    const struct backend_config *config, char *why)
{
	(void)config;
	snprintf(why, BACKEND_WHY, "it is for tests only");
	return NULL;
}

static inline void close_session(struct backend_session *s)
{
	(void)s;
}

static inline void *no_memory(struct backend_session *s, size_t bytes, char *why)
{
	(void)s;
	snprintf(why, BACKEND_WHY, "no %zu bytes", bytes);
	return NULL;
}

static inline void free_memory(struct backend_session *s, void *buffer)
{
	(void)s;
	(void)buffer;
}

static inline int write_memory(struct backend_session *s, void *buffer, size_t at,
    const void *from, size_t bytes, char *why)
{
	(void)s;
	(void)why;
	memcpy((char *)buffer + at, from, bytes);
	return 0;
}

static inline int read_memory(
    struct backend_session *s, void *buffer, size_t at, void *to, size_t bytes, char *why)
{
	(void)s;
	(void)why;
	memcpy(to, (char *)buffer + at, bytes);
	return 0;
}

static inline int sync_session(struct backend_session *s, char *why)
{
	(void)s;
	(void)why;
	return 0;
}

/* All members but name and probe. */
#define WHOLE_BACKEND                                                    \
	.abi = BACKEND_ABI, .summary = "for tests", .open = no_session,  \
	.close = close_session, .alloc = no_memory, .free = free_memory, \
	.write = write_memory, .read = read_memory, .sync = sync_session

extern const struct backend bench_backend;

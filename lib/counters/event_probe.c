/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tries events; see event_probe.h.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counters/event_probe.h"

static int try_open(struct perf_event_attr *attr)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int try_event(const struct event_code *code, bool *user_only)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
		.type = code->type,
		.config = code->config,
		.config1 = code->config1,
		.config2 = code->config2,
		.disabled = 1,
		.inherit = 1,
		.exclude_user = code->exclude_user,
		.exclude_kernel = code->exclude_kernel,
		.exclude_hv = code->exclude_hv };
	int error = try_open(&attr);

	*user_only = false;
	if ((error != EACCES && error != EPERM) || attr.exclude_kernel ||
	    !event_counts_in_user_mode(code))
		return error;
	attr.exclude_kernel = attr.exclude_hv = 1;
	*user_only = try_open(&attr) == 0;
	return *user_only ? 0 : error;
}

/* Returns whether two tracepoints are of the same system. Those of ftrace are taken as
 * systems of their own, because only some of them can be counted. */
static bool same_system(const char *a, const char *b)
{
	size_t len = strcspn(a, ":") + 1;

	return strncmp(a, "ftrace:", len) != 0 && strncmp(a, b, len) == 0;
}

int event_probe_try(
    struct event_probe *p, const char *name, const struct event_code *code, bool *user_only)
{
	if (code->type != PERF_TYPE_TRACEPOINT)
		return try_event(code, user_only);
	if (!p->tracepoint || !same_system(name, p->tracepoint)) {
		free(p->tracepoint);
		p->tracepoint = str_copy(name);
		p->error = try_event(code, &p->user_only);
	}
	*user_only = p->user_only;
	return p->error;
}

void event_probe_free(struct event_probe *p)
{
	free(p->tracepoint);
}

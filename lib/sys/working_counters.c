/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tries hardware counters; see working_counters.h. The events count branches, because
 * every loop has them, and no known processor has a fixed counter for them.
 */
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "sys/working_counters.h"

enum { TURN_NS = 20000 };

/* The data that read(2) returns for the group. */
struct counts {
	uint64_t count, enabled_ns, running_ns, value[WORKING_COUNTERS_MAX];
};

static int open_counter(uint64_t what, int leader)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = what,
		.disabled = leader < 0,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
		               PERF_FORMAT_TOTAL_TIME_RUNNING };

	return (int)syscall(
	    SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

void working_counters_turn(int leader)
{
	int64_t start = clock_monotonic_ns();

	ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
	while (clock_monotonic_ns() - start < TURN_NS)
		;
	ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
}

struct working_counters working_counters_try(uint32_t wanted)
{
	uint64_t what = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	struct working_counters live = { 0 };
	int fd[WORKING_COUNTERS_MAX];
	struct counts counts = { 0 };
	uint32_t open = 0;

	if (wanted > WORKING_COUNTERS_MAX)
		wanted = WORKING_COUNTERS_MAX;
	while (open < wanted) {
		fd[open] = open_counter(what, open ? fd[0] : -1);
		if (fd[open] < 0 && !open && what == PERF_COUNT_HW_BRANCH_INSTRUCTIONS)
			fd[open] = open_counter(what = PERF_COUNT_HW_INSTRUCTIONS, -1);
		if (fd[open] < 0)
			break;
		open++;
	}
	/* The kernel accepts a group that can run only when no other event counts. */
	for (live.together = open; live.together; close(fd[--live.together])) {
		working_counters_turn(fd[0]);
		if (read(fd[0], &counts, sizeof(counts)) > 0 && counts.running_ns)
			break;
	}
	while (live.alive < live.together && counts.value[live.alive])
		live.alive++;
	for (uint32_t i = 0; i < live.together; i++)
		close(fd[i]);
	return live;
}

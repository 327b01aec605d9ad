/*
 * System-wide counters of perf; see perf_call.h.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/perf_call.h"

int perf_call_open(const struct kernel_files *t, uint32_t type, uint64_t config, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = type, .config = config
	};
	char *path;
	int fd;

	if (t->live)
		return (int)syscall(
		    SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	path = str_format(
	    "perf/type-%" PRIu32 "/config-%" PRIu64 "/cpu-%d", type, config, cpu);
	fd = kernel_file_open(t, path);
	free(path);
	return fd;
}

bool perf_call_read(const struct kernel_files *t, int fd, uint64_t *count)
{
	if (t->live)
		return read(fd, count, sizeof(*count)) == sizeof(*count);
	return kernel_file_count(fd, count);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Encodes tracepoints; see tracepoint.h.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir_names.h"
#include "counters/tracepoint.h"

/* Directories of tracefs on current and older systems. */
static const char *const places[] = { "sys/kernel/tracing/events",
	"sys/kernel/debug/tracing/events" };

enum { NOT_MINE = 1 };

/* Reads the number in a file. Returns false with errno if it cannot be read. */
static bool read_id(const struct kernel_files *t, const char *path, double *id)
{
	int fd = kernel_file_open(t, path);

	if (fd < 0)
		return false;
	close(fd);
	errno = ENOENT;
	return kernel_file_number(t, path, id);
}

int tracepoint_encode(const struct kernel_files *t, struct text system, struct text event,
    struct event_code *out, struct fault *f)
{
	bool denied = false;

	if (memchr(system.ptr, '/', system.len) || memchr(event.ptr, '/', event.len))
		return NOT_MINE;
	for (size_t i = 0; i < COUNT(places); i++) {
		char *path = str_format("%s/%.*s/%.*s/id", places[i], (int)system.len,
		    system.ptr, (int)event.len, event.ptr);
		double id;
		bool found = read_id(t, path, &id);

		denied = denied || (!found && (errno == EACCES || errno == EPERM));
		free(path);
		if (found) {
			out->type = PERF_TYPE_TRACEPOINT;
			out->config = (uint64_t)id;
			return 0;
		}
	}
	if (denied)
		return fault_set(f,
		    "event '%.*s:%.*s': /sys/kernel/tracing is not readable (as root: "
		    "mount -o remount,mode=755 /sys/kernel/tracing, or run as root)",
		    (int)system.len, system.ptr, (int)event.len, event.ptr);
	if (!kernel_file_exists(t, places[0]) && !kernel_file_exists(t, places[1]))
		return fault_set(f,
		    "event '%.*s:%.*s': no such event; if it is a tracepoint, mount "
		    "tracefs "
		    "(as root: mount -t tracefs tracefs /sys/kernel/tracing)",
		    (int)system.len, system.ptr, (int)event.len, event.ptr);
	return NOT_MINE;
}

void tracepoint_each(const struct kernel_files *t, event_visit *visit, void *ctx)
{
	const char *place = kernel_file_exists(t, places[0]) ? places[0] : places[1];
	char **system, **event;
	size_t systems = kernel_dir_names(t, place, &system);

	for (size_t i = 0; i < systems; i++) {
		char *dir = str_format("%s/%s", place, system[i]);
		size_t events = kernel_dir_names(t, dir, &event);

		for (size_t k = 0; k < events; k++) {
			char *id = str_format("%s/%s/id", dir, event[k]);
			char *name = str_format("%s:%s", system[i], event[k]);

			if (kernel_file_exists(t, id))
				visit(
				    ctx, name, "tracepoint", "a tracepoint of the kernel");
			free(id);
			free(name);
		}
		dir_names_free(event, events);
		free(dir);
	}
	dir_names_free(system, systems);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads energy from the power PMU of perf. It has the same registers as powercap, and is
 * available to users who may count whole processors. The kernel unwraps the counters to 64
 * bits. One processor of each package counts for the package: those of the file cpumask.
 *
 * In a recorded tree, a count is the text of perf/type-TYPE/config-CONFIG/cpu-CPU below the
 * root, with decimal numbers. A file that may not be read represents a counter that may not
 * be opened.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "energy/energy_source.h"
#include "text/number_set.h"

#define PMU "sys/bus/event_source/devices/power"

/* Names of the domains in perf. one: all processors read the same counter. */
static const struct {
	const char *event, *name;
	enum energy_domain domain;
	bool one;
} events[] = {
	{ "energy-pkg", "package", ENERGY_PACKAGE, false },
	{ "energy-cores", "core", ENERGY_CORE, false },
	{ "energy-gpu", "uncore", ENERGY_UNCORE, false },
	{ "energy-ram", "dram", ENERGY_DRAM, false },
	{ "energy-psys", "psys", ENERGY_PSYS, true },
};

/* As for powercap. The step is unknown; the largest usual one, 2^-14 J, is assumed. */
static const double update_s = 1e-3, quantum_joules = 1.0 / 16384;

/* Reads the configuration of an event, "event=0x02". */
static bool read_config(
    const struct kernel_files *files, const char *path, uint64_t *config)
{
	struct buf line = { 0 };
	char *end = NULL;

	errno = 0;
	if (kernel_file_line(files, path, &line) && strncmp(line.ptr, "event=0x", 8) == 0 &&
	    isxdigit((unsigned char)line.ptr[8]))
		*config = strtoull(line.ptr + 8, &end, 16);
	buf_free(&line);
	return end && errno == 0;
}

/* Returns whether the PMU has an event, and its configuration and scale. */
static bool find_event(
    const struct kernel_files *files, size_t e, uint64_t *config, double *scale)
{
	char *event = str_format(PMU "/events/%s", events[e].event),
	     *scale_path = str_format("%s.scale", event),
	     *unit_path = str_format("%s.unit", event);
	struct buf unit = { 0 };
	bool found = read_config(files, event, config) &&
	             kernel_file_number(files, scale_path, scale) && *scale > 0 &&
	             kernel_file_line(files, unit_path, &unit) &&
	             strcmp(unit.ptr, "Joules") == 0;

	free(event);
	free(scale_path);
	free(unit_path);
	buf_free(&unit);
	return found;
}

static enum energy_state explain_refusal(int error, const char *event, struct fault *why)
{
	bool denied = error == EACCES || error == EPERM;

	fault_set(why, "perf's power/%s/: %s%s", event, strerror(error),
	    denied
	        ? " (run: sudo sysctl kernel.perf_event_paranoid=0, or grant CAP_PERFMON)"
	        : "");
	return denied ? ENERGY_DENIED : ENERGY_UNSUPPORTED;
}

/* Opens a counter of a whole processor. Returns a descriptor, or -1 with errno. */
static int open_counter(
    const struct kernel_files *files, uint32_t type, uint64_t config, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = type, .config = config
	};
	char *path;
	int fd;

	if (files->live)
		return (int)syscall(
		    SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	path = str_format(
	    "perf/type-%" PRIu32 "/config-%" PRIu64 "/cpu-%d", type, config, cpu);
	fd = kernel_file_open(files, path);
	free(path);
	return fd;
}

static enum energy_state open_event(struct energy_counter_list *list,
    const struct kernel_files *files, uint32_t type, const bool *cpus, size_t e,
    struct fault *why)
{
	enum energy_state state = ENERGY_READY;
	uint64_t config = 0;
	double scale = 1;

	if (!find_event(files, e, &config, &scale))
		return ENERGY_READY;
	for (unsigned cpu = 0; state == ENERGY_READY && cpu < CPUS_MAX; cpu++) {
		struct energy_counter *c;

		if (!cpus[cpu])
			continue;
		c = energy_counter_add(list, &energy_source_perf);
		c->domain = events[e].domain;
		c->name = str_copy(events[e].name);
		c->units_per_joule = 1 / scale;
		c->quantum_joules = quantum_joules;
		c->update_s = update_s;
		c->fd = open_counter(files, type, config, (int)cpu);
		if (c->fd < 0)
			state = explain_refusal(errno, events[e].event, why);
		if (events[e].one)
			break;
	}
	return state;
}

static enum energy_state open_perf(
    struct energy_counter_list *list, const struct kernel_files *files, struct fault *why)
{
	enum energy_state state = ENERGY_READY;
	bool *cpus = mem_zero(CPUS_MAX, sizeof(*cpus));
	struct buf mask = { 0 };
	double type = 0;

	fault_set(why, "no energy event in /" PMU);
	if (kernel_file_number(files, PMU "/type", &type) &&
	    kernel_file_line(files, PMU "/cpumask", &mask))
		cpu_list_parse(text_in(&mask), cpus);
	for (size_t e = 0; e < COUNT(events) && state == ENERGY_READY; e++)
		state = open_event(list, files, (uint32_t)type, cpus, e, why);
	free(cpus);
	buf_free(&mask);
	return list->count ? state : ENERGY_UNSUPPORTED;
}

static bool read_perf(
    const struct kernel_files *files, const struct energy_counter *c, uint64_t *units)
{
	if (files->live)
		return read(c->fd, units, sizeof(*units)) == sizeof(*units);
	return kernel_file_count(c->fd, units);
}

static void close_perf(struct energy_counter *c)
{
	if (c->fd >= 0)
		close(c->fd);
}

const struct energy_source energy_source_perf = {
	.name = "perf",
	.device = ENERGY_DEVICE_PROCESSOR,
	.open = open_perf,
	.read = read_perf,
	.close = close_perf,
};

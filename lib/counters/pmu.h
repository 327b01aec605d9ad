/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the kernel's description of its PMUs from /sys/bus/event_source/devices. Each PMU
 * has a type, the fields of its configuration (format) and names of events. They are
 * defined in Documentation/ABI/testing/sysfs-bus-event_source-devices-* of the kernel.
 */
#ifndef COUNTERS_PMU_H
#define COUNTERS_PMU_H

#include "counters/event.h"

/*
 * Encodes the terms of "pmu/terms/": names of events, and field=value. name is the whole
 * text, for the message. Returns 0, or -1; out->no_pmu is set if the kernel has no such
 * PMU.
 */
int pmu_encode(const struct kernel_files *t, const char *name, struct text pmu,
    struct text terms, struct event_code *out, struct fault *f);
/* Calls visit for each "pmu/event/" that counts for a process. */
void pmu_each(const struct kernel_files *t, event_visit *visit, void *ctx);
/*
 * Returns the PMUs of the kinds of processors of the machine, sorted, or none if there is
 * only one kind. Each PMU counts only on its kind. Free the names with dir_names_free.
 */
size_t pmu_kinds(const struct kernel_files *t, char ***names);
/* Returns whether the kernel defines the event "pmu/event/". */
bool pmu_has_event(const struct kernel_files *t, const char *name);
/* Returns the number of PMUs and their names, sorted. Free them with dir_names_free. */
size_t pmu_names(const struct kernel_files *t, char ***names);
/* Finds the type of a PMU for perf_event_open(2). Returns false if there is none. */
bool pmu_type(const struct kernel_files *t, const char *pmu, uint32_t *type);
/*
 * Marks in cpus, which has CPUS_MAX places, the processors on which the PMU of this type
 * counts: those of its kind, or one of each package. Returns false if it counts on all.
 */
bool pmu_cpus(const struct kernel_files *t, uint32_t type, bool *cpus);

/*
 * Stores a value in the bits of a field. format is "config:0-7,32-35" or "config1:3".
 * Returns 0, or -1 if the format is invalid or the value has too many bits.
 */
int pmu_field(struct text format, uint64_t value, struct event_code *out);

#endif

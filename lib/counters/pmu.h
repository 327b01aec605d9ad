/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's own description of its counters: /sys/bus/event_source/devices, where every
 * PMU has its type, the fields of its configuration (format) and names for values (events).
 * The kernel's Documentation/ABI/testing/sysfs-bus-event_source-devices-* define them.
 */
#ifndef COUNTERS_PMU_H
#define COUNTERS_PMU_H

#include "counters/event.h"

/*
 * Encodes the terms of "pmu/terms/": event names and field=value. name is the whole text,
 * for the message. Returns 0, or -1; out->no_pmu is set when the kernel has no such PMU.
 */
int pmu_encode(const struct kernel_files *t, const char *name, struct text pmu,
    struct text terms, struct event_code *out, struct fault *f);
/* Each "pmu/event/" that counts what a process does. */
void pmu_each(const struct kernel_files *t, event_visit *visit, void *ctx);
/*
 * The PMUs of the kinds of processors in the machine, sorted, when there are several kinds:
 * each of them counts only what runs on its own. Else none. Free with dir_names_free.
 */
size_t pmu_kinds(const struct kernel_files *t, char ***names);
/* Returns whether "pmu/event/" is a name that the kernel gives. */
bool pmu_has_event(const struct kernel_files *t, const char *name);
/* All PMUs, sorted. Returns how many. Free with dir_names_free. */
size_t pmu_names(const struct kernel_files *t, char ***names);
/* Finds the number by which perf_event_open(2) knows a PMU. Returns false when there is
 * none. */
bool pmu_type(const struct kernel_files *t, const char *pmu, uint32_t *type);

/*
 * Puts a value into the bits of a field, as format has it: "config:0-7,32-35", "config1:3".
 * 0, or -1: the format is not understood, or the value has more bits.
 */
int pmu_field(struct text format, uint64_t value, struct event_code *out);

#endif

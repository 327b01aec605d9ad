/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the processors did with their time, from the ticks in /proc/stat; proc_stat(5) names
 * the fields. Pure.
 */
#ifndef SYS_CPU_TICKS_H
#define SYS_CPU_TICKS_H

#include "base/base.h"

/* Clock ticks since boot. Waiting for storage is idle time. */
struct cpu_ticks {
	double all, idle, steal;
};

/*
 * Reads the line of "cpu", all processors together, or of one, such as "cpu3", from the
 * text of /proc/stat. Returns false when there is no such line, or it has fewer than the
 * eight fields up to steal.
 */
bool cpu_ticks_parse(struct text stat, const char *cpu, struct cpu_ticks *out);
/*
 * Marks in busy, which has CPUS_MAX places, the processors that were busy for more than
 * half of the time between two texts of /proc/stat. Returns how many.
 */
size_t cpus_busy(struct text before, struct text after, bool *busy);

#endif

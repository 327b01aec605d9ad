/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Busy and idle time of processors from the ticks in /proc/stat, whose fields are described
 * in proc_stat(5). Pure.
 */
#ifndef SYS_CPU_TICKS_H
#define SYS_CPU_TICKS_H

#include "base/base.h"

/* Clock ticks since boot. Waiting for storage is idle time. The time of guests is part of
 * user, and that of interrupts part of system. */
struct cpu_ticks {
	double all, idle, steal, user, system, iowait;
};

/*
 * Reads one line of /proc/stat: "cpu" for all processors together, or one processor, such
 * as "cpu3". Returns false if there is no such line, or if it has fewer than the eight
 * fields up to steal.
 */
bool cpu_ticks_parse(struct text stat, const char *cpu, struct cpu_ticks *out);
/*
 * Reads the next line of one processor, and removes what precedes it and the line itself
 * from *stat. Returns false if there is none. The text must end with a NUL.
 */
bool cpu_ticks_next(struct text *stat, unsigned *number, struct cpu_ticks *out);
/*
 * Marks in busy, which has CPUS_MAX places, the processors that were busy for more than
 * half of the time between two copies of /proc/stat. Returns how many.
 */
size_t cpus_busy(struct text before, struct text after, bool *busy);

#endif

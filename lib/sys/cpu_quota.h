/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The limits of processor time that the control group of this process and the groups above
 * it have: cpu.max of version 2, and cpu.cfs_quota_us of version 1.
 */
#ifndef SYS_CPU_QUOTA_H
#define SYS_CPU_QUOTA_H

#include "sys/kernel_files.h"

/* The limit of one control group. */
struct cpu_quota {
	double pct; /* of one processor */
	/* How often the group has had processor time to distribute, and how often it used
	 * all of it, so that its processes were stopped until the next period. */
	uint64_t periods, throttled;
};

enum { CPU_QUOTAS_MAX = 16 };

/* Stores the limits, at most CPU_QUOTAS_MAX, from the innermost group to the outermost of
 * each version. Returns how many. */
size_t cpu_quotas(const struct kernel_files *files, struct cpu_quota *out);
/*
 * Appends a line, with a newline, if groups were throttled between two results of
 * cpu_quotas() of the same length. It names the group that was throttled most often.
 */
void cpu_quotas_explain(const struct cpu_quota *before, const struct cpu_quota *after,
    size_t count, struct buf *line);

#endif

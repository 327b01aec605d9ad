/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the limits of processor time; see cpu_quota.h.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "sys/control_group.h"
#include "sys/cpu_quota.h"

/*
 * Reads the quota and its period: "QUOTA PERIOD" or "max PERIOD" in a file of version 2, or
 * one number in each file of version 1, where -1 is no limit. Returns the percentage, or 0
 * if there is no limit.
 */
static double group_pct(const struct kernel_files *files, const char *group)
{
	struct buf line = { 0 };
	double quota = 0, period = 0;
	char *rest;

	if (control_group_line(files, group, "cpu.max", &line)) {
		if (isdigit((unsigned char)line.ptr[0])) {
			quota = (double)strtoull(line.ptr, &rest, 10);
			period = (double)strtoull(rest, NULL, 10);
		}
	} else if (control_group_line(files, group, "cpu.cfs_quota_us", &line) &&
	           isdigit((unsigned char)line.ptr[0])) {
		quota = (double)strtoull(line.ptr, NULL, 10);
		if (control_group_line(files, group, "cpu.cfs_period_us", &line))
			period = (double)strtoull(line.ptr, NULL, 10);
	}
	buf_free(&line);
	return period > 0 ? 100 * quota / period : 0;
}

/* Limits that are read. */
struct quotas {
	struct cpu_quota *out;
	size_t count;
};

static bool add_group(void *ctx, const struct kernel_files *files, const char *group)
{
	struct quotas *quotas = ctx;
	struct cpu_quota *q = &quotas->out[quotas->count];

	*q = (struct cpu_quota){ .pct = group_pct(files, group) };
	if (q->pct > 0) {
		control_group_count(files, group, "cpu.stat", "nr_periods", &q->periods);
		control_group_count(
		    files, group, "cpu.stat", "nr_throttled", &q->throttled);
		quotas->count++;
	}
	return quotas->count < CPU_QUOTAS_MAX;
}

size_t cpu_quotas(const struct kernel_files *files, struct cpu_quota *out)
{
	struct quotas quotas = { .out = out };

	control_groups_each(files, "cpu", add_group, &quotas);
	return quotas.count;
}

void cpu_quotas_explain(const struct cpu_quota *before, const struct cpu_quota *after,
    size_t count, struct buf *line)
{
	uint64_t most = 0;
	size_t which = 0;

	for (size_t i = 0; i < count; i++)
		if (after[i].throttled > before[i].throttled &&
		    after[i].throttled - before[i].throttled > most) {
			most = after[i].throttled - before[i].throttled;
			which = i;
		}
	if (most)
		buf_printf(line,
		    "the control group, which may use %.4g%% of a processor, used this up "
		    "in "
		    "%" PRIu64 " of %" PRIu64 " periods, and its processes were stopped "
		    "until the next; times are too long (see bench-env --check)\n",
		    after[which].pct, most, after[which].periods - before[which].periods);
}

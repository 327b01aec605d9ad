/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of metrics; see usage.h.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "counters/usage.h"

const struct usage usages[USAGES] = {
	{ METRIC_WALL, offsetof(struct wire_result, wall_ns), 1 },
	{ METRIC_USER, offsetof(struct wire_result, user_ns), 1 },
	{ METRIC_SYS, offsetof(struct wire_result, sys_ns), 1 },
	{ METRIC_MAX_RSS, offsetof(struct wire_result, max_rss_bytes), 1 },
	{ METRIC_PAGE_FAULTS, offsetof(struct wire_result, page_faults), 1 },
	{ METRIC_CONTEXT_SWITCHES, offsetof(struct wire_result, context_switches), 1 },
	{ METRIC_BLOCK_IN, offsetof(struct wire_result, block_in), 512 },
	{ METRIC_BLOCK_OUT, offsetof(struct wire_result, block_out), 512 },
};

size_t usage_find(const char *metric)
{
	size_t i = 0;

	while (i < USAGES && strcmp(run_metric_name(usages[i].metric), metric) != 0)
		i++;
	return i;
}

bool usage_has(const char *metric)
{
	return usage_find(metric) < USAGES;
}

bool usage_wall_unknown(const struct wire_result *result)
{
	return result->lost || (result->stopped && !result->timed_out);
}

void usage_values(const struct wire_result *result, double value[USAGES])
{
	for (size_t i = 0; i < USAGES; i++) {
		int64_t count;

		memcpy(&count, (const char *)result + usages[i].field, sizeof(count));
		bool unknown = result->lost || (usages[i].metric == METRIC_WALL &&
		                                   usage_wall_unknown(result));
		value[i] = unknown ? (double)NAN : (double)(count * usages[i].factor);
	}
}

void usage_of_wall(double wall_ns, double value[USAGES])
{
	for (size_t i = 0; i < USAGES; i++)
		value[i] = usages[i].metric == METRIC_WALL ? wall_ns : NAN;
}

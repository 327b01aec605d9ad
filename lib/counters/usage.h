/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics of every command: from the clock and from the accounting of the kernel (wait4).
 */
#ifndef COUNTERS_USAGE_H
#define COUNTERS_USAGE_H

#include "base/base.h"
#include "protocol/run_metric.h"
#include "protocol/spawn_proto.h"

enum { USAGES = 8 };

struct usage {
	enum run_metric metric;
	size_t field; /* offset in struct wire_result */
	int64_t factor;
};

extern const struct usage usages[USAGES];

/* Returns the index of a metric ("wall", "max_rss" ...) in the table, or USAGES. */
size_t usage_find(const char *metric);
/* Returns whether the table has a metric. */
bool usage_has(const char *metric);
/* Returns whether the duration is not known, because the helper was stopped meanwhile or
 * ended before it answered. */
bool usage_wall_unknown(const struct wire_result *result);
/* Computes the value of each metric of the table; NAN if it is not known. */
void usage_values(const struct wire_result *result, double value[USAGES]);
/* Sets the metric wall, and all others to NAN. */
void usage_of_wall(double wall_ns, double value[USAGES]);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A value of a time series of bench-run.
 */
#ifndef MONITOR_WATCH_VALUE_H
#define MONITOR_WATCH_VALUE_H

#include <stdint.h>

#include "protocol/run_metric.h"

/* One row of the series. */
struct watch_value {
	int64_t at_ns; /* CLOCK_MONOTONIC */
	enum run_metric metric;
	const char *device; /* of a GPU; NULL: of the processes */
	double value;
};

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists the built-in metrics of bench-run and their units. Other metrics take their names
 * from counters, event sets and --extract. share/metrics.csv describes each metric;
 * tests/protocol/run_metric_test.c compares its units with these.
 */
#ifndef PROTOCOL_RUN_METRIC_H
#define PROTOCOL_RUN_METRIC_H

#include <stdbool.h>

enum run_metric {
	/* the clock and the kernel's accounting */
	METRIC_WALL,
	METRIC_USER,
	METRIC_SYS,
	METRIC_MAX_RSS,
	METRIC_PAGE_FAULTS,
	METRIC_CONTEXT_SWITCHES,
	METRIC_BLOCK_IN,
	METRIC_BLOCK_OUT,
	METRIC_OK,
	/* a process over time */
	METRIC_RSS,
	METRIC_PSS,
	METRIC_CPU_UTILISATION,
	METRIC_THREADS,
	METRIC_PROCESSES,
	METRIC_READ_RATE,
	METRIC_WRITE_RATE,
	METRIC_SWITCH_RATE,
	/* graphics cards over time, in the order of gpu.h */
	METRIC_GPU_POWER,
	METRIC_GPU_UTILISATION,
	METRIC_GPU_MEMORY,
	METRIC_GPU_TEMPERATURE,
	METRIC_GPU_CLOCK,
	METRIC_GPU_MEMORY_CLOCK,
	METRIC_GPU_THROTTLE_POWER,
	METRIC_GPU_THROTTLE_THERMAL,
	METRIC_GPU_THROTTLE_OTHER,
	METRIC_GPU_SETTLED, /* not in gpu.h */
	/* energy and greenhouse gas; the domains in the order of energy.h */
	METRIC_ENERGY,
	METRIC_ENERGY_UNCERTAINTY,
	METRIC_ENERGY_NET,
	METRIC_ENERGY_NET_UNCERTAINTY,
	METRIC_ENERGY_PACKAGE,
	METRIC_ENERGY_DRAM,
	METRIC_ENERGY_GPU,
	METRIC_ENERGY_CORE,
	METRIC_ENERGY_UNCORE,
	METRIC_ENERGY_PSYS,
	METRIC_ENERGY_MODELLED,
	METRIC_CO2E,
	METRIC_CO2E_MODELLED,
	/* several workers */
	METRIC_THROUGHPUT,
	METRIC_SPEEDUP,
	METRIC_EFFICIENCY,
	METRIC_WORKER_WALL,
	METRIC_INIT_RATE,
	METRIC_INIT_SPEEDUP,
	METRIC_INIT_EFFICIENCY,
	/* requests of a load, and its periods */
	METRIC_LATENCY,
	METRIC_WAIT,
	METRIC_SERVICE,
	METRIC_OFFERED_RATE,
	METRIC_UTILIZATION,
	METRIC_LAG,
	METRIC_GOODPUT,
	METRIC_SLO_SHARE,
	METRIC_MAX_RATE,
	METRIC_MAX_RATE_LOW,
	METRIC_MAX_RATE_HIGH,
	/* functions */
	METRIC_LOAD,
	METRIC_SETUP,
	METRIC_FIRST,
	METRIC_STEADY,
	METRIC_BANDWIDTH,
	METRIC_ALLOC_CALLS,
	METRIC_ALLOC_BYTES,
	/* kernels and models */
	METRIC_OPEN,
	METRIC_COMPILE,
	METRIC_FIRST_TOKEN,
	METRIC_PER_TOKEN,
	METRIC_INTER_TOKEN,
	METRIC_TOKEN_RATE,
	METRIC_USER_TOKEN_RATE,
	METRIC_FLOP_RATE,
	METRIC_PEAK_FLOP_RATE,
	METRIC_PEAK_MATRIX_RATE,
	METRIC_PEAK_BANDWIDTH,
	METRIC_PEAK_CACHE_BANDWIDTH,
	METRIC_PEAK_CACHE_SIZE,
	METRIC_PEAK_FRACTION,
	METRIC_ARITHMETIC_INTENSITY,
	METRIC_MACS,
	METRIC_PARAMS,
	METRIC_DEVICE_MEMORY,
	METRIC_DEVICE_MEMORY_MEAN,
	METRIC_DEVICE_MEMORY_CONTEXT,
	METRIC_GRAPH,
	METRIC_FALLBACK_OPS,
	METRIC_CACHE_HIT,
	METRIC_ERROR,
	METRIC_CHOICES_DIFFERING,
	RUN_METRICS
};

/* Returns the name of a metric, such as "wall". */
const char *run_metric_name(enum run_metric m);
/* Returns the unit of a metric, such as "ns". */
const char *run_metric_unit(enum run_metric m);
/* Returns whether one of the metrics first to last has this name. */
bool run_metric_between(const char *name, enum run_metric first, enum run_metric last);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines the metrics of bench-run; see run_metric.h.
 */
#include <string.h>

#include "protocol/run_metric.h"

static const struct {
	const char *name, *unit;
} metrics[RUN_METRICS] = {
	[METRIC_WALL] = { "wall", "ns" },
	[METRIC_USER] = { "user", "ns" },
	[METRIC_SYS] = { "sys", "ns" },
	[METRIC_MAX_RSS] = { "max_rss", "B" },
	[METRIC_PAGE_FAULTS] = { "page-faults", "1" },
	[METRIC_CONTEXT_SWITCHES] = { "context-switches", "1" },
	[METRIC_BLOCK_IN] = { "block_in", "B" },
	[METRIC_BLOCK_OUT] = { "block_out", "B" },
	[METRIC_CPU_TIME] = { "cpu_time", "ns" },
	[METRIC_OK] = { "ok", "1" },
	[METRIC_RSS] = { "rss", "B" },
	[METRIC_PSS] = { "pss", "B" },
	[METRIC_CPU_UTILISATION] = { "cpu_utilisation", "1" },
	[METRIC_THREADS] = { "threads", "1" },
	[METRIC_PROCESSES] = { "processes", "1" },
	[METRIC_READ_RATE] = { "read_rate", "B/s" },
	[METRIC_WRITE_RATE] = { "write_rate", "B/s" },
	[METRIC_SWITCH_RATE] = { "switch_rate", "1/s" },
	[METRIC_IDLE] = { "idle", "ns" },
	[METRIC_IOWAIT] = { "iowait", "ns" },
	[METRIC_STEAL] = { "steal", "ns" },
	[METRIC_CPUS] = { "cpus", "1" },
	[METRIC_MEMORY_USED] = { "memory_used", "B" },
	[METRIC_FORKS] = { "forks", "1" },
	[METRIC_MAJOR_FAULTS] = { "major-faults", "1" },
	[METRIC_NET_IN] = { "net_in", "B" },
	[METRIC_NET_OUT] = { "net_out", "B" },
	[METRIC_THROTTLED] = { "throttled", "ns" },
	[METRIC_CPU_PRESSURE] = { "cpu_pressure", "ns" },
	[METRIC_CPU_PRESSURE_FULL] = { "cpu_pressure_full", "ns" },
	[METRIC_MEMORY_PRESSURE] = { "memory_pressure", "ns" },
	[METRIC_MEMORY_PRESSURE_FULL] = { "memory_pressure_full", "ns" },
	[METRIC_IO_PRESSURE] = { "io_pressure", "ns" },
	[METRIC_IO_PRESSURE_FULL] = { "io_pressure_full", "ns" },
	[METRIC_MEMORY_CURRENT] = { "memory_current", "B" },
	[METRIC_MEMORY_PEAK] = { "memory_peak", "B" },
	[METRIC_SWAP_CURRENT] = { "swap_current", "B" },
	[METRIC_GPU_POWER] = { "gpu_power", "W" },
	[METRIC_GPU_UTILISATION] = { "gpu_utilisation", "1" },
	[METRIC_GPU_MEMORY] = { "gpu_memory", "B" },
	[METRIC_GPU_TEMPERATURE] = { "gpu_temperature", "degC" },
	[METRIC_GPU_CLOCK] = { "gpu_clock", "Hz" },
	[METRIC_GPU_MEMORY_CLOCK] = { "gpu_memory_clock", "Hz" },
	[METRIC_GPU_THROTTLE_POWER] = { "gpu_throttle_power", "1" },
	[METRIC_GPU_THROTTLE_THERMAL] = { "gpu_throttle_thermal", "1" },
	[METRIC_GPU_THROTTLE_OTHER] = { "gpu_throttle_other", "1" },
	[METRIC_GPU_SETTLED] = { "gpu_settled", "1" },
	[METRIC_ENERGY] = { "energy", "J" },
	[METRIC_ENERGY_UNCERTAINTY] = { "energy_uncertainty", "J" },
	[METRIC_ENERGY_NET] = { "energy_net", "J" },
	[METRIC_ENERGY_NET_UNCERTAINTY] = { "energy_net_uncertainty", "J" },
	[METRIC_ENERGY_PACKAGE] = { "energy_package", "J" },
	[METRIC_ENERGY_DRAM] = { "energy_dram", "J" },
	[METRIC_ENERGY_GPU] = { "energy_gpu", "J" },
	[METRIC_ENERGY_CORE] = { "energy_core", "J" },
	[METRIC_ENERGY_UNCORE] = { "energy_uncore", "J" },
	[METRIC_ENERGY_PSYS] = { "energy_psys", "J" },
	[METRIC_ENERGY_DEVICE] = { "energy_device", "J" },
	[METRIC_ENERGY_DEVICE_UNCERTAINTY] = { "energy_device_uncertainty", "J" },
	[METRIC_ENERGY_MODELLED] = { "energy_modelled", "J" },
	[METRIC_CO2E] = { "co2e", "g" },
	[METRIC_ENERGY_INFERENCE] = { "energy_inference", "J" },
	[METRIC_ENERGY_INFERENCE_UNCERTAINTY] = { "energy_inference_uncertainty", "J" },
	[METRIC_CO2E_INFERENCE] = { "co2e_inference", "g" },
	[METRIC_ENERGY_TOKEN] = { "energy_token", "J" },
	[METRIC_ENERGY_TOKEN_UNCERTAINTY] = { "energy_token_uncertainty", "J" },
	[METRIC_CO2E_TOKEN] = { "co2e_token", "g" },
	[METRIC_ENERGY_PERIOD] = { "energy_period", "J" },
	[METRIC_ENERGY_PERIOD_UNCERTAINTY] = { "energy_period_uncertainty", "J" },
	[METRIC_POWER] = { "power", "W" },
	[METRIC_CO2E_MODELLED] = { "co2e_modelled", "g" },
	[METRIC_THROUGHPUT] = { "throughput", "1/s" },
	[METRIC_SPEEDUP] = { "speedup", "1" },
	[METRIC_EFFICIENCY] = { "efficiency", "1" },
	[METRIC_WORKER_WALL] = { "worker_wall", "ns" },
	[METRIC_INIT_RATE] = { "init_rate", "1/s" },
	[METRIC_INIT_SPEEDUP] = { "init_speedup", "1" },
	[METRIC_INIT_EFFICIENCY] = { "init_efficiency", "1" },
	[METRIC_LATENCY] = { "latency", "ns" },
	[METRIC_WAIT] = { "wait", "ns" },
	[METRIC_SERVICE] = { "service", "ns" },
	[METRIC_OFFERED_RATE] = { "offered_rate", "1/s" },
	[METRIC_UTILIZATION] = { "utilization", "1" },
	[METRIC_LAG] = { "lag", "ns" },
	[METRIC_GOODPUT] = { "goodput", "1/s" },
	[METRIC_SLO_SHARE] = { "slo_share", "1" },
	[METRIC_BATCH_FILL] = { "batch_fill", "1" },
	[METRIC_MAX_RATE] = { "max_rate", "1/s" },
	[METRIC_MAX_RATE_LOW] = { "max_rate_low", "1/s" },
	[METRIC_MAX_RATE_HIGH] = { "max_rate_high", "1/s" },
	[METRIC_LOAD] = { "load", "ns" },
	[METRIC_SETUP] = { "setup", "ns" },
	[METRIC_FIRST] = { "first", "ns" },
	[METRIC_STEADY] = { "steady", "1" },
	[METRIC_BANDWIDTH] = { "bandwidth", "B/s" },
	[METRIC_ALLOC_CALLS] = { "alloc_calls", "1" },
	[METRIC_ALLOC_BYTES] = { "alloc_bytes", "B" },
	[METRIC_OPEN] = { "open", "ns" },
	[METRIC_COMPILE] = { "compile", "ns" },
	[METRIC_FIRST_TOKEN] = { "first_token", "ns" },
	[METRIC_PER_TOKEN] = { "per_token", "ns" },
	[METRIC_INTER_TOKEN] = { "inter_token", "ns" },
	[METRIC_TOKEN_RATE] = { "token_rate", "1/s" },
	[METRIC_USER_TOKEN_RATE] = { "user_token_rate", "1/s" },
	[METRIC_FLOP_RATE] = { "flop_rate", "flop/s" },
	[METRIC_PEAK_FLOP_RATE] = { "peak_flop_rate", "flop/s" },
	[METRIC_PEAK_MATRIX_RATE] = { "peak_matrix_rate", "flop/s" },
	[METRIC_PEAK_BANDWIDTH] = { "peak_bandwidth", "B/s" },
	[METRIC_PEAK_CACHE_BANDWIDTH] = { "peak_cache_bandwidth", "B/s" },
	[METRIC_PEAK_CACHE_SIZE] = { "peak_cache_size", "B" },
	[METRIC_PEAK_FRACTION] = { "peak_fraction", "1" },
	[METRIC_ARITHMETIC_INTENSITY] = { "arithmetic_intensity", "flop/B" },
	[METRIC_MACS] = { "macs", "1" },
	[METRIC_INT8_SHARE] = { "int8_share", "1" },
	[METRIC_PARAMS] = { "params", "1" },
	[METRIC_DEVICE_MEMORY] = { "device_memory", "B" },
	[METRIC_DEVICE_MEMORY_MEAN] = { "device_memory_mean", "B" },
	[METRIC_DEVICE_MEMORY_CONTEXT] = { "device_memory_context", "B" },
	[METRIC_GRAPH] = { "graph", "1" },
	[METRIC_FALLBACK_OPS] = { "fallback_ops", "1" },
	[METRIC_CACHE_HIT] = { "cache_hit", "1" },
	[METRIC_ERROR] = { "error", "1" },
	[METRIC_CHOICES_DIFFERING] = { "choices_differing", "1" },
};

const char *run_metric_name(enum run_metric m)
{
	return metrics[m].name;
}

const char *run_metric_unit(enum run_metric m)
{
	return metrics[m].unit;
}

bool run_metric_between(const char *name, enum run_metric first, enum run_metric last)
{
	for (unsigned m = first; m <= last; m++)
		if (strcmp(metrics[m].name, name) == 0)
			return true;
	return false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assigns metrics to the lines that people see; see brief_metrics.h.
 */
#include "brief/brief_metrics.h"

/* Metrics with a line, in their order. A metric that is neither here nor in nowhere[], such
 * as an event or a metric of the user, is on the line of counters. */
static const struct brief_metric rows[] = {
	{ "wall", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "throughput", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "inter_token", BRIEF_RESULT, BRIEF_MEDIAN, NULL, true },
	{ "user_token_rate", BRIEF_TOKENS, BRIEF_MEDIAN, "one user", true },
	{ "offered_rate", BRIEF_RATE, BRIEF_MEDIAN, "offered", true },
	{ "utilization", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "max_rate_low", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "max_rate_high", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "slo_share", BRIEF_RATE, BRIEF_MEDIAN, "kept", true },
	{ "wait", BRIEF_REQUEST, BRIEF_MEAN, NULL, true },
	{ "service", BRIEF_REQUEST, BRIEF_MEAN, NULL, true },
	{ "token_rate", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "flop_rate", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "bandwidth", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "peak_fraction", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "speedup", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "efficiency", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "init_rate", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "init_speedup", BRIEF_RATE, BRIEF_MEDIAN, NULL, true },
	{ "error", BRIEF_RATE, BRIEF_MAXIMUM, NULL, true },
	{ "open", BRIEF_START, BRIEF_MEDIAN, NULL, true },
	{ "load", BRIEF_START, BRIEF_MEDIAN, NULL, true },
	{ "compile", BRIEF_START, BRIEF_MEDIAN, NULL, true },
	{ "first", BRIEF_START, BRIEF_MEDIAN, NULL, true },
	{ "cpu_utilisation", BRIEF_CPU, BRIEF_MEAN, "processors", true },
	{ "user", BRIEF_CPU, BRIEF_MEAN, "user", true },
	{ "sys", BRIEF_CPU, BRIEF_MEAN, "system", true },
	{ "idle", BRIEF_CPU, BRIEF_MEAN, "idle", true },
	{ "iowait", BRIEF_CPU, BRIEF_MEAN, "waiting for I/O", false },
	{ "steal", BRIEF_CPU, BRIEF_MEAN, "stolen", false },
	{ "throttled", BRIEF_CPU, BRIEF_MEAN, "throttled", false },
	{ "cpu_pressure", BRIEF_CPU, BRIEF_MEAN, "waiting", false },
	{ "memory_pressure", BRIEF_CPU, BRIEF_MEAN, "waiting for memory", false },
	{ "io_pressure", BRIEF_CPU, BRIEF_MEAN, "waiting for I/O", false },
	{ "memory_used", BRIEF_MEMORY, BRIEF_MEDIAN, "in use", true },
	{ "memory_current", BRIEF_MEMORY, BRIEF_MEDIAN, "in use", true },
	{ "swap_current", BRIEF_MEMORY, BRIEF_MEDIAN, "in swap", false },
	{ "max_rss", BRIEF_MEMORY, BRIEF_MAXIMUM, "peak", true },
	{ "device_memory", BRIEF_MEMORY, BRIEF_MAXIMUM, "on the device", false },
	{ "gpu_memory", BRIEF_MEMORY, BRIEF_MAXIMUM, "of the GPU", false },
	{ "alloc_calls", BRIEF_MEMORY, BRIEF_MEDIAN, "allocations", true },
	{ "alloc_bytes", BRIEF_MEMORY, BRIEF_MEDIAN, "allocated", true },
	{ "energy", BRIEF_ENERGY, BRIEF_MEDIAN, NULL, true },
	{ "energy_inference", BRIEF_ENERGY, BRIEF_MEDIAN, "per inference", true },
	{ "energy_token", BRIEF_ENERGY, BRIEF_MEDIAN, "per token", true },
	{ "energy_net", BRIEF_ENERGY, BRIEF_MEDIAN, NULL, true },
	{ "energy_modelled", BRIEF_ENERGY, BRIEF_MEDIAN, NULL, true },
	{ "power", BRIEF_ENERGY, BRIEF_MEDIAN, NULL, true },
	{ "co2e", BRIEF_ENERGY, BRIEF_MEDIAN, NULL, true },
	{ "co2e_modelled", BRIEF_ENERGY, BRIEF_MEDIAN, NULL, true },
	{ "ipc", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, true },
	{ "branch_miss_rate", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, true },
	{ "cache_miss_rate", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, true },
	{ "ghz", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, true },
	{ "instructions", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, true },
	{ "cycles", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, true },
	{ "page-faults", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, false },
	{ "context-switches", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, false },
	{ "cpu-migrations", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, false },
	{ "major-faults", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, false },
	{ "forks", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, false },
	{ "net_in", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, false },
	{ "net_out", BRIEF_COUNTER, BRIEF_MEDIAN, NULL, false },
};

/* Metrics that only the table of --table has: those that are measured in every run although
 * few readers need them, and facts about a subject. */
static const char *const nowhere[] = { "ok", "block_in", "block_out", "task-clock", "rss",
	"cpus", "cpu_pressure_full", "memory_pressure_full", "io_pressure_full",
	"memory_peak", "steady", "setup", "init_efficiency", "macs", "params", "graph",
	"int8_share", "arithmetic_intensity", "device_memory_mean", "device_memory_context",
	"lag", "gpu_settled", "peak_flop_rate", "peak_matrix_rate", "peak_bandwidth",
	"peak_cache_bandwidth", "peak_cache_size", "alloc_bytes_live", "live_bytes",
	"peak_bytes", "energy_uncertainty", "energy_net_uncertainty",
	"energy_inference_uncertainty", "energy_token_uncertainty", "co2e_inference",
	"co2e_token", "energy_package", "energy_dram", "energy_gpu", "energy_core",
	"energy_uncore", "energy_psys", "energy_device", "energy_device_uncertainty" };

/* The memory of a running process is measured in each window. */
static const struct brief_metric resident = { "rss", BRIEF_MEMORY, BRIEF_MEDIAN, "resident",
	true };

/* The length of a window during a command. */
static const struct brief_metric elapsed = { "wall", BRIEF_CPU, BRIEF_MEAN, "elapsed",
	true };

/* The rate of all users is shown next to that of one user, if there is one. */
static const struct brief_metric all_users = { "token_rate", BRIEF_TOKENS, BRIEF_MEDIAN,
	"all users", true };

static bool is_nowhere(struct text name)
{
	for (size_t i = 0; i < COUNT(nowhere); i++)
		if (text_is(name, nowhere[i]))
			return true;
	return false;
}

struct brief_metric brief_metric_of(const struct brief_subjects *s,
    const struct brief_subject *of, size_t group, size_t *order)
{
	struct text name = groups_cell(s->groups, group, COL_METRIC);
	struct text kind = brief_subject_cell(s, of, COL_KIND);
	struct brief_metric other = { .line = BRIEF_COUNTER, .zero = true };

	*order = COUNT(rows);
	if (text_is(kind, "process") && text_is(name, resident.name))
		return resident;
	if ((text_is(kind, "process") || text_is(kind, "machine") ||
	        text_is(kind, "cgroup")) &&
	    text_is(name, elapsed.name))
		return elapsed;
	if (is_nowhere(name)) {
		other.line = BRIEF_NOWHERE;
		return other;
	}
	if (metrics_primary(s->metrics, name, kind)) {
		other.line = BRIEF_RESULT;
		return other;
	}
	for (size_t i = 0; i < COUNT(rows); i++)
		if (text_is(name, rows[i].name)) {
			*order = i;
			return text_is(name, all_users.name) &&
			               brief_subject_metric(s, of, "user_token_rate") >= 0
			           ? all_users
			           : rows[i];
		}
	return other;
}

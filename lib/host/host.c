/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of facts, and the hash of the stable facts. A row has the name of a fact and
 * its reader; a new fact needs only a new row. The order is part of the hash: a new stable
 * fact at any position gives every machine a new env.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/host.h"
#include "host/host_read.h"
#include "text/units.h"

struct fact_row {
	const char *name, *unit;
	host_reader *read;
	const char *arg;
};

/* Facts that change only when someone changes them: hardware, system, settings. */
static const struct fact_row stable_rows[] = {
	{ "cpu_model", NULL, host_read_cpuinfo, "model name|cpu|uarch|Processor" },
	{ "cpu_vendor", NULL, host_read_cpuinfo, "vendor_id|CPU implementer|mvendorid" },
	{ "cpu_family", NULL, host_read_cpuinfo, "cpu family|CPU architecture" },
	{ "cpu_model_id", NULL, host_read_cpuinfo, "model|CPU part|marchid" },
	{ "cpu_variant", NULL, host_read_cpuinfo, "CPU variant" },
	{ "cpu_stepping", NULL, host_read_cpuinfo,
	    "stepping|CPU revision|revision|mimpid" },
	{ "cpu_microcode", NULL, host_read_cpuinfo, "microcode" },
	{ "cpu_threads", "1", host_read_threads, NULL },
	{ "cpu_cores", "1", host_read_siblings, "thread_siblings_list" },
	{ "cpu_sockets", "1", host_read_siblings, "core_siblings_list" },
	{ "numa_nodes", "1", host_read_list_size, "sys/devices/system/node/online" },
	{ "smt", NULL, host_read_smt, NULL },
	{ "cache_l1d_bytes", "B", host_read_cache, "1 Data" },
	{ "cache_l1i_bytes", "B", host_read_cache, "1 Instruction" },
	{ "cache_l2_bytes", "B", host_read_cache, "2 Unified" },
	{ "cache_l3_bytes", "B", host_read_cache, "3 Unified" },
	{ "memory_bytes", "B", host_read_memory_total, NULL },
	{ "page_size_bytes", "B", host_read_page_size, NULL },
	{ "arch", NULL, host_read_arch, NULL },
	{ "kernel", NULL, host_read_line, "proc/sys/kernel/osrelease" },
	{ "kernel_build", NULL, host_read_line, "proc/sys/kernel/version" },
	{ "os", NULL, host_read_os, NULL },
	{ "libc", NULL, host_read_libc, NULL },
	{ "hypervisor", NULL, host_read_hypervisor, NULL },
	{ "container", NULL, host_read_container, NULL },
	{ "cpufreq_driver", NULL, host_read_policies, "scaling_driver" },
	{ "governor", NULL, host_read_policies, "scaling_governor" },
	{ "energy_preference", NULL, host_read_policies, "energy_performance_preference" },
	{ "frequency_min_hz", "Hz", host_read_khz,
	    "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq" },
	{ "frequency_max_hz", "Hz", host_read_khz,
	    "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq" },
	{ "turbo", NULL, host_read_turbo, NULL },
	{ "clocksource", NULL, host_read_line,
	    "sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ "isolated_cpus", NULL, host_read_list, "sys/devices/system/cpu/isolated" },
	{ "thp", NULL, host_read_chosen, "sys/kernel/mm/transparent_hugepage/enabled" },
	{ "numa_balancing", NULL, host_read_line, "proc/sys/kernel/numa_balancing" },
	{ "aslr", NULL, host_read_line, "proc/sys/kernel/randomize_va_space" },
	{ "perf_event_paranoid", NULL, host_read_line,
	    "proc/sys/kernel/perf_event_paranoid" },
	{ "nmi_watchdog", NULL, host_read_line, "proc/sys/kernel/nmi_watchdog" },
	{ "mitigations", NULL, host_read_mitigations, NULL },
	{ "gpus", "1", host_read_gpu, "count" },
	{ "gpu_model", NULL, host_read_gpu, "model" },
	{ "gpu_driver", NULL, host_read_gpu, "driver" },
	{ "cuda", NULL, host_read_gpu, "cuda" },
	{ "gpu_memory_bytes", "B", host_read_gpu, "memory" },
	{ "gpu_power_limit_w", "W", host_read_gpu, "power_limit" },
	{ "gpu_ecc", NULL, host_read_gpu, "ecc" },
	{ "gpu_mig", NULL, host_read_gpu, "mig" },
	{ "gpu_partition", NULL, host_read_gpu, "partition" },
	{ "gpu_pcie_gen", NULL, host_read_gpu, "pcie_gen" },
	{ "gpu_pcie_width", NULL, host_read_gpu, "pcie_width" },
};

/* Facts that change on their own, or differ between processes. */
static const struct fact_row passing_rows[] = {
	{ "host", NULL, host_read_line, "proc/sys/kernel/hostname" },
	{ "cpus_allowed", NULL, host_read_allowed, NULL },
	{ "cpu_quota_pct", "%", host_read_quota, NULL },
	{ "load_1min", "1", host_read_load, NULL },
	{ "steal_pct", "%", host_read_steal, NULL },
	{ "memory_available_bytes", "B", host_read_meminfo, "MemAvailable" },
	{ "swap_used_bytes", "B", host_read_swap_used, NULL },
	{ "frequency_hz", "Hz", host_read_frequency, NULL },
	{ "temperature_c", "°C", host_read_temperature, NULL },
	{ "throttle_count", "1", host_read_throttled, NULL },
	{ "power_source", NULL, host_read_power_source, NULL },
	{ "energy_domains", NULL, host_read_energy_domains, NULL },
	{ "energy_access", NULL, host_read_energy_access, NULL },
	{ "counters", "1", host_read_counters, "all" },
	{ "counters_dead", "1", host_read_counters, "dead" },
	{ "openblas", NULL, host_read_openblas, "version" },
	{ "openblas_core", NULL, host_read_openblas, "core" },
};

void host_add(
    struct host *h, const char *name, const char *unit, bool stable, struct text value)
{
	*VEC_ADD(h->fact, h->count, h->cap) = (struct host_fact){ .name = name,
		.unit = unit,
		.stable = stable,
		.value = mem_text(value.ptr, value.len) };
}

static void read_rows(struct host *h, struct host_source *s, const struct fact_row *rows,
    size_t count, bool stable)
{
	struct buf value = { 0 };

	for (size_t i = 0; i < count; i++) {
		value.len = 0;
		rows[i].read(s, rows[i].arg, &value);
		if (value.len)
			host_add(h, rows[i].name, rows[i].unit, stable,
			    text_in(&value));
	}
	buf_free(&value);
}

void host_keep_failure(struct host *h, const struct host_source *s)
{
	int error = s->failure.error;

	if (h->unread)
		return;
	if (error && (h->stable_unknown || (error != EACCES && error != EPERM)))
		h->unread = str_format("%s: %s", s->failure.path, strerror(error));
	else if (s->refusal)
		h->unread = str_copy(s->refusal);
}

int host_read(struct host *h, const char *root, enum host_scope scope, struct fault *f)
{
	struct host_source s;

	if (host_source_open(&s, root, f) < 0)
		return -1;
	read_rows(h, &s, stable_rows, COUNT(stable_rows), true);
	h->stable_unknown = s.failure.error != 0;
	if (scope == HOST_ALL)
		read_rows(h, &s, passing_rows, COUNT(passing_rows), false);
	host_keep_failure(h, &s);
	host_source_close(&s);
	return 0;
}

const struct host_fact *host_find(const struct host *h, const char *name)
{
	for (size_t i = 0; i < h->count; i++)
		if (strcmp(h->fact[i].name, name) == 0)
			return &h->fact[i];
	return NULL;
}

bool host_number(const struct host *h, const char *name, double *out)
{
	const struct host_fact *fact = host_find(h, name);

	return fact && number_parse(text_of(fact->value), out);
}

size_t host_print(const struct host_fact *fact, char *out, size_t size)
{
	double number;

	if (fact->unit && number_parse(text_of(fact->value), &number))
		return units_print(out, size, number, fact->unit);
	snprintf(out, size, "%s", fact->value);
	return strlen(out);
}

static uint64_t fnv1a(uint64_t hash, const char *s)
{
	for (; *s; s++)
		hash = (hash ^ (unsigned char)*s) * 0x100000001b3u;
	return hash;
}

void host_env_hash(const struct host *h, char out[HOST_HASH_SIZE])
{
	uint64_t hash = 0xcbf29ce484222325u;

	out[0] = '\0';
	if (h->stable_unknown)
		return;
	for (size_t i = 0; i < h->count; i++) {
		if (!h->fact[i].stable)
			continue;
		hash = fnv1a(hash, h->fact[i].name);
		hash = fnv1a(hash, "=");
		hash = fnv1a(hash, h->fact[i].value);
		hash = fnv1a(hash, "\n");
	}
	hash = (hash >> 48 ^ hash) & 0xffffffffffffu;
	snprintf(out, HOST_HASH_SIZE, "%012" PRIx64, hash);
}

bool host_explain(const struct host *h, struct buf *line)
{
	if (h->unread)
		buf_printf(line, "%s; %s", h->unread,
		    h->stable_unknown
		        ? "env is left empty, because some of its facts are unknown"
		        : "its facts are omitted");
	return h->unread != NULL;
}

void host_name(char out[HOST_NAME_SIZE])
{
	if (gethostname(out, HOST_NAME_SIZE) < 0)
		out[0] = '\0';
	out[HOST_NAME_SIZE - 1] = '\0';
}

void host_free(struct host *h)
{
	for (size_t i = 0; i < h->count; i++)
		free(h->fact[i].value);
	free(h->fact);
	free(h->unread);
	*h = (struct host){ 0 };
}

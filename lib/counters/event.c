/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Encodes events by name; see event.h. A table has an encoder for each kind of name; the
 * first encoder that knows a name is used.
 */
#include <ctype.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "counters/event.h"
#include "counters/event_pfm.h"
#include "counters/pmu.h"
#include "counters/tracepoint.h"
#include "text/near_name.h"
#include "text/units.h"

/* The names that perf and the kernel have for every processor. */
static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
	const char *alias;
} generic[] = {
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, NULL },
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, NULL },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "faults" },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, NULL },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, NULL },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, "cs" },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS,
	    "migrations" },
	{ "cgroup-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES, NULL },
	{ "alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS, NULL },
	{ "emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS, NULL },
	{ "bpf-output", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT, NULL },
	{ "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, NULL },
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, "cpu-cycles" },
	{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, NULL },
	{ "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES, NULL },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, NULL },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	    "branch-instructions" },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, NULL },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, NULL },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, NULL },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE,
	    PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, "idle-cycles-frontend" },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE,
	    PERF_COUNT_HW_STALLED_CYCLES_BACKEND, "idle-cycles-backend" },
};

/* An event of a cache combines a cache and an access; see perf_event_open(2). */
static const struct {
	const char *name;
	uint64_t id;
} caches[] = {
	{ "L1-dcache", PERF_COUNT_HW_CACHE_L1D },
	{ "L1-icache", PERF_COUNT_HW_CACHE_L1I },
	{ "LLC", PERF_COUNT_HW_CACHE_LL },
	{ "dTLB", PERF_COUNT_HW_CACHE_DTLB },
	{ "iTLB", PERF_COUNT_HW_CACHE_ITLB },
	{ "branch", PERF_COUNT_HW_CACHE_BPU },
	{ "node", PERF_COUNT_HW_CACHE_NODE },
};
static const struct {
	const char *name;
	uint64_t operation, result;
} accesses[] = {
	{ "loads", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "load-misses", PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "stores", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "store-misses", PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS },
	{ "prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH,
	    PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ "prefetch-misses", PERF_COUNT_HW_CACHE_OP_PREFETCH,
	    PERF_COUNT_HW_CACHE_RESULT_MISS },
};

bool event_modify(struct text modifiers, struct event_code *code)
{
	bool user = false, kernel = false, hypervisor = false;

	for (size_t i = 0; i < modifiers.len; i++) {
		user = user || modifiers.ptr[i] == 'u';
		kernel = kernel || modifiers.ptr[i] == 'k';
		hypervisor = hypervisor || modifiers.ptr[i] == 'h';
		if (!strchr("ukh", modifiers.ptr[i]))
			return false;
	}
	if (modifiers.len) {
		code->exclude_user = !user;
		code->exclude_kernel = !kernel;
		code->exclude_hv = !hypervisor;
	}
	return true;
}

bool event_counts_in_user_mode(const struct event_code *code)
{
	static const uint64_t counted[] = { PERF_COUNT_SW_TASK_CLOCK,
		PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_PAGE_FAULTS,
		PERF_COUNT_SW_PAGE_FAULTS_MIN, PERF_COUNT_SW_PAGE_FAULTS_MAJ };
	bool counts =
	    code->type != PERF_TYPE_SOFTWARE && code->type != PERF_TYPE_TRACEPOINT;

	for (size_t i = 0; code->type == PERF_TYPE_SOFTWARE && i < COUNT(counted); i++)
		counts = counts || code->config == counted[i];
	return counts;
}

enum { NOT_MINE = 1 };

static int apply_modifiers(
    const char *name, struct text modifiers, struct event_code *out, struct fault *f)
{
	if (event_modify(modifiers, out))
		return 0;
	return fault_set(f, "event '%s': unknown modifier (use u, k or h)", name);
}

/* Encodes a raw event of the PMU of the processor: "r01c2:u". */
static int encode_raw(
    const struct kernel_files *t, const char *name, struct event_code *out, struct fault *f)
{
	size_t len = strcspn(name, ":");

	(void)t;
	if (name[0] != 'r' || !hex_parse((struct text){ name + 1, len - 1 }, &out->config))
		return NOT_MINE;
	out->type = PERF_TYPE_RAW;
	out->any_processor = true;
	return apply_modifiers(name, text_of(name + len + (name[len] != '\0')), out, f);
}

/* Encodes an event of a PMU of the kernel: "cpu/event=0x3c,umask=1/u". */
static int encode_pmu(
    const struct kernel_files *t, const char *name, struct event_code *out, struct fault *f)
{
	const char *first = strchr(name, '/'),
	           *last = first ? strchr(first + 1, '/') : NULL;
	struct text pmu = { name, first ? (size_t)(first - name) : 0 };

	if (!first)
		return NOT_MINE;
	if (!last)
		return fault_set(f, "event '%s': the second slash is missing", name);
	struct text terms = { first + 1, (size_t)(last - first - 1) };
	if (pmu_encode(t, name, pmu, terms, out, f) < 0)
		return -1;
	return apply_modifiers(name, text_of(last + 1 + (last[1] == ':')), out, f);
}

static bool equals_name(struct text name, const char *other)
{
	return other && strlen(other) == name.len &&
	       strncasecmp(name.ptr, other, name.len) == 0;
}

static bool find_generic(struct text name, struct event_code *out)
{
	for (size_t i = 0; i < COUNT(generic); i++)
		if (equals_name(name, generic[i].name) ||
		    equals_name(name, generic[i].alias)) {
			out->type = generic[i].type;
			out->config = generic[i].config;
			return true;
		}
	return false;
}

static bool find_cache(struct text name, struct event_code *out)
{
	for (size_t i = 0; i < COUNT(caches); i++) {
		size_t len = strlen(caches[i].name);

		if (name.len <= len || name.ptr[len] != '-' ||
		    !equals_name((struct text){ name.ptr, len }, caches[i].name))
			continue;
		struct text access = { name.ptr + len + 1, name.len - len - 1 };
		for (size_t k = 0; k < COUNT(accesses); k++)
			if (equals_name(access, accesses[k].name)) {
				out->type = PERF_TYPE_HW_CACHE;
				out->config = caches[i].id | accesses[k].operation << 8 |
				              accesses[k].result << 16;
				return true;
			}
	}
	return false;
}

static int encode_generic(
    const struct kernel_files *t, const char *name, struct event_code *out, struct fault *f)
{
	size_t len = strcspn(name, ":");
	struct text event = { name, len };

	(void)t;
	if (!find_generic(event, out) && !find_cache(event, out))
		return NOT_MINE;
	out->any_processor = out->type != PERF_TYPE_SOFTWARE;
	return apply_modifiers(name, text_of(name + len + (name[len] != '\0')), out, f);
}

static int encode_pfm(
    const struct kernel_files *t, const char *name, struct event_code *out, struct fault *f)
{
	(void)t;
	return event_pfm_encode(name, out, f);
}

/* Encodes a tracepoint: "sched:sched_switch", "syscalls:sys_enter_write:u". */
static int encode_tracepoint(
    const struct kernel_files *t, const char *name, struct event_code *out, struct fault *f)
{
	const char *event = strchr(name, ':');
	size_t len = event ? strcspn(event + 1, ":") : 0;

	if (!event || event == name || !len)
		return NOT_MINE;
	struct text system = { name, (size_t)(event - name) }, text = { event + 1, len };
	int status = tracepoint_encode(t, system, text, out, f);
	const char *rest = event + 1 + len;

	return status ? status
	              : apply_modifiers(name, text_of(rest + (*rest != '\0')), out, f);
}

static int (*const ways[])(const struct kernel_files *t, const char *name,
    struct event_code *out, struct fault *f) = {
	encode_raw,
	encode_pmu,
	encode_generic,
	encode_pfm,
	encode_tracepoint,
};

int event_encode(
    const struct kernel_files *t, const char *name, struct event_code *out, struct fault *f)
{
	for (size_t i = 0; i < COUNT(ways); i++) {
		*out = (struct event_code){ .scale = 1, .unit = "1" };
		int status = ways[i](t, name, out, f);

		if (status != NOT_MINE)
			return status;
	}
	out->unknown = true;
	return fault_set(f, "event '%s': unknown to perf and libpfm4%s", name,
	    event_pfm_installed() ? "" : ", which is not installed (Debian: libpfm4)");
}

static void each_generic(event_visit *visit, void *ctx)
{
	for (size_t i = 0; i < COUNT(generic); i++)
		visit(ctx, generic[i].name, "perf", "");
	for (size_t i = 0; i < COUNT(caches); i++)
		for (size_t k = 0; k < COUNT(accesses); k++) {
			char *name = str_format("%s-%s", caches[i].name, accesses[k].name);

			visit(ctx, name, "perf", "");
			free(name);
		}
}

int event_each(const struct kernel_files *t, event_visit *visit, void *ctx, struct fault *f)
{
	each_generic(visit, ctx);
	if (event_pfm_each(visit, ctx, f) < 0)
		return -1;
	pmu_each(t, visit, ctx);
	tracepoint_each(t, visit, ctx);
	return 0;
}

/* Copies the name of an event to a list. */
static void keep_name(void *ctx, const char *name, const char *pmu, const char *description)
{
	(void)pmu;
	(void)description;
	known_names_add(ctx, text_of(str_copy(name)));
}

void event_ask_near(const struct kernel_files *t, const char *name, struct buf *b)
{
	struct known_names known = { .owns = true };
	struct fault ignored;

	event_each(t, keep_name, &known, &ignored);
	near_names_ask(b, text_of(name), &known);
	known_names_free(&known);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Encodes events with libpfm4; see event_pfm.h. The library is loaded only when it is
 * needed. The loader must relocate the addresses in its tables, which takes as long as
 * everything else that bench-run does before it starts a command. Most events are not in
 * these tables.
 */
#include <dlfcn.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include "counters/event_pfm.h"
#include "sys/library_functions.h"

#define LIBRARY "libpfm.so.4"
#define FUNCTIONS(X)                 \
	X(pfm_get_event_attr_info)   \
	X(pfm_get_event_info)        \
	X(pfm_get_event_next)        \
	X(pfm_get_os_event_encoding) \
	X(pfm_get_pmu_info)          \
	X(pfm_initialize)            \
	X(pfm_strerror)

#define MEMBER(name) __typeof__(name) *name;
static struct {
	void *library;
	FUNCTIONS(MEMBER)
} lib;

#define FUNCTION(name) { #name, offsetof(__typeof__(lib), name), false },
static const struct library_function functions[] = { FUNCTIONS(FUNCTION) };

static int load_pfm(struct fault *f)
{
	const char *lacks;

	lib.library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!lib.library)
		return fault_set(f,
		    "events of vendors require libpfm4, which is not installed (Debian: "
		    "libpfm4)");
	lacks = library_functions_find(lib.library, functions, COUNT(functions), &lib);
	return lacks ? fault_set(f, LIBRARY ": too old, it lacks %s", lacks) : 0;
}

/* Loads and initializes the library. */
static int initialize_pfm(struct fault *f)
{
	static bool ready;
	int error;

	if (ready)
		return 0;
	if (load_pfm(f) < 0)
		return -1;
	error = lib.pfm_initialize();
	if (error != PFM_SUCCESS)
		return fault_set(f, "libpfm4: %s", lib.pfm_strerror(error));
	ready = true;
	return 0;
}

bool event_pfm_installed(void)
{
	struct fault ignored;

	return initialize_pfm(&ignored) == 0 || lib.library;
}

int event_pfm_encode(const char *name, struct event_code *out, struct fault *f)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	int error;

	if (initialize_pfm(f) < 0)
		return event_pfm_installed() ? -1 : 1;
	error = lib.pfm_get_os_event_encoding(
	    name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	if (error == PFM_ERR_NOTFOUND || error == PFM_ERR_NOTSUPP)
		return 1;
	if (error != PFM_SUCCESS)
		return fault_set(f, "event '%s': %s (see bench-list events)", name,
		    lib.pfm_strerror(error));
	out->type = attr.type;
	out->config = attr.config;
	out->config1 = attr.config1;
	out->config2 = attr.config2;
	out->exclude_user = attr.exclude_user;
	out->exclude_kernel = attr.exclude_kernel;
	out->exclude_hv = attr.exclude_hv;
	return 0;
}

bool event_pfm_present(const char *glob)
{
	struct fault ignored;
	bool found = false;

	for (int p = 0; !found && initialize_pfm(&ignored) == 0 && p < PFM_PMU_MAX; p++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		found = lib.pfm_get_pmu_info((pfm_pmu_t)p, &pmu) == PFM_SUCCESS &&
		        pmu.is_present && fnmatch(glob, pmu.name, FNM_EXTMATCH) == 0;
	}
	return found;
}

/* Calls visit for an event, and for the event with each of its unit masks. */
static void visit_event(
    const pfm_pmu_info_t *pmu, int number, event_visit *visit, void *ctx)
{
	pfm_event_info_t info = { .size = sizeof(info) };

	if (lib.pfm_get_event_info(number, PFM_OS_PERF_EVENT, &info) != PFM_SUCCESS)
		return;
	visit(ctx, info.name, pmu->name, info.desc);
	for (int i = 0; i < info.nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (lib.pfm_get_event_attr_info(number, i, PFM_OS_PERF_EVENT, &attr) !=
		        PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		char *name = str_format("%s:%s", info.name, attr.name);

		visit(ctx, name, pmu->name, attr.desc);
		free(name);
	}
}

int event_pfm_each(event_visit *visit, void *ctx, struct fault *f)
{
	if (initialize_pfm(f) < 0)
		return -1;
	for (int p = 0; p < PFM_PMU_MAX; p++) {
		pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

		if (lib.pfm_get_pmu_info((pfm_pmu_t)p, &pmu) != PFM_SUCCESS ||
		    !pmu.is_present ||
		    strncmp(pmu.name, "perf", 4) == 0) /* event.c has these names */
			continue;
		for (int e = pmu.first_event; e >= 0; e = lib.pfm_get_event_next(e))
			visit_event(&pmu, e, visit, ctx);
	}
	return 0;
}

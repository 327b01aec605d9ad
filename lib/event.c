/*
 * Events by name. libpfm4 knows perf's generic names and those of the vendors; what it does
 * not know is perf's raw form rNNN and a few of perf's aliases, which are the table below.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include "event.h"

static const struct {
	const char *alias, *name;
} aliases[] = {
	{ "cs", "context-switches" },
	{ "faults", "page-faults" },
	{ "migrations", "cpu-migrations" },
	{ "cpu-cycles", "cycles" },
	{ "branch-instructions", "branches" },
};

/* "r01c2", with modifiers: a raw event of the CPU's own PMU. */
static bool raw_event(const char *name, struct event_code *out)
{
	char *end;

	if (name[0] != 'r' || !strchr("0123456789abcdefABCDEF", name[1]) || !name[1])
		return false;
	errno = 0;
	out->config = strtoull(name + 1, &end, 16);
	out->type = PERF_TYPE_RAW;
	if (errno || (*end && strcmp(end, ":u") != 0 && strcmp(end, ":k") != 0))
		return false;
	out->exclude_kernel = strcmp(end, ":u") == 0;
	out->exclude_user = strcmp(end, ":k") == 0;
	return true;
}

static const char *without_alias(const char *name, char **allocated)
{
	size_t len = strcspn(name, ":");

	for (size_t i = 0; i < COUNT(aliases); i++)
		if (text_is((struct text){ name, len }, aliases[i].alias))
			return *allocated = str_format("%s%s", aliases[i].name, name + len);
	return name;
}

int event_encode(const char *name, struct event_code *out, struct fault *f)
{
	static bool ready;
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	char *allocated = NULL;
	int error;

	*out = (struct event_code){ 0 };
	if (raw_event(name, out))
		return 0;
	if (!ready && (error = pfm_initialize()) != PFM_SUCCESS)
		return fault_set(f, "libpfm4: %s", pfm_strerror(error));
	ready = true;
	error = pfm_get_os_event_encoding(
	    without_alias(name, &allocated), PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	free(allocated);
	if (error != PFM_SUCCESS)
		return fault_set(f,
		    "event '%s': %s (see perf list for this machine's events)", name,
		    pfm_strerror(error));
	*out = (struct event_code){ .type = attr.type,
		.config = attr.config,
		.config1 = attr.config1,
		.config2 = attr.config2,
		.exclude_user = attr.exclude_user,
		.exclude_kernel = attr.exclude_kernel,
		.exclude_hv = attr.exclude_hv };
	return 0;
}

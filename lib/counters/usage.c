/*
 * The table of usage.h.
 */
#include <stddef.h>
#include <string.h>

#include "counters/usage.h"

const struct usage usages[USAGES] = {
	{ "wall", "ns", offsetof(struct wire_result, wall_ns), 1 },
	{ "user", "ns", offsetof(struct wire_result, user_ns), 1 },
	{ "sys", "ns", offsetof(struct wire_result, sys_ns), 1 },
	{ "max_rss", "B", offsetof(struct wire_result, max_rss_bytes), 1 },
	{ "page-faults", "1", offsetof(struct wire_result, page_faults), 1 },
	{ "context-switches", "1", offsetof(struct wire_result, context_switches), 1 },
	{ "block_in", "B", offsetof(struct wire_result, block_in), 512 },
	{ "block_out", "B", offsetof(struct wire_result, block_out), 512 },
};

const struct usage *usage_find(const char *metric)
{
	for (size_t i = 0; i < USAGES; i++)
		if (strcmp(usages[i].name, metric) == 0)
			return &usages[i];
	return NULL;
}

bool usage_has(const char *metric)
{
	return usage_find(metric) != NULL;
}

double usage_value(const struct usage *u, const struct wire_result *result)
{
	int64_t value;

	memcpy(&value, (const char *)result + u->field, sizeof(value));
	return (double)(value * u->factor);
}

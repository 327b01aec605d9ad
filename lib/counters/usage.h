/*
 * What the clock and the kernel's accounting (wait4) tell of every command.
 */
#ifndef USAGE_H
#define USAGE_H

#include "base/base.h"
#include "protocol/spawn_proto.h"

struct usage {
	const char *name, *unit;
	size_t field; /* of struct wire_result */
	int64_t factor;
};

enum { USAGES = 8 };
extern const struct usage usages[USAGES];

/* "wall", "max_rss" ...: the row, or NULL. */
const struct usage *usage_find(const char *metric);
bool usage_has(const char *metric);
double usage_value(const struct usage *u, const struct wire_result *result);

#endif

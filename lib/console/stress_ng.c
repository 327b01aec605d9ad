/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of a stressor; see stress_ng.h.
 */
#include <math.h>

#include "console/stress_ng.h"

static const struct {
	const char *key, *metric, *unit;
	int exponent;
	double factor;
} kinds[STRESSOR_VALUES] = {
	[STRESSOR_OPERATIONS] = { "bogo-ops", "operations", "1", 0, 1 },
	[STRESSOR_WALL] = { "wall-clock-time", "wall", "ns", 9, 1 },
	[STRESSOR_USER] = { "user-time", "user", "ns", 9, 1 },
	[STRESSOR_SYS] = { "system-time", "sys", "ns", 9, 1 },
	[STRESSOR_RATE] = { "bogo-ops-per-second-real-time", "throughput", "1/s", 0, 1 },
	[STRESSOR_CPU_RATE] = { "bogo-ops-per-second-usr-sys-time", "cpu_time_throughput",
	    "1/s", 0, 1 },
	[STRESSOR_CPU_USAGE] = { "cpu-usage-per-instance", NULL, NULL, 0, 1 },
	[STRESSOR_MAX_RSS] = { "max-rss", "max_rss", "B", 0, 1024 },
};

const struct stressor stressor_none = {
	.value = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN },
};

enum stressor_value stressor_key(struct text key)
{
	enum stressor_value v = 0;

	while (v < STRESSOR_VALUES && !text_is(key, kinds[v].key))
		v++;
	return v;
}

struct text stress_ng_unit(struct text key)
{
	static const char rate[] = "per-sec";

	return text_begins(key, "mb-per-sec")                            ? TEXT("MB/s")
	       : key.len && memmem(key.ptr, key.len, rate, strlen(rate)) ? TEXT("1/s")
	                                                                 : TEXT("1");
}

bool stressor_is_cut_off(const struct stressor *s)
{
	return !(s->value[STRESSOR_WALL] > 0) && !(s->value[STRESSOR_RATE] > 0);
}

/* Returns whether a value of 0 is missing: it was rounded, or divided by no time. */
static bool is_missing(const struct stressor *s, enum stressor_value v)
{
	if (s->value[v] != 0 || v == STRESSOR_OPERATIONS)
		return false;
	if (v == STRESSOR_RATE || v == STRESSOR_CPU_RATE)
		return s->value[STRESSOR_OPERATIONS] > 0 || stressor_is_cut_off(s);
	return s->zeros_are_rounded || stressor_is_cut_off(s) || v == STRESSOR_MAX_RSS;
}

int stressor_put(const struct stressor *s, struct row_builder *out, struct fault *f)
{
	for (enum stressor_value v = 0; v < STRESSOR_VALUES; v++) {
		double x = decimal_shift(s->value[v], kinds[v].exponent) * kinds[v].factor;

		if (kinds[v].metric && !isnan(s->value[v]) &&
		    row_builder_put(out, text_of(kinds[v].metric), text_of(kinds[v].unit),
		        is_missing(s, v) ? NAN : x, f) < 0)
			return -1;
	}
	return 0;
}

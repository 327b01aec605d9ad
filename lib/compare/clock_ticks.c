/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recognizes times that were counted in clock ticks; see clock_ticks.h.
 */
#include <math.h>

#include "compare/clock_ticks.h"

enum { ZEROS_ONE_IN = 4 };

bool clock_ticks_metric(struct text metric, struct text unit)
{
	return (text_is(metric, "user") || text_is(metric, "sys")) && text_is(unit, "ns");
}

void clock_ticks_add(struct clock_ticks *t, const double *value, size_t count)
{
	t->count += count;
	for (size_t i = 0; i < count; i++) {
		t->zeros += value[i] == 0;
		t->whole_4ms &= fmod(value[i], 4e6) == 0;
		t->whole_10ms &= fmod(value[i], 10e6) == 0;
	}
}

bool clock_ticks_counted(const struct clock_ticks *t)
{
	return t->zeros < t->count &&
	       (t->zeros * ZEROS_ONE_IN >= t->count || t->whole_4ms || t->whole_10ms);
}

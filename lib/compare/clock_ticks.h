/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recognizes processor times that the kernel counted in clock ticks. Linux divides the
 * processor time of a process into user and sys by the number of ticks in each (proc(5),
 * CONFIG_TICK_CPU_ACCOUNTING), every 4 or 10 ms. So a short program has sys 0 or one tick,
 * by chance, and the median says nothing, while the mean of many samples is unbiased. Pure.
 */
#ifndef COMPARE_CLOCK_TICKS_H
#define COMPARE_CLOCK_TICKS_H

#include "base/base.h"

/* A summary of the values so far. Begin with CLOCK_TICKS_NONE. */
struct clock_ticks {
	size_t count, zeros;
	bool whole_4ms, whole_10ms; /* all values are multiples of this */
};
#define CLOCK_TICKS_NONE ((struct clock_ticks){ .whole_4ms = true, .whole_10ms = true })

/* Returns whether a metric may be counted in ticks: user and sys in ns. */
bool clock_ticks_metric(struct text metric, struct text unit);
/* Adds values in ns. */
void clock_ticks_add(struct clock_ticks *t, const double *value, size_t count);
/* Returns whether the values were counted in ticks: all are multiples of 4 or of 10 ms, or
 * at least a quarter of them is 0; and not all of them are 0. */
bool clock_ticks_counted(const struct clock_ticks *t);

#endif

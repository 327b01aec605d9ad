/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scales readings of counters to values.
 */
#ifndef COUNTERS_COUNTER_SCALE_H
#define COUNTERS_COUNTER_SCALE_H

#include "counters/counter.h"
#include "counters/usage.h"
#include "protocol/spawn_proto.h"

/* A value, and the percentage of the time in which it was counted. */
struct scaled_count {
	double value; /* NAN: no value */
	double running_pct;
};

/* Returns the request that asks a helper to open the event. */
struct wire_event counter_wire_event(const struct counter *c);

/*
 * Returns the value of a counter. A counter that took turns with others is scaled to the
 * whole time. A counter that never ran or could not be opened has no value. per is the
 * number of iterations by which the count is divided.
 */
struct scaled_count counter_scale(
    const struct counter *c, const struct wire_count *n, double per);

/* Returns whether all counters of a derived metric are open. */
bool derived_ready(const struct counter_set *set, const struct derived *d);
/*
 * Returns the value of a derived metric. counts has a reading for each counter, and usage
 * the other metrics of the sample. All are divided by per.
 */
struct scaled_count derived_of(const struct counter_set *set, const struct derived *d,
    const struct wire_count *counts, const double usage[USAGES], double per);

#endif

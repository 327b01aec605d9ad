/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Readings of counters scaled to values.
 */
#ifndef COUNTERS_COUNTER_SCALE_H
#define COUNTERS_COUNTER_SCALE_H

#include "counters/counter.h"
#include "counters/usage.h"
#include "protocol/spawn_proto.h"

/* A value, and the share of the time in which it was counted, in per cent. */
struct scaled_count {
	double value; /* NAN: none */
	double running_pct;
};

/* Returns the event that a helper is asked to open. */
struct wire_event counter_wire_event(const struct counter *c);

/*
 * Returns the value of a counter. One that shared the processor's counters with others is
 * scaled to the time it would have run; one that never ran has no value, nor has one that
 * could not be opened. A count that many iterations made is divided by them (per).
 */
struct scaled_count counter_scale(
    const struct counter *c, const struct wire_count *n, double per);

/* Returns whether all counters of a derived metric could be opened. */
bool derived_ready(const struct counter_set *set, const struct derived *d);
/* Returns the value of a derived metric. counts are by counter, usage has the other figures
 * of the run; all are divided by per. */
struct scaled_count derived_of(const struct counter_set *set, const struct derived *d,
    const struct wire_count *counts, const double usage[USAGES], double per);

#endif

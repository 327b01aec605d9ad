/*
 * Counters that follow this process's children from their exec to their end. For
 * bench-spawn, which links it alone.
 */
#ifndef COUNTING_H
#define COUNTING_H

#include "spawn_wire.h"

/* Open up to WIRE_EVENTS_MAX events, once; out has room for count. */
void counting_open(const struct wire_event *asked, uint32_t count, struct wire_opened *out);
/*
 * The sums over all children that have ended: a run's counts are differences. out is by
 * event; that of one that is not open stays as it is.
 */
void counting_read(struct wire_count *out);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The number of the processor's counters that count. A virtual machine shows its guest more
 * counters than it always has: where the host keeps one to itself (its NMI watchdog does),
 * an event on that counter opens, runs all the time, and reads 0. For bench-spawn, which
 * links it alone.
 */
#ifndef SYS_WORKING_COUNTERS_H
#define SYS_WORKING_COUNTERS_H

#include <stdint.h>

enum { WORKING_COUNTERS_MAX = 16 };

struct working_counters {
	uint32_t together; /* events that the kernel schedules at once; at most as wanted */
	uint32_t alive;    /* of these, the first that count: the kernel hands out counters
	                      in order */
};

/* Lets a group of disabled events count for some 20 us of this thread. */
void working_counters_turn(int leader);
/*
 * Counts one thing that surely happens with so many events at once, for some 20 us. Both
 * are 0 where there is nothing to try with.
 */
struct working_counters working_counters_try(uint32_t wanted);

#endif

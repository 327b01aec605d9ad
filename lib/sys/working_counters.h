/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The number of hardware counters that really count. A virtual machine may offer its guest
 * a counter that the host uses, for example for its NMI watchdog. An event on that counter
 * can be opened and is reported as always running, but reads 0. This module is for
 * bench-spawn, which links it without the rest of the library.
 */
#ifndef SYS_WORKING_COUNTERS_H
#define SYS_WORKING_COUNTERS_H

#include <stdint.h>

enum { WORKING_COUNTERS_MAX = 16 };

struct working_counters {
	uint32_t together; /* events that the kernel schedules at once, at most wanted */
	/* how many of these count: the first ones, since the kernel assigns counters in
	 * order */
	uint32_t alive;
};

/* Enables a group of disabled events for about 20 us of this thread. */
void working_counters_turn(int leader);
/*
 * Tries up to `wanted` events at once, for about 20 us: each counts something that
 * certainly happens. Both members are 0 if no event can be opened.
 */
struct working_counters working_counters_try(uint32_t wanted);

#endif

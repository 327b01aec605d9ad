/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of the machine before and after a run, between which events spoil samples or
 * their times: the control group used up its processor time, the kernel killed processes
 * for lack of memory, the clock was set, or the machine was suspended.
 */
#ifndef RUN_MACHINE_STATE_H
#define RUN_MACHINE_STATE_H

#include "sys/cpu_quota.h"
#include "sys/memory_kills.h"

struct machine_state {
	struct cpu_quota quota[CPU_QUOTAS_MAX];
	size_t quotas;
	struct memory_kills kills;
	int64_t epoch_ns;     /* the time of boot by CLOCK_REALTIME */
	int64_t suspended_ns; /* time since boot during which the machine was suspended */
};

/* Reads the present state. */
void machine_state_read(struct machine_state *m);
/* Appends a line, with a newline, for each event between two states. */
void machine_state_explain(const struct machine_state *before,
    const struct machine_state *after, struct buf *lines);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of the machine during a run that spoil samples or their times: the control group
 * used up its processor time, the kernel killed processes for lack of memory, or the clock
 * was set.
 */
#ifndef RUN_MACHINE_WATCH_H
#define RUN_MACHINE_WATCH_H

#include "sys/cpu_quota.h"
#include "sys/memory_kills.h"

/* The state before the first sample. */
struct machine_watch {
	struct cpu_quota quota[CPU_QUOTAS_MAX];
	size_t quotas;
	struct memory_kills kills;
	int64_t epoch_ns; /* the time of boot by CLOCK_REALTIME */
};

void machine_watch_begin(struct machine_watch *w);
/* Appends a line, with a newline, for each event since machine_watch_begin(). */
void machine_watch_end(const struct machine_watch *w, struct buf *lines);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How busy other processes keep the processors during a measurement, from the ticks in
 * /proc/stat without the processor time of this process and its children.
 */
#ifndef SYS_OTHER_LOAD_H
#define SYS_OTHER_LOAD_H

#include <sched.h>

#include "base/base.h"

struct other_load {
	size_t cpus;           /* processors that were observed; 0: unknown */
	double all, busy, own; /* at the beginning, then since then: ticks */
	cpu_set_t observed;
};

/* Begins to observe these processors; NULL: those on which this process may run. */
void other_load_begin(struct other_load *l, const cpu_set_t *cpus);
/*
 * Ends the observation. Only children that have been waited for count as children. Returns
 * how many processors the others kept busy on average, or NAN if this is unknown.
 */
double other_load_end(struct other_load *l);
/* Appends a line if the others kept at least a quarter of the processors busy. */
void other_load_explain(const struct other_load *l, double others, struct buf *lines);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Usable processors; see usable_cpus.h. The kernel intersects a set of all processors with
 * those that the cpuset of the process allows.
 */
#include <stddef.h>

#include "sys/usable_cpus.h"

bool usable_cpus(cpu_set_t *out)
{
	cpu_set_t before, all;
	bool is_known;

	CPU_ZERO(&all);
	for (size_t i = 0; i < CPU_SETSIZE; i++)
		CPU_SET(i, &all);
	if (sched_getaffinity(0, sizeof(before), &before) < 0)
		return false;
	is_known = sched_setaffinity(0, sizeof(all), &all) == 0 &&
	           sched_getaffinity(0, sizeof(*out), out) == 0;
	return sched_setaffinity(0, sizeof(before), &before) == 0 && is_known;
}

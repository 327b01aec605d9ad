/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pinning; see pin.h.
 */
#include <sched.h>
#include <stddef.h>

#include "sys/pin.h"

bool pin_worker(uint32_t number)
{
	cpu_set_t all, one;
	size_t cpu = 0;
	uint32_t before;

	if (sched_getaffinity(0, sizeof(all), &all) < 0)
		return false;
	before = number % (uint32_t)CPU_COUNT(&all);
	while (!CPU_ISSET(cpu, &all) || before--)
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return sched_setaffinity(0, sizeof(one), &one) == 0;
}

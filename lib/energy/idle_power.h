/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the power of the idle machine.
 */
#ifndef ENERGY_IDLE_POWER_H
#define ENERGY_IDLE_POWER_H

#include "energy/energy_pool.h"

/*
 * Measures the power of the counters that may be added for ns nanoseconds. The uncertainty
 * is the larger of the resolution of the counters and the standard error over ten parts of
 * the time, which is large if the machine is not idle. Returns false if a signal arrived or
 * the power is unknown.
 */
bool idle_power_measure(struct energy_sources *p, double ns, struct quantity *watts);

#endif

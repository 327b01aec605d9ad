/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The power of the idle machine.
 */
#ifndef ENERGY_IDLE_POWER_H
#define ENERGY_IDLE_POWER_H

#include "energy/energy_pool.h"

/*
 * Looks at the counters that may be added for so long. The uncertainty is the larger of
 * what they resolve and the standard error over ten parts of the time, in which a machine
 * that is not quite idle shows. Returns false when a signal came or the power is not known.
 */
bool idle_power_measure(struct energy_sources *p, double ns, struct quantity *watts);

#endif

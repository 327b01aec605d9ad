/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describes the only device of this backend.
 */
#ifndef CPU_CPU_PROBE_H
#define CPU_CPU_PROBE_H

#include "bench-backend.h"

/* Describes the device; see struct backend. */
int cpu_probe(struct backend_device *list, size_t max, char *why);
/* Returns the number of processors that this process may use. */
int cpu_processors(void);

#endif

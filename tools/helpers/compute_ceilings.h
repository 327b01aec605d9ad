/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the peaks of a device in a process of its own, so that it changes neither the
 * times of the measured process to load the backend and open the device, nor its memory.
 */
#ifndef TOOLS_HELPERS_COMPUTE_CEILINGS_H
#define TOOLS_HELPERS_COMPUTE_CEILINGS_H

#include "device/backends.h"
#include "engine/peak_measure.h"

/* Returns the peaks of a device; zeros if they cannot be measured. The process must not
 * have loaded a backend yet. */
struct measured_peaks ceilings_measure(const struct backend_file *file,
    const struct backend_config *device, enum backend_dtype dtype);

#endif

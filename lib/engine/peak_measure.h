/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the peaks of a device: its arithmetic with the kernel fma, and its memory with
 * the kernel triad (J. McCalpin, "Memory Bandwidth and Machine Balance", 1995).
 */
#ifndef ENGINE_PEAK_MEASURE_H
#define ENGINE_PEAK_MEASURE_H

#include "engine/engine.h"

/* The peaks; 0 if one could not be measured. */
struct measured_peaks {
	double flop_rate; /* in flop/s */
	double bandwidth; /* in B/s */
};

/*
 * Measures the peaks of a device in one element type, with the threads of its
 * configuration. Takes some tenths of a second.
 */
struct measured_peaks peak_measure(const struct backend *backend,
    const struct backend_config *device, enum backend_dtype dtype);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a device can do at most, measured: arithmetic by the kernel fma, and memory by the
 * kernel triad (J. McCalpin, "Memory Bandwidth and Machine Balance", 1995).
 */
#ifndef ENGINE_PEAK_MEASURE_H
#define ENGINE_PEAK_MEASURE_H

#include "engine/engine.h"

struct measured_peaks {
	double flop_rate; /* flop/s; 0: it could not be measured */
	double bandwidth; /* B/s; likewise */
};

/*
 * In this element type, on the same device with as many threads. Takes some tenths of a
 * second.
 */
struct measured_peaks peak_measure(const struct backend *backend,
    const struct backend_config *device, enum backend_dtype dtype);

#endif

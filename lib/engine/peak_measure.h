/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the peaks of a device: plain arithmetic with the kernel fma, matrix products
 * with the kernel gemm, which uses the backend's own library, and memory with the kernel
 * triad (J. McCalpin, "Memory Bandwidth and Machine Balance", 1995). The data are random,
 * because a device may be faster with zeros.
 */
#ifndef ENGINE_PEAK_MEASURE_H
#define ENGINE_PEAK_MEASURE_H

#include "engine/engine.h"

/* The peaks; 0 if one could not be measured. */
struct measured_peaks {
	double flop_rate, matrix_rate; /* in flop/s */
	double bandwidth;              /* of the memory, in B/s */
	/* Of data of less than cache_bytes, which a cache holds. */
	double cache_bandwidth, cache_bytes;
};

/*
 * Measures the peaks of a device in one element type, with the threads of its
 * configuration. Takes about a second.
 */
struct measured_peaks peak_measure(const struct backend *backend,
    const struct backend_config *device, enum backend_dtype dtype);

#endif

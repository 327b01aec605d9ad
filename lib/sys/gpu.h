/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVIDIA's graphics cards through NVML, the library of their driver, which is loaded when
 * it is asked for. The functions and structures are those of NVIDIA's "NVML API Reference
 * Guide"; no header of theirs is needed.
 */
#ifndef SYS_GPU_H
#define SYS_GPU_H

#include "base/base.h"

enum gpu_metric {
	GPU_POWER,
	GPU_UTILISATION,
	GPU_MEMORY,
	GPU_TEMPERATURE,
	GPU_CLOCK,
	GPU_MEMORY_CLOCK,
	GPU_METRICS
};

struct gpus;
/* Opens all cards. Returns NULL and the message when there is no driver, or no card. */
struct gpus *gpus_open(struct fault *f);
/* The library stays loaded, as threads of it may run. */
void gpus_close(struct gpus *g);
size_t gpus_count(const struct gpus *g);
/* "gpu0"; as the driver numbers them. */
const char *gpus_name(const struct gpus *g, size_t i);
/* What a card tells now; NAN for what it does not. */
void gpus_read(const struct gpus *g, size_t i, double value[GPU_METRICS]);
/* Energy since the driver was loaded, in mJ; false on cards without that counter. */
bool gpus_energy(const struct gpus *g, size_t i, uint64_t *millijoules);

#endif

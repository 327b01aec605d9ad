/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVIDIA's graphics cards through NVML, the library of their driver, which is loaded on
 * demand. The functions and structures are declared here from NVIDIA's "NVML API Reference
 * Guide", so that NVIDIA's header is not needed.
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
/* Closes the cards. The library remains loaded, because its threads may still run. */
void gpus_close(struct gpus *g);
size_t gpus_count(const struct gpus *g);
/* Returns the name of a card, such as "gpu0", with the driver's number. */
const char *gpus_name(const struct gpus *g, size_t i);
/* Reads the current values of a card; NAN where the card has none. */
void gpus_read(const struct gpus *g, size_t i, double value[GPU_METRICS]);
/* Reads the energy since the driver was loaded. Returns false on cards without this
 * counter.
 */
bool gpus_energy(const struct gpus *g, size_t i, uint64_t *millijoules);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks NVIDIA's management library for what the CUDA driver does not report.
 */
#ifndef GPU_CUDA_NVML_H
#define GPU_CUDA_NVML_H

#include <stddef.h>
#include <stdint.h>

/* Writes the version of the driver; an empty string if it is unknown. */
void cuda_nvml_version(char *version, size_t size);
/* Returns the bytes in use on the device with this PCI address, by all processes; -1 if
 * unknown.
 */
int64_t cuda_nvml_used(const char *pci);

#endif

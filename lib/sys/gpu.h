/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GPUs: NVIDIA's through NVML and AMD's through ROCm SMI, libraries that are
 * loaded on demand, and those of AMD and Intel through files of the kernel. The functions
 * and structures of the libraries are declared here, so that their headers are not needed.
 */
#ifndef SYS_GPU_H
#define SYS_GPU_H

#include "base/base.h"
#include "sys/kernel_files.h"

enum gpu_metric {
	GPU_POWER,
	GPU_UTILISATION,
	GPU_MEMORY,
	GPU_TEMPERATURE,
	GPU_CLOCK,
	GPU_MEMORY_CLOCK,
	/* 1 or 0: whether something limits the clock rates at the moment */
	GPU_THROTTLE_POWER,
	GPU_THROTTLE_THERMAL,
	GPU_THROTTLE_OTHER,
	GPU_METRICS
};

/* Properties that change only when someone changes the hardware, the driver or a setting.
 */
enum gpu_fact {
	GPU_FACT_MODEL,
	GPU_FACT_DRIVER,
	GPU_FACT_CUDA,
	GPU_FACT_MEMORY,      /* in bytes */
	GPU_FACT_POWER_LIMIT, /* in W */
	GPU_FACT_ECC,         /* "on" or "off" */
	GPU_FACT_MIG,         /* likewise */
	GPU_FACT_PARTITION,   /* of an AMD accelerator, such as "SPX" */
	GPU_FACT_PCIE_GEN,    /* the highest that the card and its slot support */
	GPU_FACT_PCIE_WIDTH,  /* likewise, in lanes */
	GPU_FACTS
};

struct gpus;
/*
 * Opens all cards. A card of files, which must outlive the cards, is read from them;
 * libraries are used only if the files are those of this machine. Returns NULL and the
 * message when there is no driver, or no card.
 */
struct gpus *gpus_open(const struct kernel_files *files, struct fault *f);
/* Closes the cards. Libraries remain loaded, because their threads may still run. */
void gpus_close(struct gpus *g);
size_t gpus_count(const struct gpus *g);
/* Returns the name of a card, such as "gpu0", with the driver's number. */
const char *gpus_name(const struct gpus *g, size_t i);
/* Returns the name of the interface to a card: "nvml", "rocm_smi", "amdgpu", "i915", "xe".
 */
const char *gpus_interface(const struct gpus *g, size_t i);
/* Reads the current values of a card; NAN where the card has none. */
void gpus_read(const struct gpus *g, size_t i, double value[GPU_METRICS]);
/* Reads an energy counter. Returns false on cards without this counter. */
bool gpus_energy(const struct gpus *g, size_t i, uint64_t *millijoules);
/* Appends the value of a fact, or nothing if the card does not provide it. */
void gpus_fact(const struct gpus *g, size_t i, enum gpu_fact fact, struct buf *out);
/*
 * Appends an identifier of a card, which no other card has; nothing if the interface has
 * none.
 */
void gpus_put_id(const struct gpus *g, size_t i, struct buf *out);
/* Returns the PCI address of a card, such as "0000:3b:00.0"; empty if it is not known. */
const char *gpus_pci(const struct gpus *g, size_t i);
/* Returns the card at a PCI address such as "0000:3b:00.0", as a set of bits by number; 0
 * if there is none among the first 64. */
uint64_t gpus_at(const struct gpus *g, const char *pci);
/* Locks the clock of a card at this rate in MHz; 0 unlocks it. Returns 0, or -1 and the
 * message. */
int gpus_lock_clock(const struct gpus *g, size_t i, unsigned mhz, struct fault *f);
/* Returns whether a library for GPUs is installed. */
bool gpus_have_library(void);

#endif

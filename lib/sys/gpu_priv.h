/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The drivers of GPUs; see gpu.h.
 */
#ifndef SYS_GPU_PRIV_H
#define SYS_GPU_PRIV_H

#include "sys/gpu.h"

/* A card. */
struct gpu_card {
	const struct gpu_interface *driver;
	const char *interface; /* the name of the interface */
	unsigned number;       /* in the order of the driver, from the first one's */
	char name[16];
	char
	    pci[16]; /* its PCI address, such as "0000:03:00.0"; empty if it is not known */
	void *own;   /* a driver's data, which close frees */
};

struct gpu_card_list {
	struct gpu_card *card;
	size_t count, cap;
	const struct kernel_files *files;
};

/* An interface to cards. */
struct gpu_interface {
	/* Adds the cards. Returns 0, or -1 and why there are none; the message is empty if
	 * the user does not expect such cards. */
	int (*open)(struct gpu_card_list *list, struct fault *f);
	void (*close)(struct gpu_card *c);
	/* The values are NAN at first. */
	void (*read)(struct gpu_card *c, double value[GPU_METRICS]);
	bool (*energy)(struct gpu_card *c, uint64_t *millijoules);
	void (*fact)(struct gpu_card *c, enum gpu_fact fact, struct buf *out);
	/* NULL if cards have no identifier */
	void (*put_id)(struct gpu_card *c, struct buf *out);
	/* NULL if the interface cannot lock clocks */
	int (*lock_clock)(struct gpu_card *c, unsigned mhz, struct fault *f);
};

extern const struct gpu_interface gpu_nvml, gpu_rocm, gpu_sysfs;

/* Adds a card with this number, which the driver completes. */
struct gpu_card *gpu_card_add(struct gpu_card_list *list,
    const struct gpu_interface *driver, const char *interface, unsigned number);
/* Returns the handle of a library, or NULL. */
void *gpu_nvml_library(void);
void *gpu_rocm_library(void);

/* The directory of the files of cards. */
#define GPU_FILES_DIR "sys/class/drm/"

/* The files of a card of AMD or Intel. */
struct gpu_files;
/* Returns the files of a card by its name in the directory; NULL if no card has this name,
 * or its driver is another one. */
struct gpu_files *gpu_files_open(const struct kernel_files *files, const char *name);
/*
 * Returns the files of the card at a PCI address such as "0000:03:00.0", or NULL. For a
 * card that a library manages.
 */
struct gpu_files *gpu_files_of_pci(const struct kernel_files *files, const char *address);
void gpu_files_close(struct gpu_files *c);
/* Sets the values that are NAN, if the files have them. */
void gpu_files_read(struct gpu_files *c, double value[GPU_METRICS]);
void gpu_files_fact(struct gpu_files *c, enum gpu_fact fact, struct buf *out);
/* Reads the energy counter. Returns false if there is none. */
bool gpu_files_energy(const struct gpu_files *c, double *joules);
/* Returns the name of the kernel's driver, such as "amdgpu". */
const char *gpu_files_driver(const struct gpu_files *c);
/* Returns the PCI address of the card. */
const char *gpu_files_address(const struct gpu_files *c);

#endif

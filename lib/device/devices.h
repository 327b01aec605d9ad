/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the devices of each backend. A backend is probed in a process of its own, so that a
 * crash or a hang does no harm.
 */
#ifndef DEVICE_DEVICES_H
#define DEVICE_DEVICES_H

#include "device/backends.h"

/* A device. */
struct device {
	size_t backend; /* the index of its backend */
	uint32_t index; /* in the list of the backend's probe */
	struct backend_device about;
};

/* A backend and its devices. */
struct device_backend {
	struct backend_file *file;
	char *why;           /* why it has no device that can be used; NULL if it has one */
	size_t first, count; /* the index of its first device, and their number */
	size_t usable;       /* the number of devices that can be used */
	/* The extensions of the model files that it reads, separated by spaces; empty if it
	 * runs operations. */
	char formats[128];
};

/* All backends and devices. */
struct devices {
	struct backend_file *file;
	struct device_backend *backend;
	size_t backends;
	struct device *device;
	size_t count, cap;
};

/* Probes the backends for whose names wanted(ctx, name) is true, or all if wanted is NULL.
 * All probes run concurrently, for at most 15 seconds. */
void devices_find(
    struct devices *d, bool (*wanted)(const void *ctx, const char *name), const void *ctx);
/* Frees the backends and devices. */
void devices_free(struct devices *d);
/* Returns a backend by name, or NULL. */
const struct device_backend *devices_backend(const struct devices *d, const char *name);

#endif

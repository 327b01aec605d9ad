/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which devices there are, as each backend tells. It is asked in a process of its own, so
 * that one that crashes or hangs takes nothing with it.
 */
#ifndef DEVICE_DEVICES_H
#define DEVICE_DEVICES_H

#include "device/backends.h"

struct device {
	size_t backend; /* which one */
	uint32_t index; /* its place in what the backend told */
	struct backend_device about;
};

struct device_backend {
	struct backend_file *file;
	char *why;           /* it has no devices; or NULL */
	size_t first, count; /* of its devices */
};

struct devices {
	struct backend_file *file;
	struct device_backend *backend;
	size_t backends;
	struct device *device;
	size_t count, cap;
};

/* Asks those backends that are wanted (NULL: all), by name. At most some seconds, all at
 * once. */
void devices_find(
    struct devices *d, bool (*wanted)(const void *ctx, const char *name), const void *ctx);
void devices_free(struct devices *d);
/* Returns a backend by name, or NULL. */
const struct device_backend *devices_backend(const struct devices *d, const char *name);

#endif

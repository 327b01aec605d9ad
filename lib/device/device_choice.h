/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses devices by a name of -b: that of a backend, that of a family of devices (cuda,
 * rocm, mps ...), or auto.
 */
#ifndef DEVICE_DEVICE_CHOICE_H
#define DEVICE_DEVICE_CHOICE_H

#include "device/devices.h"

/* The devices that one subject runs on, all of one backend. Its workers use them in turn.
 */
struct device_choice {
	const struct device_backend *backend;
	const struct device **device;
	size_t count;
};

/* Returns whether a name of -b is the name of a backend, so that no other has to be probed.
 */
bool device_names_backend(const char *name);
/*
 * Stores the backend that a name of -b selects, and its suitable devices. Appends a line to
 * the note if the backend has another name. Returns 0, or -1 and the message.
 */
int device_choose_backend(const struct devices *d, const char *name,
    struct device_choice *out, struct buf *note, struct fault *f);
/*
 * Stores in a new choice the device that a value of -P device selects from another choice:
 * by its number or a part of its name, or several devices joined by +. NULL selects the
 * first device. Returns 0, or -1 and the message.
 */
int device_choose(const struct device_choice *of, const char *value,
    struct device_choice *out, struct fault *f);
/* Frees a choice. */
void device_choice_free(struct device_choice *c);
/* Returns the name of a device, with its number if the backend has several of that name.
 * The caller frees it. */
char *device_name(const struct devices *d, const struct device *device);

#endif

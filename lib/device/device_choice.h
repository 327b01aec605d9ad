/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What people ask for, and which device that is: a backend by its name, a family of devices
 * by another (cuda, rocm, mps ...), or auto.
 */
#ifndef DEVICE_DEVICE_CHOICE_H
#define DEVICE_DEVICE_CHOICE_H

#include "device/devices.h"

/* Devices that one subject runs on, of one backend; its workers take turns. */
struct device_choice {
	const struct device_backend *backend;
	const struct device **device;
	size_t count;
};

/* Returns whether a name of -b is simply a backend's: no other one has to be asked. */
bool device_names_backend(const char *name);
/*
 * Returns the backend that a name of -b stands for and its devices that can serve; a note
 * for people when it is not simply the one named. -1 and why there is none.
 */
int device_choose_backend(const struct devices *d, const char *name,
    struct device_choice *out, struct buf *note, struct fault *f);
/*
 * Of these, the one that a value of -P device says: its number, part of its name, or
 * several joined by +. NULL: the first. Fills a new choice. Returns -1 and the message when
 * there is none.
 */
int device_choose(const struct device_choice *of, const char *value,
    struct device_choice *out, struct fault *f);
void device_choice_free(struct device_choice *c);
/* The device's name, with its number when the backend has several of that name; allocated.
 */
char *device_name(const struct devices *d, const struct device *device);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses devices by a value of -b: the name of a backend, that of a family of devices
 * (cuda, rocm, mps ...), or auto; and, after a colon, a word for one of the devices.
 */
#ifndef DEVICE_DEVICE_CHOICE_H
#define DEVICE_DEVICE_CHOICE_H

#include "device/devices.h"

/* The devices that one subject runs on, all of one backend. Its workers use them in
 * turn. */
struct device_choice {
	const struct device_backend *backend;
	const struct device **device;
	size_t count;
};

/*
 * Returns the name in a value of -b, which the caller frees, and stores the word for the
 * device, which points into the value; NULL if it has none.
 */
char *device_split(const char *value, const char **word);
/* Returns whether a value of -b may select devices of a backend, so that it has to be
 * probed. */
bool device_needs(const char *value, const char *backend);
/* Checks that a value of -b names a backend, a family or auto; the devices may not be
 * probed. Returns 0, or -1 and the message. */
int device_check(const struct devices *d, const char *value, struct fault *f);
/*
 * Stores the backend that a name selects, and its devices. A family or auto selects only
 * devices that can be used; for a kernel, it prefers backends other than engines. Appends
 * a line to the note if the backend has another name. Returns 0, or -1 and the message; the
 * choice is then empty.
 */
int device_choose_backend(const struct devices *d, const char *name, bool kernel,
    struct device_choice *out, struct buf *note, struct fault *f);
/*
 * Stores in a new choice the device that a word selects from another choice: by the word of
 * its backend, its PCI address, its number or a part of its name; or several devices joined
 * by +. NULL selects the first device that can be used. Returns 0, or -1 and the message.
 */
int device_choose(const struct device_choice *of, const char *word,
    struct device_choice *out, struct fault *f);
/* Returns whether a device is emulated, so that its times are not those of a device. */
bool device_is_emulated(const struct backend_device *about);
/* Frees a choice. */
void device_choice_free(struct device_choice *c);
/* Returns the name of a device, with its number if the backend has several of that name.
 * The caller frees it. */
char *device_name(const struct devices *d, const struct device *device);
/* Returns the value of -b that selects a device. The caller frees it. */
char *device_value(const struct devices *d, const struct device *device);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Families of devices, by the names that frameworks use, and the choices of auto.
 */
#ifndef DEVICE_DEVICE_FAMILY_PRIV_H
#define DEVICE_DEVICE_FAMILY_PRIV_H

#include "device/device_choice.h"

struct device_family;

/* Returns the family of this name, or NULL. */
const struct device_family *device_family(const char *name);
/* Returns the name of the family with this index, or NULL after the last one. */
const char *device_family_name(size_t index);
/* Returns whether any family, or auto, may select devices of a backend: it is one of
 * benchutils, even if this build lacks it. */
bool device_family_of_any(const char *backend);
/* Returns how to get the plug-in of such a backend if the build lacks it. */
const char *device_family_build(const char *backend);
/* Returns whether a family may select devices of a backend; for NULL, whether auto may. */
bool device_family_needs(const struct device_family *family, const char *backend);
/*
 * Stores the devices that a family selects; for NULL, those of auto. `kernel` is that of
 * device_choose_backend(). Appends a line to the note if the backend has another name than
 * the family. Returns 0, or -1 and the message.
 */
int device_family_choose(const struct devices *d, const struct device_family *family,
    bool kernel, struct device_choice *out, struct buf *note, struct fault *f);

#endif

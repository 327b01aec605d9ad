/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places a kernel or model on devices: its template gets what is known about them, and the
 * columns that follow from them.
 */
#ifndef SUBJECT_COMPUTE_PLACE_H
#define SUBJECT_COMPUTE_PLACE_H

#include "device/device_choice.h"
#include "subject/compute.h"

/* Opens the list of a kernel or model. Returns NULL and the message on failure. */
struct model *compute_open_model(const struct template *t, struct fault *f);
/*
 * Places a template on the devices of a choice. The other common sweeps, which must outlive
 * the template, may include options of engines. Returns 0, or -1 and the message if its
 * list cannot be read, or the backend cannot run it.
 */
int compute_place(struct template *t, const struct devices *d,
    const struct device_choice *choice, const struct sweep *common, size_t commons,
    struct fault *f);
/*
 * Makes a template absent because its backend or device does not exist. Its columns are
 * filled in as far as they are known; device may be NULL.
 */
void compute_place_nowhere(
    struct template *t, const char *backend, const char *device, const struct fault *why);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describes a model file: loads it once with a backend that runs whole models, in a process
 * of its own, so that a crash, a hang or the memory for it does no harm.
 */
#ifndef DEVICE_WHOLE_MODEL_H
#define DEVICE_WHOLE_MODEL_H

#include "device/backends.h"

/* A loaded model. */
struct whole_model {
	struct backend_port *port; /* the inputs, and then the outputs */
	size_t inputs, ports;
	char engine[128];   /* name and version; empty if unknown */
	char emulated[128]; /* what emulates the device; empty if nothing does */
};

/* Loads and describes a model. Returns 0, or -1 and the message if the backend cannot load
 * it. */
int whole_model_describe(const struct backend_file *file,
    const struct backend_config *device, const struct backend_model_source *source,
    struct whole_model *out, struct fault *f);
void whole_model_free(struct whole_model *m);

/* Returns whether a list of extensions that are separated by spaces, such as `formats` of a
 * backend, has that of a path. */
bool whole_model_reads(const char *formats, const char *path);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads a backend with the environment that its libraries need.
 */
#ifndef TOOLS_HELPERS_COMPUTE_BACKEND_H
#define TOOLS_HELPERS_COMPUTE_BACKEND_H

#include "device/backends.h"

/* Loads a backend like backend_load(), for a process that uses a single backend. */
const struct backend *compute_backend_load(
    const struct backend_file *file, struct fault *f);

#endif

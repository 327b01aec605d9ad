/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads a backend with the environment that its libraries should see.
 */
#ifndef TOOLS_HELPERS_COMPUTE_BACKEND_H
#define TOOLS_HELPERS_COMPUTE_BACKEND_H

#include "device/backends.h"

/* As backend_load(), for a process of one backend. */
const struct backend *compute_backend_load(
    const struct backend_file *file, struct fault *f);

#endif

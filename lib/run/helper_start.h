/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starting bench-call.
 */
#ifndef RUN_HELPER_START_H
#define RUN_HELPER_START_H

#include <sys/types.h>

#include "run/helper_client.h"

/* The helper's process, in a group of its own, and our end of its socket. 0, or -1 and the
 * message. */
int helper_start(
    const struct helper_opts *config, pid_t *pid, int *socket, struct fault *f);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts the helpers bench-call and bench-compute.
 */
#ifndef HELPER_HELPER_START_H
#define HELPER_HELPER_START_H

#include <sys/types.h>

#include "helper/helper_client.h"

/*
 * Starts the helper in its own process group; *socket is our end of its socket. Returns
 * 0, or -1 and the message.
 */
int helper_start(const struct helper_opts *opts, pid_t *pid, int *socket, struct fault *f);

#endif

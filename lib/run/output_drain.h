/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pipe for the output of commands, from which a thread reads and discards all bytes.
 */
#ifndef RUN_OUTPUT_DRAIN_H
#define RUN_OUTPUT_DRAIN_H

#include "base/base.h"

/*
 * Opens the pipe, which remains open until this process ends, and starts the thread.
 * Returns the path under which other processes of this user can open the pipe to write, or
 * NULL and the message. Call it once.
 */
const char *output_drain_open(struct fault *f);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the commands of a plan under load: warm-ups, then blocks, in which each command
 * has one period. The rows of a block are written when it has ended,
 * in the order of the subjects.
 */
#ifndef RUN_LOAD_COMMANDS_H
#define RUN_LOAD_COMMANDS_H

#include "helper/spawn_client.h"
#include "run/measurement.h"

/*
 * Measures the commands that are not skipped. Returns 0, even after an interrupt, or -1 and
 * the message.
 */
int load_commands(const struct measurement *m, struct spawn_client *spawn, struct fault *f);

#endif

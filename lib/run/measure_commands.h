/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The measuring loop for commands: warm-ups, blocks of executions, and stopping.
 */
#ifndef RUN_MEASURE_COMMANDS_H
#define RUN_MEASURE_COMMANDS_H

#include "base/rng.h"
#include "run/measurement.h"
#include "run/runner.h"

/*
 * Measures the commands of the plan, or puts them under its load, in the order that the
 * generator makes. Failures and skipped subjects are noted in the outcome; an interrupt
 * ends the loop. Returns 0, or -1 and the message if a helper is lost, a file cannot be
 * written or, in a strict plan, a command cannot be started.
 */
int measure_commands(
    const struct measurement *m, struct runner *runner, struct rng *rng, struct fault *f);

#endif

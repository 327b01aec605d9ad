/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures all subjects of bench-run between its hooks: commands (measure_commands.h),
 * then functions, kernels and models (measure_calls.h), then running processes and the
 * machine (measure_windows.h).
 */
#ifndef RUN_MEASURE_H
#define RUN_MEASURE_H

#include "helper/spawn_client.h"
#include "run/measurement.h"

/*
 * Measures all subjects of the plan. spawn may be NULL if no subject is a command; hooks
 * run under a separate helper, which is NULL if there are none. Returns 0, even after
 * an interrupt (interrupt_seen). Returns -1 and the message if no process could be
 * started, a hook failed, the output could not be written, or, with a strict plan, a
 * subject turned out not to be measurable. Samples taken until then have been passed to
 * writer.
 */
int measure(const struct measurement *m, struct spawn_client *spawn,
    struct spawn_client *hooks, struct fault *f);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The measuring loop of bench-run for functions, kernels and models: several fresh
 * processes of each, one after the other; in each process its phases, a warm-up until
 * the times settle, and blocks of samples.
 */
#ifndef RUN_MEASURE_CALLS_H
#define RUN_MEASURE_CALLS_H

#include "run/measurement.h"

/*
 * Measures the plan's functions, kernels and models, and skips its commands. Returns 0,
 * even after an interrupt (interrupt_seen), or -1 and the message if no process could
 * be started or the output could not be written. Samples taken until then have been
 * passed to the writer.
 */
int measure_calls(const struct measurement *m, struct fault *f);

#endif

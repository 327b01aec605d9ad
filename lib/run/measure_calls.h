/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The measuring loop of bench-run for functions: several fresh processes of each, one after
 * the other; in each its phases, a warm-up until it is steady, and rounds of samples.
 */
#ifndef RUN_MEASURE_CALLS_H
#define RUN_MEASURE_CALLS_H

#include "run/measure.h"

/*
 * Measure the plan's functions, passing over its commands. 0, also after an interrupt
 * (interrupt_seen); -1 and the message when no process could be started or the output could
 * not be written. What was measured until then has been handed to emit.
 */
int measure_calls(const struct plan *plan, struct sample_writer *emit,
    struct progress *progress, struct outcome *outcome, struct fault *f);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The measuring loop of what runs already: processes and the machine.
 */
#ifndef RUN_MEASURE_WINDOWS_H
#define RUN_MEASURE_WINDOWS_H

#include "run/measurement.h"

/*
 * Measures the running processes of a plan, or the machine. Returns 0, even after an
 * interrupt or when a process has ended. Returns -1 and the message if its counters cannot
 * be opened, or the output could not be written.
 */
int measure_windows(const struct measurement *m, struct fault *f);

#endif

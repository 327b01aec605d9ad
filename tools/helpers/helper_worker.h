/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a worker: one thread that calls the benchmark from its set-up to its end and takes
 * its samples.
 */
#ifndef TOOLS_HELPERS_HELPER_WORKER_H
#define TOOLS_HELPERS_HELPER_WORKER_H

#include <stdbool.h>
#include <stdint.h>

/* Opens the worker's counters, of its thread or of all that it starts. */
void helper_count(bool leader);
/* Runs a worker from its set-up to its end. */
void helper_work(uint32_t process, uint32_t thread);

#endif

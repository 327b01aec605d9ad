/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a kernel or model as a benchmark: its set-up, its loop, and the metrics other than
 * the times. Only bench-compute links it.
 */
#ifndef TOOLS_HELPERS_COMPUTE_RUN_H
#define TOOLS_HELPERS_COMPUTE_RUN_H

#include "device/backends.h"

/* Measures the peaks of the device if the job asks for them. Called in the first process of
 * workers only, before any of them loads. */
void compute_prepare(void);
/* Loads the backend, or gives up. Called once in each process of workers. */
void compute_load(void);

#endif

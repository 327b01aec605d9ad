/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kernel or model as something that bench-compute calls: its set-up, its loop, and what
 * is told beside the times. For bench-compute, which links it alone.
 */
#ifndef TOOLS_HELPERS_COMPUTE_RUN_H
#define TOOLS_HELPERS_COMPUTE_RUN_H

#include "device/backends.h"

/* Loads the backend, or gives up; called once in each process of workers. */
void compute_load(void);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a list or model file with a backend that runs whole models: its set-up, its loop,
 * and the metrics other than the times. Only bench-compute links it.
 */
#ifndef TOOLS_HELPERS_COMPUTE_WHOLE_H
#define TOOLS_HELPERS_COMPUTE_WHOLE_H

#include "bench.h"
#include "device/backends.h"
#include "protocol/compute_proto.h"

/* Sets what compute_whole_run runs: the request, its backend, and the time to load that. */
void compute_whole_begin(const struct compute_request *request,
    const struct backend *backend, double backend_ns);
/* Runs a worker from its request to its end. */
void compute_whole_run(struct bench *b);

#endif

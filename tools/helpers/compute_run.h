/*
 * A kernel or model as something that bench-compute calls: its set-up, its loop, and what
 * is told beside the times. For bench-compute, which links it alone.
 */
#ifndef COMPUTE_RUN_H
#define COMPUTE_RUN_H

#include "device/backends.h"
#include "bench.h"

/* In each process of workers, once: load the backend, or give up. */
void compute_load(void);
/* A worker's whole life. */
void compute_run(struct bench *b);

#endif

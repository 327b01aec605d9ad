/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of GPUs while kernels and models are measured: whether the clock rate is
 * constant, and the mean state during a sample. A thread observes the GPUs.
 */
#ifndef MONITOR_GPU_STATE_H
#define MONITOR_GPU_STATE_H

#include "subject/subject.h"
#include "sys/gpu.h"

struct gpu_state;

/* Returns whether a subject runs on a GPU. */
bool gpu_state_concerns(const struct subject *s);
/*
 * Begins to observe the GPUs, which must outlive the state. Returns NULL and the message on
 * failure.
 */
struct gpu_state *gpu_state_open(const struct gpus *gpus, struct fault *f);
/* NULL is allowed. */
void gpu_state_close(struct gpu_state *g);
/*
 * Returns the GPUs that a kernel or model runs on, as a set of bits by number. They are
 * found by the PCI addresses of its devices. If a backend does not know the address, the
 * GPU is the only one with the name of the device. 0: none, or not known.
 */
uint64_t gpu_state_cards(const struct gpu_state *g, const struct subject *s);
/* Returns the set of all GPUs. */
uint64_t gpu_state_all(const struct gpu_state *g);
/*
 * Returns whether the clocks of these GPUs have settled since a subject began to run at
 * start_ns, a time of CLOCK_MONOTONIC. A clock has settled if its rate was constant in the
 * last 0.2 s. If it fluctuates, because a limit of the power controls it, its mean in the
 * last 0.2 s must be close to that in the 0.2 s before. If the rate is the usual one of the
 * subject, the time before start_ns also counts. Sets the usual rate when the clock has
 * settled; NAN: not known yet. Clocks whose rate is not known have settled.
 */
bool gpu_state_has_settled(
    struct gpu_state *g, uint64_t cards, int64_t start_ns, double *usual_hz);
/* Begins a sample. */
void gpu_state_begin(struct gpu_state *g);
/*
 * Ends a sample. Fills in the means over the sample: power and memory are sums over these
 * GPUs, clock rates the lowest, and all others the highest values. A limit is 1 if it was
 * seen at any time. NAN: not known.
 */
void gpu_state_end(struct gpu_state *g, uint64_t cards, double value[GPU_METRICS]);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locks the clocks of GPUs during a run. A file names the locked GPUs until they are
 * unlocked, so that the next run can unlock those of a run that was killed:
 * benchutils/gpu-clocks in $XDG_STATE_HOME or in ~/.local/state.
 */
#ifndef RUN_GPU_CLOCKS_H
#define RUN_GPU_CLOCKS_H

#include "sys/gpu.h"

/* Parses a clock rate, "1410" or "1410MHz". Returns 0 or -1. */
int gpu_clocks_parse(const char *spec, unsigned *mhz, struct fault *f);
/*
 * Locks the clocks of all GPUs that allow it, until gpu_clocks_unlock or exit. Returns 0,
 * or -1 and the message if no clock was locked.
 */
int gpu_clocks_lock(const struct gpus *gpus, unsigned mhz, struct fault *f);
/* Unlocks the clocks, if gpu_clocks_lock locked them. The GPUs must still be open. */
void gpu_clocks_unlock(void);
/* Unlocks the clocks that a killed run left locked, and appends a note about it. */
void gpu_clocks_recover(struct buf *notes);

#endif

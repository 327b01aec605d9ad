/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds groups whose samples were taken under different limits of the clock of a GPU.
 */
#ifndef SUMMARY_GPU_LIMITS_H
#define SUMMARY_GPU_LIMITS_H

#include "record/collect.h"

/*
 * Appends a line, safe for a terminal, for each group in which a limit lowered the clock of
 * the GPU in some samples, but not in all.
 */
void gpu_limits_explain(const struct groups *g, struct collect *c, struct buf *lines);

#endif

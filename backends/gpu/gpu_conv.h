/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes convolutions on tensor cores.
 */
#ifndef GPU_GPU_CONV_H
#define GPU_GPU_CONV_H

#include "gpu_session.h"

/* Returns whether a convolution runs so, with the library of the device or with our tiles.
 */
bool gpu_conv_on_tensor_cores(struct gpu *g, const struct backend_op *op);
/* Runs a convolution so. */
int gpu_conv_run_tensor_cores(struct gpu *g, const struct backend_op *op, char *why);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes convolutions with the library of the device.
 */
#ifndef GPU_GPU_CONV_H
#define GPU_GPU_CONV_H

#include "gpu_session.h"

/* Returns whether the library of the device computes a convolution. */
bool gpu_conv_by_library(struct gpu *g, const struct backend_op *op);
/* Runs a convolution that the library computes. */
int gpu_conv_run_library(struct gpu *g, const struct backend_op *op, char *why);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the layout of images in memory: channels first, [N,C,H,W] as they are declared,
 * or channels last, [N,H,W,C], in which tensor cores multiply them.
 */
#ifndef GPU_GPU_LAYOUT_H
#define GPU_GPU_LAYOUT_H

#include "gpu_session.h"

/* Elements of a vector of channels; the channels of a tensor with channels last are a
 * multiple of it. */
enum { GPU_VECTOR = 8 };

/* Chooses the layouts of a list's tensors before it is prepared: channels last for the
 * activations, of a type that suits, that a list with convolutions only uses in operations
 * that support it. */
void gpu_layout_choose(struct gpu *g, struct backend_op *op, size_t count);
/* Returns whether tensors of a type may be stored with channels last: those of 16 bits and
 * tf32. */
bool gpu_layout_suits(enum backend_dtype dtype);
/* Returns whether a tensor is stored with channels last. */
bool gpu_layout_is_last(const struct backend_tensor *t);
/* Returns whether a BINARY adds to each channel of an image, or multiplies it. */
bool gpu_layout_adds_channels(const struct backend_op *op);
/* Computes the strides and the offset of a tensor as it is stored. Its buffer may be stored
 * with channels last, of which it may be a view. Returns false if there are none. */
bool gpu_layout_strides(
    const struct backend_tensor *t, int64_t stride[BACKEND_DIMS], int64_t *offset);

#endif

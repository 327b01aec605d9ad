/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs operations on images that are stored with channels last; see gpu_layout.h.
 */
#ifndef GPU_GPU_CHANNELS_H
#define GPU_GPU_CHANNELS_H

#include "gpu_session.h"

/* `count` matrices [rows,columns], whose rows are in_ld elements apart, and which follow
 * each other; their transposed ones have rows of out_ld elements, of which zeros follow
 * the first `rows` up to `padded`. */
struct gpu_transpose {
	enum backend_dtype dtype;
	int64_t count, rows, columns, in_ld, out_ld, padded;
};
/* Transposes matrices from element in_at of a driver's buffer to element out_at of another.
 */
int gpu_channels_transpose(struct gpu *g, const struct gpu_transpose *t, void *out,
    int64_t out_at, void *in, int64_t in_at, char *why);
/* Copies a tensor with any strides to another of its type. */
int gpu_channels_copy(struct gpu *g, const struct backend_tensor *out,
    const struct backend_tensor *in, char *why);

/* Returns whether a groupnorm runs with channels last. */
bool gpu_channels_has_groupnorm(struct gpu *g, const struct backend_op *op);
/* Run operations on tensors with channels last. */
int gpu_channels_groupnorm(struct gpu *g, const struct backend_op *op, char *why);
int gpu_channels_pool(struct gpu *g, const struct backend_op *op, char *why);
int gpu_channels_resize(struct gpu *g, const struct backend_op *op, char *why);
int gpu_channels_add(struct gpu *g, const struct backend_op *op, char *why);

#endif

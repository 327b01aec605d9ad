/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs operations on images that are stored with channels last; see gpu_layout.h.
 */
#ifndef GPU_GPU_CHANNELS_H
#define GPU_GPU_CHANNELS_H

#include "gpu_product.h"

/* `count` matrices [rows,columns], whose rows are in_ld elements apart, and which follow
 * each other; their transposed ones have rows of out_ld elements, in which zeros follow
 * the first `rows` up to `padded`. */
struct gpu_transpose {
	enum backend_dtype dtype;
	int64_t count, rows, columns, in_ld, out_ld, padded;
};
/* Transposes matrices from one place to another. Returns 0, or -1 and why. */
int gpu_channels_transpose(struct gpu *g, const struct gpu_transpose *t,
    struct gpu_place out, struct gpu_place in, char *why);
/* `count` images in which blocks of fold_y x fold_x pixels become one, of all their
 * channels and zeros up to `padded`. There are `before` pixels of zeros before the image.
 */
struct gpu_fold {
	int64_t channels, height, width, before_y, before_x, fold_y, fold_x;
	int64_t count, blocks_y, blocks_x, padded;
};
/* Folds a tensor [count,channels,height,width] into element out_at of a driver's buffer, as
 * [count,blocks_y,blocks_x,padded]. */
int gpu_channels_fold(struct gpu *g, const struct gpu_fold *f,
    const struct backend_tensor *x, void *out, int64_t out_at, char *why);
/* Copies a tensor with any strides to another of its type. */
int gpu_channels_copy(struct gpu *g, const struct backend_tensor *out,
    const struct backend_tensor *in, char *why);

/* Computes out = act(out + bias + other) of rows with a bias for each column. Returns 1 if
 * the rows are not of whole vectors. */
int gpu_channels_finish(struct gpu *g, const struct backend_op *op,
    const struct gpu_matrices *out, const struct backend_tensor *other,
    const struct gpu_matrices *other_shape, char *why);
/* Returns whether a groupnorm runs with channels last. */
bool gpu_channels_has_groupnorm(struct gpu *g, const struct backend_op *op);
/* Run operations on tensors with channels last. */
int gpu_channels_groupnorm(struct gpu *g, const struct backend_op *op, char *why);
int gpu_channels_pool(struct gpu *g, const struct backend_op *op, char *why);
int gpu_channels_resize(struct gpu *g, const struct backend_op *op, char *why);
int gpu_channels_add(struct gpu *g, const struct backend_op *op, char *why);

#endif

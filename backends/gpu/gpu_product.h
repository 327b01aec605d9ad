/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes matrix products of the GPU backends.
 */
#ifndef GPU_GPU_PRODUCT_H
#define GPU_GPU_PRODUCT_H

#include "gpu_session.h"

/* These return the side of a tile of kernels/matrix.cl, and its number of work-items. */
int64_t gpu_tile_side(const struct gpu *g);
uint32_t gpu_tile_group(const struct gpu *g);

/* A dimension of batches: their number, and the strides between them. */
struct gpu_batch {
	int64_t count, a, b, c;
};
/* Runs a product with up to three dimensions of batches, the longest of which is one call
 * of the library. */
int gpu_product_run(
    struct gpu *g, struct gpu_product *p, const struct gpu_batch batch[3], char *why);
/* Runs a joined product; see gpu_driver.h. Returns 1 if the library of the device has none.
 */
int gpu_product_run_joined(struct gpu *g, const struct gpu_product *p, char *why);
/* Runs the product of one row and a transposed matrix with our kernel. */
int gpu_product_row(struct gpu *g, const struct gpu_product *p, char *why);

/* A tensor of two or three dimensions as matrices. */
struct gpu_matrices {
	int64_t batch, rows, columns, step, ld;
};
/* Transposes the second matrices of a product of int8, where the library is faster with
 * them: once if they are constant, and otherwise before each product. Changes p and b. */
int gpu_product_transpose(struct gpu *g, const struct backend_op *op, struct gpu_product *p,
    struct gpu_matrices *b, char *why);
/* Computes out = act(out + bias + other) in place, with a bias for each column; out and
 * other have the shapes given, and other may be NULL. */
int gpu_epilogue(struct gpu *g, const struct backend_op *op, const struct gpu_matrices *out,
    const struct backend_tensor *other, const struct gpu_matrices *other_shape, char *why);

#endif

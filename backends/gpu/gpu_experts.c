/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes a mixture of experts: sorts rows by their experts, then computes tiles of
 * products.
 */
#include "gpu_call.h"
#include "gpu_ops.h"
#include "gpu_product.h"

int gpu_op_experts(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0], *weight = op->in[1],
	                            *choice = op->in[2];
	const struct backend_tensor *out = op->out[0];
	const int64_t rows = gpu_tensor_elements(choice), experts = weight->size[0];
	const int64_t n = weight->size[1], k = weight->size[2];
	const int64_t side = gpu_tile_side(g), tiles_n = (n + side - 1) / side;
	const int64_t most = rows / side + experts, tiles_m = most < rows ? most : rows;
	size_t order, start, used = 0;

	gpu_room_take(g, (size_t)rows * sizeof(int32_t), &order, &used);
	gpu_room_take(g, (size_t)(experts + 1) * sizeof(int32_t), &start, &used);
	order /= sizeof(int32_t);
	start /= sizeof(int32_t);

	struct gpu_call c =
	    gpu_call_begin(g, "expert", "experts_order", out->dtype, out->dtype, 0, 1, why);
	gpu_call_buffer(&c, g->room, (int64_t)order);
	gpu_call_buffer(&c, g->room, (int64_t)start);
	gpu_call_tensor(&c, choice);
	GPU_CALL_INTS(&c, rows, experts);
	if (gpu_call_rows(&c, why))
		return -1;

	c = gpu_call_begin(
	    g, "matrix", "experts", out->dtype, out->dtype, 0, tiles_m * tiles_n, why);
	gpu_call_tensor(&c, out);
	gpu_call_tensor(&c, x);
	gpu_call_tensor(&c, weight);
	gpu_call_buffer(&c, g->room, (int64_t)order);
	gpu_call_buffer(&c, g->room, (int64_t)start);
	GPU_CALL_INTS(&c, experts, n, k, tiles_n, rows / gpu_tensor_rows(x), op->act);
	return gpu_call_go(&c, tiles_m * tiles_n, gpu_tile_group(g), why);
}

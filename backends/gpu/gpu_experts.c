/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes a mixture of experts: sorts rows by their experts, then computes tiles of
 * products.
 */
#include "gpu_call.h"
#include "gpu_ops.h"
#include "gpu_product.h"

/* A kernel for the tiles of experts, whose groups have `rows` x `columns` elements. */
struct experts_kernel {
	const char *file, *name;
	int64_t rows, columns;
	uint32_t group;
};

/* Returns the kernel for an operation: on tensor cores where they can load its rows, and
 * with smaller tiles if larger ones are too few for the device. */
static struct experts_kernel experts_kernel_choose(
    const struct gpu *g, const struct backend_op *op)
{
	static const struct experts_kernel large = { "expert_tiles", "experts_128", 128,
		128, 128 };
	static const struct experts_kernel small = { "expert_tiles", "experts_64", 64, 64,
		128 };
	enum { EXPERTS_MOST = 256, EACH = 8 };
	const struct backend_tensor *x = op->in[0], *weight = op->in[1];
	const int64_t rows = gpu_tensor_elements(op->in[2]);
	const int64_t n = weight->size[1], k = weight->size[2];
	const int64_t side = gpu_tile_side(g);
	const bool aligned = n % EACH == 0 && k % EACH == 0 && x->offset % EACH == 0 &&
	                     weight->offset % EACH == 0 && op->out[0]->offset % EACH == 0;

	if (!g->tensor_cores || gpu_dtype_bytes(x->dtype) != 2 || !aligned ||
	    weight->size[0] > EXPERTS_MOST)
		return (struct experts_kernel){ "matrix", "experts", side, side,
			gpu_tile_group(g) };
	if (rows / large.rows * (n / large.columns) >= g->units)
		return large;
	return small;
}

int gpu_op_experts(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0], *weight = op->in[1],
	                            *choice = op->in[2];
	const struct backend_tensor *out = op->out[0];
	const int64_t rows = gpu_tensor_elements(choice), experts = weight->size[0];
	const int64_t n = weight->size[1], k = weight->size[2];
	const struct experts_kernel kernel = experts_kernel_choose(g, op);
	const int64_t tiles_n = (n + kernel.columns - 1) / kernel.columns;
	const int64_t most = rows / kernel.rows + experts,
	              tiles_m = most < rows ? most : rows;
	size_t order, start, used = 0;

	gpu_room_take(g, (size_t)rows * sizeof(int32_t), &order, &used);
	gpu_room_take(g, (size_t)(experts + 1) * sizeof(int32_t), &start, &used);
	order /= sizeof(int32_t);
	start /= sizeof(int32_t);

	struct gpu_call c = gpu_call_begin(
	    g, gpu_kernel_of("expert", "experts_order", out->dtype), experts, why);
	gpu_call_buffer(&c, g->room, (int64_t)order);
	gpu_call_buffer(&c, g->room, (int64_t)start);
	gpu_call_tensor(&c, choice);
	gpu_call_int(&c, rows);
	if (gpu_call_rows(&c, why))
		return -1;

	c = gpu_call_begin(
	    g, gpu_kernel_of(kernel.file, kernel.name, out->dtype), tiles_m * tiles_n, why);
	gpu_call_tensor(&c, out);
	gpu_call_tensor(&c, x);
	gpu_call_tensor(&c, weight);
	gpu_call_buffer(&c, g->room, (int64_t)order);
	gpu_call_buffer(&c, g->room, (int64_t)start);
	GPU_CALL_INTS(&c, experts, n, k, tiles_n, rows / gpu_tensor_rows(x), op->act);
	return gpu_call_go(&c, tiles_m * tiles_n, kernel.group, why);
}

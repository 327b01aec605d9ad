/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes matrix products with the driver's library or the tiles of kernels/matrix.cl, and
 * runs the pass over their results.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_call.h"
#include "gpu_channels.h"
#include "gpu_product.h"

int64_t gpu_tile_side(const struct gpu *g)
{
	return g->wide ? 96 : 64;
}

uint32_t gpu_tile_group(const struct gpu *g)
{
	return g->wide ? 1 : 256;
}

/* Returns whether a product is one row times a transposed matrix, for which the tiles of a
 * library are slow. */
static bool product_is_row(const struct gpu_product *p)
{
	return p->m == 1 && p->batch == 1 && p->transpose_b && p->dtype == p->out;
}

static int product_run_tiles(struct gpu *g, const struct gpu_product *p, char *why)
{
	const int64_t side = gpu_tile_side(g);
	const int64_t tiles_m = (p->m + side - 1) / side,
	              tiles_n = (p->n + side - 1) / side;
	const int64_t tiles = p->batch * tiles_m * tiles_n;
	struct gpu_call c = gpu_call_begin(g,
	    (struct gpu_kernel){
	        .file = "matrix", .name = "product", .dtype = p->dtype, .other = p->out },
	    tiles, why);

	gpu_call_buffer(&c, p->c, p->c_at);
	gpu_call_buffer(&c, p->a, p->a_at);
	gpu_call_buffer(&c, p->b, p->b_at);
	GPU_CALL_INTS(&c, p->m, p->n, p->k, tiles_m, tiles_n, p->c_ld, p->a_ld, 1,
	    p->transpose_b ? 1 : p->b_ld, p->transpose_b ? p->b_ld : 1);
	gpu_call_long(&c, p->c_step);
	gpu_call_long(&c, p->a_step);
	gpu_call_long(&c, p->b_step);
	gpu_call_real(&c, p->alpha);
	gpu_call_real(&c, p->beta);
	return gpu_call_go(&c, tiles, gpu_tile_group(g), why);
}

/* Returns whether a product of this form has been tried, and marks it as tried. */
static bool product_was_tried(struct gpu *g, const struct gpu_product *p)
{
	const struct gpu_form form = {
		.of = { p->dtype, p->out, p->transpose_b, p->beta != 0, p->m, p->n, p->k,
		    p->batch, p->a_ld, p->b_ld, p->c_ld, p->a_at != 0, p->b_at != 0,
		    p->c_at != 0, p->act, (p->bias != NULL) + 2 * (p->other != NULL) }
	};

	for (size_t i = 0; i < g->forms; i++)
		if (memcmp(&g->form[i], &form, sizeof(form)) == 0)
			return true;
	struct gpu_form *more = realloc(g->form, (g->forms + 1) * sizeof(*g->form));
	if (more) {
		g->form = more;
		g->form[g->forms++] = form;
	}
	return false;
}

/* Tries a product with its result in g->scratch, because c may still be read. */
static int product_try(struct gpu *g, const struct gpu_product *p, char *why)
{
	const int64_t at = p->c_at ? 64 : 0;
	const int64_t last = (p->batch - 1) * p->c_step + (p->m - 1) * p->c_ld + p->n;
	const size_t bytes = (size_t)(at + last) * gpu_dtype_bytes(p->out);
	struct gpu_product trial = *p;

	if (bytes > g->scratch_needed)
		g->scratch_needed = bytes;
	if (g->phase == GPU_MEASURE || product_was_tried(g, p))
		return 0;
	trial.c = g->scratch;
	trial.c_at = at;
	return g->driver->product(g, &trial, why);
}

static int product_run_one(struct gpu *g, const struct gpu_product *p, char *why)
{
	if (p->m < 1 || p->n < 1 || p->batch < 1)
		return 0;
	if (product_is_row(p) && g->driver->own_rows)
		return gpu_product_row(g, p, why);
	if (!g->driver->has_product(g, p))
		return product_run_tiles(g, p, why);
	if (g->phase == GPU_RUN)
		return g->driver->product(g, p, why);
	return product_try(g, p, why);
}

int gpu_product_run_joined(struct gpu *g, const struct gpu_product *p, char *why)
{
	size_t room = 0, at, used = 0;
	const void *plan =
	    g->driver->joined_plan ? g->driver->joined_plan(g, p, &room) : NULL;
	const size_t bytes =
	    (size_t)((p->m - 1) * p->c_ld + p->n) * gpu_dtype_bytes(p->out);
	struct gpu_product trial = *p;

	if (!plan)
		return 1;
	gpu_room_take(g, room, &at, &used);
	if (g->phase != GPU_RUN && bytes > g->scratch_needed)
		g->scratch_needed = bytes;
	if (g->phase == GPU_MEASURE || (g->phase == GPU_WARM && product_was_tried(g, p)))
		return 0;
	if (g->phase == GPU_WARM) {
		trial.c = g->scratch;
		trial.c_at = 0;
	}
	return g->driver->joined_product(
	    g, plan, &trial, g->room ? (char *)g->room + at : NULL, why);
}

int gpu_product_run(
    struct gpu *g, struct gpu_product *p, const struct gpu_batch batch[3], char *why)
{
	size_t most = 0;

	for (size_t i = 1; i < 3; i++)
		if (batch[i].count > batch[most].count)
			most = i;
	const struct gpu_batch *inner = &batch[most];
	const struct gpu_batch *x = &batch[(most + 1) % 3], *y = &batch[(most + 2) % 3];

	p->batch = inner->count;
	p->a_step = inner->a;
	p->b_step = inner->b;
	p->c_step = inner->c;
	for (int64_t i = 0; i < x->count; i++)
		for (int64_t j = 0; j < y->count; j++) {
			struct gpu_product one = *p;

			one.a_at += i * x->a + j * y->a;
			one.b_at += i * x->b + j * y->b;
			one.c_at += i * x->c + j * y->c;
			if (product_run_one(g, &one, why))
				return -1;
		}
	return 0;
}

int gpu_epilogue(struct gpu *g, const struct backend_op *op, const struct gpu_matrices *out,
    const struct backend_tensor *other, const struct gpu_matrices *other_shape, char *why)
{
	const struct backend_tensor *bias = op->in[2];

	if (!bias && !other && op->act == BACKEND_LINEAR)
		return 0;
	if (g->driver->convolution) {
		const int status = gpu_channels_finish(g, op, out, other, other_shape, why);

		if (status <= 0)
			return status;
	}
	const enum backend_dtype dtype = op->out[0]->dtype;
	struct gpu_call c = gpu_call_begin(g, gpu_kernel_of("element", "finish", dtype),
	    out->batch * out->rows * out->columns, why);

	gpu_call_tensor(&c, op->out[0]);
	gpu_call_tensor(&c, bias);
	gpu_call_tensor(&c, other);
	GPU_CALL_INTS(&c, out->rows, out->columns, out->step, out->ld, other_shape->step,
	    other_shape->ld, op->act);
	return gpu_call_each(&c, 1, why);
}

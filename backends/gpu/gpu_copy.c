/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies tensors with any strides. Its dimensions are joined as far as possible; then most
 * copies are of rows, or of matrices that are transposed.
 */
#include "gpu_call.h"
#include "gpu_channels.h"
#include "gpu_layout.h"
#include "gpu_ops.h"

/* A copy from x to out with any strides, the last dimension innermost. */
struct copy_form {
	int64_t size[4], to[4], from[4];
	struct gpu_place out, x; /* the first elements */
};

/* Returns whether dimension i of a copy belongs outside dimension j. */
static bool copy_is_outer(const struct copy_form *f, int i, int j)
{
	return f->to[i] != f->to[j] ? f->to[i] > f->to[j] : f->from[i] > f->from[j];
}

static void copy_swap(struct copy_form *f, int i, int j)
{
	int64_t *const all[] = { f->size, f->to, f->from };

	for (int k = 0; k < 3; k++) {
		const int64_t x = all[k][i];

		all[k][i] = all[k][j];
		all[k][j] = x;
	}
}

/* Joins dimension i with the next one if both tensors can be walked so. */
static void copy_join(struct copy_form *f, int i)
{
	const int64_t size = f->size[i + 1];

	if (f->size[i] == 1 ||
	    (f->to[i] == size * f->to[i + 1] && f->from[i] == size * f->from[i + 1])) {
		f->size[i + 1] *= f->size[i];
		f->size[i] = 1;
		f->to[i] = f->from[i] = 0;
	}
}

/* Describes a copy of as few dimensions as possible, ordered by the strides of the
 * destination. Returns false if a tensor has no strides. */
static bool copy_describe(
    struct copy_form *f, const struct backend_tensor *out, const struct backend_tensor *x)
{
	int64_t to[BACKEND_DIMS] = { 0 }, from[BACKEND_DIMS] = { 0 };

	*f = (struct copy_form){ .size = { 1, 1, 1, 1 },
		.out.buffer = gpu_tensor_handle(out),
		.x.buffer = gpu_tensor_handle(x) };
	if (!gpu_layout_strides(out, to, &f->out.at) ||
	    !gpu_layout_strides(x, from, &f->x.at))
		return false;
	for (uint32_t i = 0; i < x->dims; i++) {
		const uint32_t k = i + 4 - x->dims;

		f->size[k] = x->size[i];
		f->to[k] = x->size[i] > 1 ? to[i] : 0;
		f->from[k] = x->size[i] > 1 ? from[i] : 0;
	}
	for (int i = 0; i < 3; i++)
		for (int j = i + 1; j < 4; j++)
			if (f->size[i] > 1 && (f->size[j] == 1 || copy_is_outer(f, j, i)))
				copy_swap(f, i, j);
	for (int round = 0; round < 3; round++)
		for (int i = 2; i >= 0; i--) {
			copy_join(f, i);
			if (f->size[i] > 1 && f->size[i + 1] == 1)
				copy_swap(f, i, i + 1);
		}
	return true;
}

/* Returns whether all numbers that are not 0 are multiples of a vector. */
static bool are_whole_vectors(const int64_t *x, size_t count)
{
	int64_t all = 0;

	for (size_t i = 0; i < count; i++)
		all |= x[i];
	return all % GPU_VECTOR == 0;
}

/* Copies by vectors of 16 bytes, or by tiles where the strides are exchanged. Returns 1 if
 * the copy is neither. */
static int copy_fast(
    struct gpu *g, const struct copy_form *f, enum backend_dtype dtype, char *why)
{
	const int64_t rows = f->size[0] * f->size[1] * f->size[2], wide = f->size[3];

	if (f->to[3] == 1 && f->from[3] == 1 && wide % GPU_VECTOR == 0 &&
	    (f->out.at | f->x.at) % GPU_VECTOR == 0 && are_whole_vectors(f->to, 3) &&
	    are_whole_vectors(f->from, 3)) {
		struct gpu_call c =
		    gpu_call_begin(g, gpu_kernel_of("channels", "copy_rows", dtype),
		        rows * wide / GPU_VECTOR, why);

		gpu_call_buffer(&c, f->out.buffer, f->out.at);
		gpu_call_buffer(&c, f->x.buffer, f->x.at);
		GPU_CALL_INTS(&c, wide / GPU_VECTOR, f->size[1], f->size[2]);
		gpu_call_ints(&c, 3, f->to);
		gpu_call_ints(&c, 3, f->from);
		return gpu_call_each(&c, 1, why);
	}
	/* out[m,c,r] = x[m,r,c] */
	if (f->size[0] == 1 && f->to[3] == 1 && f->from[2] == 1 && wide > 1 &&
	    (f->size[1] == 1 ||
	        (f->to[1] == f->size[2] * f->to[2] && f->from[1] == wide * f->from[3]))) {
		const struct gpu_transpose t = { .dtype = dtype,
			.count = f->size[1],
			.rows = wide,
			.columns = f->size[2],
			.in_ld = f->from[3],
			.out_ld = f->to[2],
			.padded = wide };

		return gpu_channels_transpose(g, &t, f->out, f->x, why);
	}
	return 1;
}

/* Changes of a copy: it stores x times alpha, `past` times `advance` elements later. */
struct copy_change {
	double alpha;
	int64_t past, advance;
};

/* Copies x to out. */
static int copy_run(struct gpu *g, const struct backend_tensor *out,
    const struct backend_tensor *x, const struct copy_change *change, char *why)
{
	struct copy_form f;

	if (!copy_describe(&f, out, x))
		return hook_fail(why, "a view of an image in another layout");
	if (g->driver->convolution && out->dtype == x->dtype && change->alpha == 1 &&
	    change->advance == 0 && gpu_layout_suits(x->dtype)) {
		const int status = copy_fast(g, &f, x->dtype, why);

		if (status <= 0)
			return status;
	}
	struct gpu_call c = gpu_call_begin(g,
	    (struct gpu_kernel){
	        .file = "element", .name = "move", .dtype = out->dtype, .other = x->dtype },
	    gpu_tensor_elements(x), why);

	gpu_call_buffer(&c, f.out.buffer, f.out.at);
	gpu_call_buffer(&c, f.x.buffer, f.x.at);
	gpu_call_ints(&c, 3, f.size + 1);
	gpu_call_ints(&c, 4, f.to);
	gpu_call_ints(&c, 4, f.from);
	gpu_call_real(&c, change->alpha);
	gpu_call_long(&c, change->advance);
	gpu_call_past(&c, change->past);
	return gpu_call_each(&c, 1, why);
}

int gpu_channels_copy(struct gpu *g, const struct backend_tensor *out,
    const struct backend_tensor *x, char *why)
{
	return copy_run(g, out, x, &(struct copy_change){ .alpha = 1 }, why);
}

int gpu_op_move(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct copy_change change = {
		.alpha = op->p.move.alpha, .past = op->past, .advance = op->p.move.advance
	};

	return copy_run(g, op->out[0], op->in[0], &change, why);
}

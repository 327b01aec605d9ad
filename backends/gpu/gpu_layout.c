/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses layouts; see gpu_layout.h. At first all tensors that may be are stored with
 * channels last; then those are stored as declared for which one of their operations does
 * not support it, until nothing changes.
 */
#include <string.h>

#include "gpu_channels.h"
#include "gpu_conv.h"
#include "gpu_layout.h"
#include "gpu_tensor.h"

enum { FIRST, LAST }; /* the `layout` of a tensor */
enum { TENSORS = BACKEND_INS + BACKEND_OUTS };

/* Returns tensor i of an operation, inputs first; it may be NULL. */
static struct backend_tensor *op_tensor(const struct backend_op *op, int i)
{
	return i < BACKEND_INS ? op->in[i] : op->out[i - BACKEND_INS];
}

/* Returns the tensor that has the elements of t. */
static struct backend_tensor *tensor_base(struct backend_tensor *t)
{
	return t->of ? t->of : t;
}

/* Returns the number of pixels of an image [N,C,H,W] or [N,C,H W]. */
static int64_t tensor_pixels(const struct backend_tensor *t)
{
	return t->size[2] * (t->dims == 4 ? t->size[3] : 1);
}

static bool tensor_is_contiguous(const struct backend_tensor *t)
{
	int64_t step = 1;

	for (uint32_t i = t->dims; i-- > 0; step *= t->size[i])
		if (t->size[i] > 1 && t->stride[i] != step)
			return false;
	return true;
}

/* Returns whether a tensor is a view of a whole image with other dimensions. */
static bool tensor_is_alias(const struct backend_tensor *t)
{
	const struct backend_tensor *base = t->of;

	return base && t->dims == 4 && base->dims >= 3 && t->offset == base->offset &&
	       t->size[0] == base->size[0] && t->size[1] == base->size[1] &&
	       tensor_pixels(t) == tensor_pixels(base) && tensor_is_contiguous(t);
}

bool gpu_layout_is_last(const struct backend_tensor *t)
{
	if (t && t->of)
		return tensor_is_alias(t) && t->of->layout == LAST;
	return t && t->layout == LAST;
}

/* Returns whether both layouts of a tensor are the same. */
static bool tensor_is_pixel(const struct backend_tensor *t)
{
	return t->dims >= 3 && tensor_pixels(t) == 1;
}

bool gpu_layout_suits(enum backend_dtype dtype)
{
	return gpu_dtype_bytes(dtype) == 2 || dtype == BACKEND_TF32;
}

static bool tensor_may_be_last(const struct backend_tensor *t)
{
	return t->role == BACKEND_ACTIVATION && gpu_layout_suits(t->dtype) &&
	       t->dims >= 3 && t->size[1] % GPU_VECTOR == 0 && !tensor_is_pixel(t) &&
	       t->offset % GPU_VECTOR == 0 && tensor_is_contiguous(t);
}

bool gpu_layout_strides(
    const struct backend_tensor *t, int64_t stride[BACKEND_DIMS], int64_t *offset)
{
	const struct backend_tensor *base = t->of ? t->of : t;

	memcpy(stride, t->stride, sizeof(t->stride));
	*offset = t->offset;
	if (base->layout != LAST)
		return true;
	const int64_t channels = base->size[1], pixels = tensor_pixels(base);
	const int64_t at = t->offset - base->offset, image = channels * pixels;
	int64_t channel = at % image / pixels, pixel = at % pixels;

	*offset = base->offset + at / image * image + channel + pixel * channels;
	for (uint32_t i = 0; i < t->dims; i++) {
		const int64_t step = t->stride[i], steps = t->size[i] - 1;

		if (steps == 0 || step % image == 0)
			continue;
		if (step % pixels == 0) {
			stride[i] = step / pixels;
			channel += steps * stride[i];
		} else {
			stride[i] = step * channels;
			pixel += steps * step;
		}
	}
	/* a dimension that continues from one channel or image into the next has no stride
	 */
	return channel < channels && pixel < pixels;
}

static bool tensor_make_first(struct backend_tensor *t)
{
	struct backend_tensor *base = t ? tensor_base(t) : NULL;
	const bool changed = base && base->layout == LAST;

	if (changed)
		base->layout = FIRST;
	return changed;
}

static bool op_make_first(const struct backend_op *op)
{
	bool changed = false;

	for (int i = 0; i < TENSORS; i++)
		changed = tensor_make_first(op_tensor(op, i)) || changed;
	return changed;
}

/* Stores a and b in the same layout. Returns whether one changed. */
static bool tensors_make_alike(struct backend_tensor *a, struct backend_tensor *b)
{
	if (gpu_layout_is_last(a) == gpu_layout_is_last(b))
		return false;
	const bool changed = tensor_make_first(a);

	return tensor_make_first(b) || changed;
}

/* Stores tensors as declared if a copy cannot find their elements. */
static bool move_settle(const struct backend_op *op)
{
	struct backend_tensor *const both[] = { op->in[0], op->out[0] };
	int64_t stride[BACKEND_DIMS], offset;
	bool changed = false;

	for (int i = 0; i < 2; i++)
		if (!gpu_layout_strides(both[i], stride, &offset))
			changed = tensor_make_first(both[i]) || changed;
	return changed;
}

static bool sizes_are_equal(const struct backend_tensor *a, const struct backend_tensor *b)
{
	return a->dims == b->dims &&
	       memcmp(a->size, b->size, a->dims * sizeof(*a->size)) == 0;
}

bool gpu_layout_adds_channels(const struct backend_op *op)
{
	const int64_t *size = op->out[0]->size;

	return op->out[0]->dims == 4 && !op->p.element.select &&
	       op->p.element.inner == size[2] * size[3] &&
	       gpu_tensor_elements(op->in[1]) % size[1] == 0;
}

/* Stores the base of a view as declared, unless the view is the whole image. Returns
 * whether one changed. */
static bool view_settle(const struct backend_op *op)
{
	for (int i = 0; i < TENSORS; i++) {
		struct backend_tensor *t = op_tensor(op, i);

		if (t && t->of && !tensor_is_alias(t) && tensor_make_first(t))
			return true;
	}
	return false;
}

static bool binary_settle(const struct backend_op *op)
{
	if (sizes_are_equal(op->in[0], op->in[1]) && op->p.element.inner == 1) {
		const bool changed = tensors_make_alike(op->in[0], op->in[1]);

		return tensors_make_alike(op->in[0], op->out[0]) || changed;
	}
	if (gpu_layout_adds_channels(op) && !gpu_layout_is_last(op->in[1]))
		return tensors_make_alike(op->in[0], op->out[0]);
	return op_make_first(op);
}

/* Applies the demands of an operation on its tensors. Returns whether one changed. */
static bool op_settle(struct gpu *g, const struct backend_op *op)
{
	if (op->kind != BACKEND_MOVE && view_settle(op))
		return true;
	switch (op->kind) {
	case BACKEND_CONV:
		return gpu_conv_on_tensor_cores(g, op) ? false : op_make_first(op);
	case BACKEND_MOVE:
		return move_settle(op);
	case BACKEND_POOL:
		if (tensor_is_pixel(op->out[0]))
			return false;
		return tensors_make_alike(op->in[0], op->out[0]);
	case BACKEND_GROUPNORM:
		if (op->in[0]->dims != 4 || !gpu_channels_has_groupnorm(g, op))
			return op_make_first(op);
		return tensors_make_alike(op->in[0], op->out[0]);
	case BACKEND_UNARY:
	case BACKEND_ROUND:
	case BACKEND_RESIZE:
		return tensors_make_alike(op->in[0], op->out[0]);
	case BACKEND_BINARY:
		return binary_settle(op);
	default:
		return op_make_first(op);
	}
}

void gpu_layout_choose(struct gpu *g, struct backend_op *op, size_t count)
{
	bool any = false, changed = true;

	for (size_t i = 0; i < count; i++)
		any = any ||
		      (op[i].kind == BACKEND_CONV && gpu_conv_on_tensor_cores(g, &op[i]));
	for (size_t i = 0; i < count; i++)
		for (int k = 0; k < TENSORS; k++) {
			struct backend_tensor *t = op_tensor(&op[i], k);

			if (t) {
				t = tensor_base(t);
				t->layout = any && tensor_may_be_last(t) ? LAST : FIRST;
			}
		}
	while (changed) {
		changed = false;
		for (size_t i = 0; i < count; i++)
			changed = op_settle(g, &op[i]) || changed;
	}
}

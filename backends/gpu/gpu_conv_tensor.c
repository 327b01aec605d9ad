/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes convolutions on tensor cores, with the library of the device or, in 16 bits,
 * with the tiles of kernels/convolve.cl; see gpu_conv.h. Their images have channels last.
 * Tensors that are stored as declared are converted into the scratch memory and back; there
 * the channels are padded with zeros to whole vectors. The weights are reordered once. Of
 * images with few channels, the pixels between which a convolution steps become channels
 * (space to depth): with stride 2, four pixels become one. The weights of pixels outside
 * the kernel are then 0, so that an infinity there makes a result NaN.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_call.h"
#include "gpu_channels.h"
#include "gpu_conv.h"
#include "gpu_layout.h"
#include "gpu_ops.h"
#include "gpu_tensor.h"

static int64_t whole_vectors(int64_t n)
{
	return (n + GPU_VECTOR - 1) / GPU_VECTOR * GPU_VECTOR;
}

static bool tensor_is_weight(const struct backend_tensor *t)
{
	return !t || t->role == BACKEND_WEIGHT;
}

/* The sides of the block of pixels that becomes one; 1 for convolutions of more channels
 * than a vector. */
struct conv_fold {
	int64_t y, x;
};

static struct conv_fold conv_fold(const struct backend_op *op)
{
	if (op->in[0]->size[1] >= GPU_VECTOR || op->p.conv.groups != 1 ||
	    op->p.conv.dilation[0] != 1 || op->p.conv.dilation[1] != 1)
		return (struct conv_fold){ 1, 1 };
	return (struct conv_fold){ op->p.conv.stride[0], op->p.conv.stride[1] };
}

static bool fold_is_none(struct conv_fold f)
{
	return f.y == 1 && f.x == 1;
}

/* Returns whether the library has an activation. */
static bool act_is_known(enum backend_act act)
{
	return act <= BACKEND_SOFTPLUS;
}

/* Describes a convolution to the library. Returns false if it is not computed so. */
static bool conv_form(const struct backend_op *op, struct gpu_convolution *v)
{
	const struct backend_tensor *x = op->in[0], *w = op->in[1], *y = op->out[0];
	const struct conv_fold fold = conv_fold(op);
	const int64_t side[2] = { fold.y, fold.x };
	const bool pads = op->p.conv.groups == 1;

	*v = (struct gpu_convolution){
		.dtype = x->dtype,
		.act = act_is_known(op->act) ? op->act : BACKEND_LINEAR,
		.has_bias = op->in[2] != NULL,
		.has_other = op->in[3] != NULL,
		.samples = x->size[0],
		.channels = pads ? whole_vectors(x->size[1] * fold.y * fold.x) : x->size[1],
		.height = x->size[2],
		.width = x->size[3],
		.out_channels = pads ? whole_vectors(y->size[1]) : y->size[1],
		.out_height = y->size[2],
		.out_width = y->size[3],
		.groups = op->p.conv.groups,
	};
	for (int i = 0; i < 2; i++) {
		v->kernel[i] = (w->size[2 + i] + side[i] - 1) / side[i];
		v->stride[i] = op->p.conv.stride[i] / side[i];
		v->before[i] = op->p.conv.before[i];
		v->after[i] = op->p.conv.after[i];
		v->dilation[i] = op->p.conv.dilation[i];
	}
	if (!fold_is_none(fold)) {
		/* the blocks that are used, the padding among them */
		v->height = v->out_height + v->kernel[0] - 1;
		v->width = v->out_width + v->kernel[1] - 1;
		for (int i = 0; i < 2; i++) {
			v->stride[i] = 1;
			v->before[i] = v->after[i] = 0;
		}
	}
	/* only weights can be reordered once */
	return gpu_layout_suits(x->dtype) && tensor_is_weight(w) &&
	       tensor_is_weight(op->in[2]);
}

/* Returns the library's plan, and the scratch memory that it needs; NULL if it has none. */
static const void *library_plan(
    struct gpu *g, const struct gpu_convolution *v, size_t *room)
{
	*room = 0;
	return g->driver->convolution ? g->driver->convolution(g, v, room) : NULL;
}

static size_t element_bytes(const struct gpu_convolution *v)
{
	return gpu_dtype_bytes((enum backend_dtype)v->dtype);
}

bool gpu_conv_on_tensor_cores(struct gpu *g, const struct backend_op *op)
{
	struct gpu_convolution v;
	size_t room;

	return conv_form(op, &v) &&
	       (library_plan(g, &v, &room) ||
	           (g->tensor_cores && v.groups == 1 && element_bytes(&v) == 2));
}

static size_t bias_bytes(const struct gpu_convolution *v)
{
	return v->has_bias ? ((size_t)v->out_channels * element_bytes(v) + 255) / 256 * 256
	                   : 0;
}

/* Reorders the weights for the library, at element `at` of a buffer of zeros. */
static int weights_reorder(struct gpu *g, const struct backend_op *op,
    const struct gpu_convolution *v, struct gpu_buffer *own, int64_t at, char *why)
{
	const struct backend_tensor *w = op->in[1];
	const struct conv_fold fold = conv_fold(op);
	const int64_t share = v->channels / v->groups, area = v->kernel[0] * v->kernel[1];
	struct backend_tensor to = { .dtype = w->dtype,
		.dims = 4,
		.stride = { area * share, 1, v->kernel[1] * share, share },
		.buffer = own,
		.offset = at };

	memcpy(to.size, w->size, sizeof(to.size));
	if (fold_is_none(fold))
		return gpu_channels_copy(g, &to, w, why);
	const struct gpu_fold form = { .channels = w->size[1],
		.height = w->size[2],
		.width = w->size[3],
		.fold_y = fold.y,
		.fold_x = fold.x,
		.count = w->size[0],
		.blocks_y = v->kernel[0],
		.blocks_x = v->kernel[1],
		.padded = share };

	return gpu_channels_fold(g, &form, w, own->handle, at, why);
}

int gpu_table_conv(struct gpu *g, struct backend_op *op, char *why)
{
	const struct backend_tensor *bias = op->in[2];
	struct backend_session *s = (struct backend_session *)g;
	struct gpu_convolution v;

	if (!gpu_conv_on_tensor_cores(g, op) || !conv_form(op, &v))
		return 0;
	const size_t bytes =
	    bias_bytes(&v) +
	    (size_t)(v.out_channels * v.channels / v.groups * v.kernel[0] * v.kernel[1]) *
	        element_bytes(&v);
	void *zeros = calloc(1, bytes);

	if (!zeros)
		return hook_fail(why, "out of memory");
	op->own = gpu_alloc(s, bytes, why);
	int status = op->own ? gpu_write(s, op->own, 0, zeros, bytes, why) : -1;

	free(zeros);
	if (!status)
		status = weights_reorder(
		    g, op, &v, op->own, (int64_t)(bias_bytes(&v) / element_bytes(&v)), why);
	if (!status && bias) {
		const struct backend_tensor start = { .dtype = bias->dtype,
			.dims = 1,
			.size = { bias->size[0] },
			.stride = { 1 },
			.buffer = op->own };

		status = gpu_channels_copy(g, &start, bias, why);
	}
	return status;
}

/* Returns the address of a tensor. */
static void *tensor_address(const struct backend_tensor *t)
{
	return t ? (char *)gpu_tensor_handle(t) +
	               (size_t)t->offset * gpu_dtype_bytes(t->dtype)
	         : NULL;
}

static int64_t tensor_pixels(const struct backend_tensor *t)
{
	return t->size[2] * t->size[3];
}

/* Returns the address of byte `at` of the scratch memory, if there is any. */
static void *room_address(const struct gpu *g, size_t at)
{
	return g->room ? (char *)g->room + at : NULL;
}

/* Provides an operand with `channels` channels, the last dimension: a tensor
 * that is stored so, or its copy in the scratch memory. */
static int operand_provide(struct gpu *g, const struct backend_tensor *t, int64_t channels,
    size_t *used, void **address, char *why)
{
	size_t at;

	*address = tensor_address(t);
	if (!t || gpu_layout_is_last(t))
		return 0;
	const size_t each = gpu_dtype_bytes(t->dtype);

	gpu_room_take(
	    g, (size_t)(t->size[0] * tensor_pixels(t) * channels) * each, &at, used);
	*address = room_address(g, at);
	const struct gpu_transpose form = { .dtype = t->dtype,
		.count = t->size[0],
		.rows = t->size[1],
		.columns = tensor_pixels(t),
		.in_ld = tensor_pixels(t),
		.out_ld = channels,
		.padded = channels };

	return gpu_channels_transpose(g, &form,
	    (struct gpu_place){ g->room, (int64_t)(at / each) },
	    (struct gpu_place){ gpu_tensor_handle(t), t->offset }, why);
}

/* Provides the image of a convolution, whose blocks of pixels may become one. */
static int image_provide(struct gpu *g, const struct backend_op *op,
    const struct gpu_convolution *v, size_t *used, void **address, char *why)
{
	const struct backend_tensor *t = op->in[0];
	const struct conv_fold fold = conv_fold(op);
	size_t at;

	if (fold_is_none(fold))
		return operand_provide(g, t, v->channels, used, address, why);
	const struct gpu_fold form = { .channels = t->size[1],
		.height = t->size[2],
		.width = t->size[3],
		.before_y = op->p.conv.before[0],
		.before_x = op->p.conv.before[1],
		.fold_y = fold.y,
		.fold_x = fold.x,
		.count = v->samples,
		.blocks_y = v->height,
		.blocks_x = v->width,
		.padded = v->channels };

	gpu_room_take(g,
	    (size_t)(v->samples * v->height * v->width * v->channels) * element_bytes(v),
	    &at, used);
	*address = room_address(g, at);
	return gpu_channels_fold(
	    g, &form, t, g->room, (int64_t)(at / element_bytes(v)), why);
}

/* Stores the results, which are at `at` in the scratch memory, as the tensor declares. */
static int result_store(
    struct gpu *g, const struct backend_tensor *t, int64_t channels, size_t at, char *why)
{
	const struct gpu_transpose form = { .dtype = t->dtype,
		.count = t->size[0],
		.rows = tensor_pixels(t),
		.columns = t->size[1],
		.in_ld = channels,
		.out_ld = tensor_pixels(t),
		.padded = tensor_pixels(t) };

	return gpu_channels_transpose(g, &form,
	    (struct gpu_place){ gpu_tensor_handle(t), t->offset },
	    (struct gpu_place){ g->room, (int64_t)(at / gpu_dtype_bytes(t->dtype)) }, why);
}

/* Enqueues the plan; when it is only tried, with its result in the scratch memory. */
static int plan_run(struct gpu *g, const struct backend_op *op, const void *plan,
    struct gpu_convolution_operands *x, bool in_room, char *why)
{
	const size_t bytes =
	    (size_t)gpu_tensor_elements(op->out[0]) * gpu_dtype_bytes(op->out[0]->dtype);

	if (!in_room && g->phase != GPU_RUN && bytes > g->scratch_needed)
		g->scratch_needed = bytes;
	if (g->phase == GPU_MEASURE)
		return 0;
	if (!in_room && g->phase == GPU_WARM)
		x->out = g->scratch;
	return g->driver->convolve(g, plan, x, why);
}

/* Adds up the sums of the groups that share a tile, which are in the scratch memory. */
static int shares_join(struct gpu *g, const struct gpu_convolution *v,
    const struct gpu_convolution_operands *x, struct gpu_place sums, int64_t shares,
    char *why)
{
	const int64_t m = v->samples * v->out_height * v->out_width, n = v->out_channels;
	struct gpu_call c = gpu_call_begin(g,
	    gpu_kernel_of("convolve", "convolve_join", (enum backend_dtype)v->dtype),
	    m * n / 2, why);

	gpu_call_buffer(&c, x->out, 0);
	gpu_call_buffer(&c, sums.buffer, sums.at);
	gpu_call_buffer(&c, v->has_bias ? x->bias : NULL, 0);
	gpu_call_buffer(&c, x->other, 0);
	GPU_CALL_INTS(&c, n, shares, v->act);
	return gpu_call_each(&c, 1, why);
}

/* Computes the convolution with our tiles. If they are fewer than the multiprocessors, as
 * in the last layers of a network for one image, several groups share the steps of a tile.
 */
static int tiles_run(struct gpu *g, const struct gpu_convolution *v,
    const struct gpu_convolution_operands *x, size_t *used, char *why)
{
	/* A share of LEAST_STEPS reads four times as many bytes as it writes sums. Fewer
	 * shares than FEWEST are expected to save little more than adding them up costs.
	 */
	enum { SIDE = 64, WORK_ITEMS = 128, DEEP = 32, LEAST_STEPS = 256, FEWEST = 4 };
	const enum backend_dtype dtype = (enum backend_dtype)v->dtype;
	const int64_t m = v->samples * v->out_height * v->out_width, n = v->out_channels;
	const int64_t k = v->channels * v->kernel[0] * v->kernel[1];
	const int64_t tiles_n = (n + SIDE - 1) / SIDE;
	const int64_t tiles = (m + SIDE - 1) / SIDE * tiles_n;
	const int64_t turns = (k + DEEP - 1) / DEEP;
	const int64_t wanted = gpu_shares(g, tiles, k, LEAST_STEPS);
	const int64_t most = wanted < FEWEST ? 1 : wanted;
	const int64_t each = (turns + most - 1) / most; /* turns of a share */
	const int64_t shares = (turns + each - 1) / each;
	size_t at = 0;

	if (shares > 1)
		gpu_room_take(g, (size_t)(shares * m * n) * sizeof(float), &at, used);
	const struct gpu_place sums = { g->room, (int64_t)(at / sizeof(float)) };
	struct gpu_call c = gpu_call_begin(
	    g, gpu_kernel_of("convolve", "convolve_tiles", dtype), tiles * shares, why);

	gpu_call_buffer(&c, x->out, 0);
	gpu_call_buffer(&c, x->x, 0);
	gpu_call_buffer(&c, x->weight, 0);
	gpu_call_buffer(&c, v->has_bias ? x->bias : NULL, 0);
	gpu_call_buffer(&c, x->other, 0);
	GPU_CALL_INTS(&c, m, n, k, tiles_n, v->channels, v->height, v->width, v->out_height,
	    v->out_width, v->kernel[1], v->stride[0], v->stride[1], v->before[0],
	    v->before[1], v->dilation[0], v->dilation[1], v->act);
	gpu_call_buffer(&c, sums.buffer, sums.at);
	GPU_CALL_INTS(&c, each * DEEP, shares);
	if (gpu_call_go(&c, tiles * shares, WORK_ITEMS, why))
		return -1;
	return shares > 1 ? shares_join(g, v, x, sums, shares, why) : 0;
}

/* Applies an activation that the library lacks to the results. */
static int act_run(struct gpu *g, const struct backend_op *op,
    const struct gpu_convolution *v, void *at, char *why)
{
	const enum backend_dtype dtype = (enum backend_dtype)v->dtype;
	struct gpu_call c;

	if (act_is_known(op->act))
		return 0;
	c = gpu_call_begin(g, gpu_kernel_of("element", "unary", dtype),
	    v->samples * v->out_height * v->out_width * v->out_channels, why);
	gpu_call_buffer(&c, at, 0);
	gpu_call_buffer(&c, at, 0);
	gpu_call_real(&c, 1);
	gpu_call_int(&c, op->act);
	return gpu_call_packs(&c, dtype, why);
}

int gpu_conv_run_tensor_cores(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *out = op->out[0];
	const bool converts = !gpu_layout_is_last(out);
	struct gpu_convolution v;
	struct gpu_convolution_operands x = { 0 };
	size_t room = 0, at, out_at = 0, used = 0;

	conv_form(op, &v);
	const void *plan = library_plan(g, &v, &room);
	char *own = ((struct gpu_buffer *)op->own)->handle;

	x.bias = own;
	x.weight = own + bias_bytes(&v);
	gpu_room_take(g, room, &at, &used);
	x.room = room_address(g, at);
	if (converts) {
		gpu_room_take(g,
		    (size_t)(v.samples * v.out_channels * tensor_pixels(out)) *
		        element_bytes(&v),
		    &out_at, &used);
		x.out = room_address(g, out_at);
	} else {
		x.out = tensor_address(out);
	}
	if (image_provide(g, op, &v, &used, &x.x, why) ||
	    operand_provide(g, op->in[3], v.out_channels, &used, &x.other, why) ||
	    (plan ? plan_run(g, op, plan, &x, converts, why)
	          : tiles_run(g, &v, &x, &used, why)) ||
	    act_run(g, op, &v, x.out, why))
		return -1;
	return converts ? result_store(g, out, v.out_channels, out_at, why) : 0;
}

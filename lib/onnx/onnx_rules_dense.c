/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules of operators that multiply matrices, and their MACs; see onnx_rules_priv.h. The
 * MACs are those of graph_count.h.
 */
#include "onnx/onnx_rules_priv.h"

static double elements_of(const struct onnx_fact *v)
{
	return (double)onnx_fact_elements(v);
}

/* Exchanges the last two sizes of a shape in `room` if an attribute asks for that. */
static const int64_t *turned_sizes(const struct rule_call *c, const char *attribute,
    const struct onnx_fact *x, int64_t room[ONNX_DIMS_MAX])
{
	if (x->dims < 2 || !rule_int(c, attribute, 0))
		return x->dim;
	memcpy(room, x->dim, x->dims * sizeof(*room));
	room[x->dims - 1] = x->dim[x->dims - 2];
	room[x->dims - 2] = x->dim[x->dims - 1];
	return room;
}

/* MatMul, and FusedMatMul, which may transpose its operands. */
int rule_matmul(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0), *y = x ? rule_in(c, 1) : NULL;
	int64_t dim[ONNX_DIMS_MAX + 2], room[2][ONNX_DIMS_MAX];
	uint32_t dims, x_batch, y_batch;
	int64_t inner;

	if (!y)
		return rule_missing(c);
	if (!x->dims || !y->dims)
		return rule_wrong(c, "a scalar is no matrix");
	const int64_t *left = turned_sizes(c, "transA", x, room[0]),
	              *right = turned_sizes(c, "transB", y, room[1]);
	const int64_t column = right[y->dims > 1 ? y->dims - 2 : 0];
	inner = left[x->dims - 1];
	if (inner != column)
		return rule_wrong(c, "rows of %lld elements and columns of %lld",
		    (long long)inner, (long long)column);
	x_batch = x->dims > 2 ? x->dims - 2 : 0;
	y_batch = y->dims > 2 ? y->dims - 2 : 0;
	dims = x_batch;
	memcpy(dim, x->dim, x_batch * sizeof(*dim));
	if (!rule_broadcast(c, dim, &dims, y->dim, y_batch))
		return RULE_WRONG;
	if (x->dims > 1)
		dim[dims++] = left[x->dims - 2];
	if (y->dims > 1)
		dim[dims++] = right[y->dims - 1];
	c->macs = rule_product(dim, dims) * (double)inner;
	return rule_out(c, 0, dim, dims);
}

int rule_gemm(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0), *y = x ? rule_in(c, 1) : NULL;
	bool turn_x = rule_int(c, "transA", 0) != 0, turn_y = rule_int(c, "transB", 0) != 0;
	int64_t dim[2];

	if (!y)
		return rule_missing(c);
	if (x->dims != 2 || y->dims != 2)
		return rule_wrong(
		    c, "operands of %u and %u dimensions instead of 2", x->dims, y->dims);
	if (x->dim[!turn_x] != y->dim[turn_y])
		return rule_wrong(c, "rows of %lld elements and columns of %lld",
		    (long long)x->dim[!turn_x], (long long)y->dim[turn_y]);
	dim[0] = x->dim[turn_x];
	dim[1] = y->dim[!turn_y];
	c->macs = rule_product(dim, 2) * (double)x->dim[!turn_x];
	if (rule_has(c, 2)) {
		const struct onnx_fact *z = rule_in(c, 2);
		int64_t all[ONNX_DIMS_MAX] = { dim[0], dim[1] };
		uint32_t dims = 2;

		if (!z)
			return rule_missing(c);
		if (!rule_broadcast(c, all, &dims, z->dim, z->dims))
			return RULE_WRONG;
		if (dims != 2 || all[0] != dim[0] || all[1] != dim[1])
			return rule_wrong(c, "operand 2 does not fit the product");
	}
	return rule_out(c, 0, dim, 2);
}

/* Reads a list of n positive numbers that are not absurd. Returns false if it is wrong. */
static bool read_list(
    struct rule_call *c, const char *name, uint32_t n, int64_t least, const int64_t **out)
{
	uint32_t count;

	*out = rule_ints(c, name, &count);
	for (uint32_t i = 0; *out && i < count; i++)
		if ((*out)[i] < least || (*out)[i] > INT32_MAX)
			*out = NULL;
	if ((count == 0 || *out) && (count == 0 || count == n))
		return true;
	rule_wrong(c, "its attribute %s is impossible", name);
	return false;
}

bool rule_window_read(
    struct rule_call *c, struct rule_window *w, uint32_t planes, const int64_t *kernel)
{
	struct text automatic = rule_text(c, "auto_pad", "NOTSET");
	const int64_t *given;

	w->planes = planes;
	if (!read_list(c, "kernel_shape", planes, 1, &given) ||
	    !read_list(c, "strides", planes, 1, &w->stride) ||
	    !read_list(c, "dilations", planes, 1, &w->dilation) ||
	    !read_list(c, "pads", 2 * planes, -INT32_MAX, &w->pads) ||
	    !read_list(c, "output_padding", planes, 0, &w->output_padding) ||
	    !read_list(c, "output_shape", planes, 0, &w->output_shape))
		return false;
	if (!kernel && !given) {
		rule_wrong(c, "its kernel_shape is missing");
		return false;
	}
	for (uint32_t i = 0; i < planes; i++) {
		w->kernel[i] = kernel ? kernel[i] : given[i];
		if (w->kernel[i] < 1 || w->kernel[i] > INT32_MAX) {
			rule_wrong(c, "a kernel of size %lld", (long long)w->kernel[i]);
			return false;
		}
	}
	w->is_lower = text_is(automatic, "SAME_LOWER");
	w->is_same = w->is_lower || text_is(automatic, "SAME_UPPER");
	if (text_is(automatic, "VALID"))
		w->pads = NULL;
	w->is_ceil = rule_int(c, "ceil_mode", 0) != 0;
	return true;
}

/* Returns the number of places of a window in dimension i, whose size is below 2^53, or
 * -1. */
static int64_t places(const struct rule_window *w, uint32_t i, int64_t size)
{
	int64_t stride = w->stride ? w->stride[i] : 1;
	int64_t span = (w->dilation ? w->dilation[i] : 1) * (w->kernel[i] - 1) + 1;
	int64_t before = w->pads && !w->is_same ? w->pads[i] : 0;
	int64_t after = w->pads && !w->is_same ? w->pads[i + w->planes] : 0;
	int64_t room = size + before + after - span, count;

	if (w->is_same)
		return size / stride + (size % stride != 0);
	if (room < 0)
		return -1;
	count = room / stride + 1;
	/* A last, partial place must begin inside the tensor or the padding before it. */
	if (w->is_ceil && room % stride && count * stride < size + before)
		count++;
	return count;
}

/* Sets the result of moving a window over x, with this number of channels. */
static int slide(struct rule_call *c, const struct rule_window *w,
    const struct onnx_fact *x, int64_t channels)
{
	int64_t dim[ONNX_DIMS_MAX] = { x->dim[0], channels };

	for (uint32_t i = 0; i < w->planes; i++) {
		dim[i + 2] = places(w, i, x->dim[i + 2]);
		if (dim[i + 2] < 0)
			return rule_wrong(c, "its window is larger than its tensor");
	}
	if (c->outs > 1 && c->out[1]) {
		c->out[1]->type = ONNX_INT64;
		if (rule_out(c, 1, dim, x->dims) < 0)
			return RULE_WRONG;
	}
	return rule_out(c, 0, dim, x->dims);
}

int rule_conv(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0), *y = x ? rule_in(c, 1) : NULL;
	int64_t group = rule_int(c, "group", 1);
	struct rule_window w = { 0 };
	int status;

	if (!y)
		return rule_missing(c);
	if (x->dims < 3 || x->dims != y->dims || group < 1 || y->dim[1] > x->dim[1] ||
	    y->dim[0] < 1 || x->dim[1] % group || x->dim[1] / group != y->dim[1])
		return rule_wrong(c, "its weights do not fit its tensor");
	if (!rule_window_read(c, &w, x->dims - 2, y->dim + 2))
		return RULE_WRONG;
	status = slide(c, &w, x, y->dim[0]);
	if (status == RULE_FINE && c->outs && c->out[0])
		c->macs = elements_of(c->out[0]) * (elements_of(y) / (double)y->dim[0]);
	return status;
}

int rule_conv_transpose(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0), *y = x ? rule_in(c, 1) : NULL;
	int64_t dim[ONNX_DIMS_MAX], group = rule_int(c, "group", 1);
	struct rule_window w = { 0 };

	if (!y)
		return rule_missing(c);
	if (x->dims < 3 || x->dims != y->dims || group < 1 || group > INT32_MAX ||
	    y->dim[0] != x->dim[1] || y->dim[0] < 1)
		return rule_wrong(c, "its weights do not fit its tensor");
	if (!rule_window_read(c, &w, x->dims - 2, y->dim + 2))
		return RULE_WRONG;
	dim[0] = x->dim[0];
	dim[1] =
	    (double)y->dim[1] * (double)group > ONNX_ELEMENTS_MAX ? -1 : y->dim[1] * group;
	for (uint32_t i = 0; i < w.planes; i++) {
		double stride = w.stride ? (double)w.stride[i] : 1;
		double span =
		    (w.dilation ? (double)w.dilation[i] : 1) * (double)(w.kernel[i] - 1) +
		    1;
		double size = stride * (double)(x->dim[i + 2] - 1) + span +
		              (w.output_padding ? (double)w.output_padding[i] : 0);

		if (w.pads && !w.is_same)
			size -= (double)w.pads[i] + (double)w.pads[i + w.planes];
		if (w.is_same)
			size = stride * (double)x->dim[i + 2];
		if (w.output_shape)
			size = (double)w.output_shape[i];
		dim[i + 2] = size >= 0 && size <= ONNX_ELEMENTS_MAX ? (int64_t)size : -1;
	}
	c->macs = elements_of(x) * (elements_of(y) / (double)y->dim[0]);
	return rule_out(c, 0, dim, x->dims);
}

int rule_pool(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	struct rule_window w = { 0 };

	if (!x)
		return rule_missing(c);
	if (x->dims < 3)
		return rule_wrong(c, "%u dimensions", x->dims);
	return rule_window_read(c, &w, x->dims - 2, NULL) ? slide(c, &w, x, x->dim[1])
	                                                  : RULE_WRONG;
}

int rule_global_pool(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	int64_t dim[ONNX_DIMS_MAX];

	if (!x)
		return rule_missing(c);
	for (uint32_t i = 0; i < x->dims; i++)
		dim[i] = i < 2 ? x->dim[i] : 1;
	return rule_out(c, 0, dim, x->dims);
}

/* An image [N,C,...], and a grid [N,...,2] of places in it. */
int rule_grid_sample(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0), *grid = x ? rule_in(c, 1) : NULL;
	int64_t dim[ONNX_DIMS_MAX];

	if (!grid)
		return rule_missing(c);
	if (x->dims < 3 || x->dims > ONNX_DIMS_MAX || grid->dims != x->dims ||
	    grid->dim[0] != x->dim[0] || grid->dim[x->dims - 1] != (int64_t)x->dims - 2)
		return rule_wrong(c, "its grid does not fit its image");
	dim[0] = x->dim[0];
	dim[1] = x->dim[1];
	for (uint32_t i = 2; i < x->dims; i++)
		dim[i] = grid->dim[i - 1];
	return rule_out(c, 0, dim, x->dims);
}

/* RNN, GRU and LSTM: tensor, weights, weights of the state. */
int rule_recurrent(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0), *w = x ? rule_in(c, 1) : NULL;
	const struct onnx_fact *r = w ? rule_in(c, 2) : NULL;
	bool batch_first = rule_int(c, "layout", 0) != 0;

	if (!r)
		return rule_missing(c);
	if (x->dims != 3 || w->dims != 3 || r->dims != 3)
		return rule_wrong(c, "its operands do not have three dimensions");
	int64_t steps = x->dim[batch_first], batch = x->dim[!batch_first];
	int64_t hidden = r->dim[2], directions = w->dim[0];
	int64_t all[4] = { steps, directions, batch, hidden };
	int64_t last[3] = { directions, batch, hidden };

	if (batch_first) {
		memcpy(all, (int64_t[]){ batch, steps, directions, hidden }, sizeof(all));
		memcpy(last, (int64_t[]){ batch, directions, hidden }, sizeof(last));
	}
	for (uint32_t i = 0; i < c->outs; i++)
		if (c->out[i])
			c->out[i]->type = c->in[0]->type;
	c->macs = (double)steps * (double)batch * (elements_of(w) + elements_of(r));
	return rule_out(c, 0, all, 4) < 0 || rule_out(c, 1, last, 3) < 0 ||
	               rule_out(c, 2, last, 3) < 0
	           ? RULE_WRONG
	           : RULE_FINE;
}

/* MatMulNBits of ONNX Runtime: rows [...,K], and a weight [N,K] in blocks. */
int rule_matmul_bits(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	const int64_t width = rule_int(c, "K", 0), columns = rule_int(c, "N", 0);
	int64_t dim[ONNX_DIMS_MAX];

	if (!x)
		return rule_missing(c);
	if (!x->dims || x->dim[x->dims - 1] != width || columns < 1)
		return rule_wrong(c, "its rows do not have K elements");
	memcpy(dim, x->dim, x->dims * sizeof(*dim));
	dim[x->dims - 1] = columns;
	c->macs = elements_of(x) * (double)columns;
	return rule_out(c, 0, dim, x->dims);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules of operators that move elements: other sizes, parts, joins and repetitions; see
 * onnx_rules_priv.h.
 */
#include <math.h>

#include "onnx/onnx_rules_priv.h"

/* Copies the shape of an operand to dim. Returns NULL if it is unknown. */
static const struct onnx_fact *copy_shape(
    struct rule_call *c, uint32_t i, int64_t dim[ONNX_DIMS_MAX])
{
	const struct onnx_fact *x = rule_in(c, i);

	if (x && x->dims)
		memcpy(dim, x->dim, x->dims * sizeof(*dim));
	return x;
}

int rule_reshape(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	uint32_t count, open = UINT32_MAX;
	const int64_t *to = rule_integers(c, 1, "shape", &count);
	int64_t dim[ONNX_DIMS_MAX];
	double known = 1, all;

	if (!x || !to)
		return x ? RULE_UNKNOWN : rule_missing(c);
	if (count > ONNX_DIMS_MAX)
		return rule_wrong(c, "too many dimensions");
	for (uint32_t i = 0; i < count; i++) {
		dim[i] = to[i];
		if (to[i] == 0 && i < x->dims && !rule_int(c, "allowzero", 0))
			dim[i] = x->dim[i];
		if (to[i] != -1)
			known *= (double)dim[i];
		else if (open == UINT32_MAX)
			open = i;
		else
			return rule_wrong(c, "two sizes are -1");
	}
	all = (double)onnx_fact_elements(x);
	if (open != UINT32_MAX)
		dim[open] = known > 0 && fmod(all, known) == 0 ? (int64_t)(all / known)
		            : known == 0 && all == 0           ? 0
		                                               : -1;
	if (!rule_fits(dim, count) || rule_product(dim, count) != all)
		return rule_wrong(c, "%.0f elements do not fit the new shape", all);
	return rule_out(c, 0, dim, count);
}

int rule_flatten(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	int64_t axis = rule_int(c, "axis", 1), dim[2];

	if (!x)
		return rule_missing(c);
	if (axis < -(int64_t)x->dims || axis > (int64_t)x->dims)
		return rule_wrong(
		    c, "axis %lld of a tensor of %u dimensions", (long long)axis, x->dims);
	axis += axis < 0 ? x->dims : 0;
	dim[0] = (int64_t)rule_product(x->dim, (uint32_t)axis);
	dim[1] = (int64_t)rule_product(x->dim + axis, x->dims - (uint32_t)axis);
	return rule_out(c, 0, dim, 2);
}

int rule_squeeze(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	uint32_t count, axis, dims = 0;
	const int64_t *axes = rule_integers(c, 1, "axes", &count);
	bool drop[ONNX_DIMS_MAX] = { false };
	int64_t dim[ONNX_DIMS_MAX];

	if (!x || (!axes && rule_has(c, 1)))
		return x ? RULE_UNKNOWN : rule_missing(c);
	for (uint32_t i = 0; i < x->dims && !axes; i++)
		drop[i] = x->dim[i] == 1;
	for (uint32_t i = 0; i < count; i++) {
		if (!rule_axis(c, axes[i], x->dims, &axis))
			return RULE_WRONG;
		if (x->dim[axis] != 1)
			return rule_wrong(c, "dimension %u has size %lld instead of 1",
			    axis, (long long)x->dim[axis]);
		drop[axis] = true;
	}
	for (uint32_t i = 0; i < x->dims; i++)
		if (!drop[i])
			dim[dims++] = x->dim[i];
	return rule_out(c, 0, dim, dims);
}

int rule_unsqueeze(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	uint32_t count, axis, from = 0;
	const int64_t *axes = rule_integers(c, 1, "axes", &count);
	bool add[ONNX_DIMS_MAX] = { false };
	int64_t dim[ONNX_DIMS_MAX];

	if (!x || !axes)
		return x ? RULE_UNKNOWN : rule_missing(c);
	if (count > ONNX_DIMS_MAX - x->dims)
		return rule_wrong(c, "too many dimensions");
	for (uint32_t i = 0; i < count; i++) {
		if (!rule_axis(c, axes[i], x->dims + count, &axis))
			return RULE_WRONG;
		if (add[axis])
			return rule_wrong(c, "axis %u occurs twice", axis);
		add[axis] = true;
	}
	for (uint32_t i = 0; i < x->dims + count; i++)
		dim[i] = add[i] ? 1 : x->dim[from++];
	return rule_out(c, 0, dim, x->dims + count);
}

int rule_transpose(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	uint32_t count;
	const int64_t *perm = rule_ints(c, "perm", &count);
	bool used[ONNX_DIMS_MAX] = { false };
	int64_t dim[ONNX_DIMS_MAX];

	if (!x)
		return rule_missing(c);
	if (perm && count != x->dims)
		return rule_wrong(c, "%u axes for %u dimensions", count, x->dims);
	for (uint32_t i = 0; i < x->dims; i++) {
		int64_t from = perm ? perm[i] : (int64_t)(x->dims - 1 - i);

		if (from < 0 || from >= (int64_t)x->dims || used[from])
			return rule_wrong(c, "perm is no permutation");
		used[from] = true;
		dim[i] = x->dim[from];
	}
	return rule_out(c, 0, dim, x->dims);
}

int rule_concat(struct rule_call *c)
{
	int64_t dim[ONNX_DIMS_MAX];
	const struct onnx_fact *x = copy_shape(c, 0, dim);
	uint32_t axis;

	if (!x)
		return rule_missing(c);
	if (!rule_axis(c, rule_int(c, "axis", 1), x->dims, &axis))
		return RULE_WRONG;
	for (uint32_t i = 1; i < c->ins; i++) {
		const struct onnx_fact *v = rule_in(c, i);

		if (!v)
			return rule_missing(c);
		for (uint32_t j = 0; j < x->dims; j++)
			if (v->dims != x->dims || (j != axis && v->dim[j] != dim[j]))
				return rule_wrong(
				    c, "operand %u does not fit operand 0", i);
		dim[axis] += v->dim[axis];
		if ((double)dim[axis] > ONNX_ELEMENTS_MAX)
			return rule_wrong(c, "the result is too large");
	}
	return rule_out(c, 0, dim, x->dims);
}

int rule_split(struct rule_call *c)
{
	int64_t dim[ONNX_DIMS_MAX];
	const struct onnx_fact *x = copy_shape(c, 0, dim);
	uint32_t axis, count;
	const int64_t *split = rule_integers(c, 1, "split", &count);
	int64_t left, parts = c->outs, part;

	if (!x || (!split && rule_has(c, 1)))
		return x ? RULE_UNKNOWN : rule_missing(c);
	if (!rule_axis(c, rule_int(c, "axis", 0), x->dims, &axis))
		return RULE_WRONG;
	if (!parts || (split && count != c->outs))
		return rule_wrong(c, "%u sizes for %u results", count, c->outs);
	left = x->dim[axis];
	part = left / parts + (left % parts != 0);
	for (uint32_t i = 0; i < c->outs; i++) {
		dim[axis] = split ? split[i] : left < part ? left : part;
		if (dim[axis] < 0 || dim[axis] > left || rule_out(c, i, dim, x->dims) < 0)
			return rule_wrong(c, "the sizes of its results do not fit");
		if (c->out[i])
			c->out[i]->type = c->in[0]->type;
		left -= dim[axis];
	}
	return left ? rule_wrong(c, "the sizes of its results do not fit") : RULE_FINE;
}

/* Clamps the range of a slice to the dimension. Returns false if the step is impossible. */
static bool clamp_range(int64_t size, int64_t *start, int64_t *end, int64_t step)
{
	int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;

	if (!step || step < -ONNX_STEP_MAX || step > ONNX_STEP_MAX)
		return false;
	*start = *start < -size ? low : *start < 0 ? *start + size : *start;
	*end = *end < -size ? low : *end < 0 ? *end + size : *end;
	*start = *start < low ? low : *start > high ? high : *start;
	*end = *end < low ? low : *end > high ? high : *end;
	return true;
}

int rule_sliced(struct rule_call *c, struct rule_part *out)
{
	const struct onnx_fact *x = rule_in(c, 0);
	uint32_t starts, ends, axes, steps, at;
	const int64_t *start = rule_integers(c, 1, "starts", &starts);
	const int64_t *end = rule_integers(c, 2, "ends", &ends);
	const int64_t *axis = rule_integers(c, 3, "axes", &axes);
	const int64_t *step = rule_integers(c, 4, NULL, &steps);

	if (!x)
		return rule_missing(c);
	if (!start || !end || (!axis && rule_has(c, 3)) || (!step && rule_has(c, 4)))
		return RULE_UNKNOWN;
	if (starts != ends || (axis && axes != starts) || (step && steps != starts) ||
	    starts > x->dims)
		return rule_wrong(c, "starts, ends, axes and steps do not fit");
	for (uint32_t i = 0; i < x->dims; i++) {
		out->from[i] = 0;
		out->step[i] = 1;
		out->size[i] = x->dim[i];
	}
	for (uint32_t i = 0; i < starts; i++) {
		int64_t s = start[i], e = end[i], by = step ? step[i] : 1, count;

		if (!rule_axis(c, axis ? axis[i] : (int64_t)i, x->dims, &at))
			return RULE_WRONG;
		if (!clamp_range(x->dim[at], &s, &e, by))
			return rule_wrong(c, "step %lld", (long long)by);
		count = by > 0 ? (e - s + by - 1) / by : (s - e - by - 1) / -by;
		out->from[at] = s;
		out->step[at] = by;
		out->size[at] = count < 0 ? 0 : count;
	}
	return RULE_FINE;
}

int rule_slice(struct rule_call *c)
{
	struct rule_part part;
	const int status = rule_sliced(c, &part);

	return status == RULE_FINE ? rule_out(c, 0, part.size, c->in[0]->dims) : status;
}

int rule_gather(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0), *at = x ? rule_in(c, 1) : NULL;
	int64_t dim[2 * ONNX_DIMS_MAX];
	uint32_t axis, dims = 0;

	if (!at)
		return rule_missing(c);
	if (!rule_axis(c, rule_int(c, "axis", 0), x->dims, &axis))
		return RULE_WRONG;
	for (uint32_t i = 0; i < axis; i++)
		dim[dims++] = x->dim[i];
	for (uint32_t i = 0; i < at->dims; i++)
		dim[dims++] = at->dim[i];
	for (uint32_t i = axis + 1; i < x->dims; i++)
		dim[dims++] = x->dim[i];
	return rule_out(c, 0, dim, dims);
}

int rule_gather_elements(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0), *at = x ? rule_in(c, 1) : NULL;

	if (!at)
		return rule_missing(c);
	return x->dims == at->dims
	           ? rule_out_same(c, 0, at)
	           : rule_wrong(c, "indices of %u dimensions for %u", at->dims, x->dims);
}

int rule_gather_nd(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0), *at = x ? rule_in(c, 1) : NULL;
	int64_t dim[2 * ONNX_DIMS_MAX], batch = rule_int(c, "batch_dims", 0), last;
	uint32_t dims = 0;

	if (!at)
		return rule_missing(c);
	last = at->dims ? at->dim[at->dims - 1] : 0;
	if (!at->dims || batch < 0 || batch >= (int64_t)at->dims ||
	    last > (int64_t)x->dims - batch)
		return rule_wrong(c, "its indices do not fit the tensor");
	for (uint32_t i = 0; i + 1 < at->dims; i++)
		dim[dims++] = at->dim[i];
	for (uint32_t i = (uint32_t)(batch + last); i < x->dims; i++)
		dim[dims++] = x->dim[i];
	return rule_out(c, 0, dim, dims);
}

int rule_expand(struct rule_call *c)
{
	int64_t dim[ONNX_DIMS_MAX];
	const struct onnx_fact *x = copy_shape(c, 0, dim);
	uint32_t count, dims;
	const int64_t *to = rule_integers(c, 1, NULL, &count);

	if (!x || !to)
		return x ? RULE_UNKNOWN : rule_missing(c);
	dims = x->dims;
	if (count > ONNX_DIMS_MAX)
		return rule_wrong(c, "too many dimensions");
	return rule_broadcast(c, dim, &dims, to, count) ? rule_out(c, 0, dim, dims)
	                                                : RULE_WRONG;
}

/* Multiplies a size by a factor that the file gives. Returns -1 if the result is
 * impossible. */
static int64_t scaled(int64_t size, double factor)
{
	double result = floor((double)size * factor);

	return result >= 0 && result <= ONNX_ELEMENTS_MAX ? (int64_t)result : -1;
}

int rule_tile(struct rule_call *c)
{
	int64_t dim[ONNX_DIMS_MAX];
	const struct onnx_fact *x = copy_shape(c, 0, dim);
	uint32_t count;
	const int64_t *times = rule_integers(c, 1, NULL, &count);

	if (!x || !times)
		return x ? RULE_UNKNOWN : rule_missing(c);
	if (count != x->dims)
		return rule_wrong(c, "%u repeats for %u dimensions", count, x->dims);
	for (uint32_t i = 0; i < count; i++)
		dim[i] = scaled(dim[i], (double)times[i]);
	return rule_out(c, 0, dim, count);
}

int rule_pad(struct rule_call *c)
{
	int64_t dim[ONNX_DIMS_MAX];
	const struct onnx_fact *x = copy_shape(c, 0, dim);
	uint32_t count, axes, at;
	const int64_t *pads = rule_integers(
	    c, 1, rule_has_attribute(c, "paddings") ? "paddings" : "pads", &count);
	const int64_t *axis = rule_integers(c, 3, NULL, &axes);

	if (!x || !pads || (!axis && rule_has(c, 3)))
		return x ? RULE_UNKNOWN : rule_missing(c);
	axes = axis ? axes : x->dims;
	if (axes > x->dims || count != 2 * axes)
		return rule_wrong(c, "%u pads for %u dimensions", count, axes);
	for (uint32_t i = 0; i < axes; i++) {
		double size;

		if (!rule_axis(c, axis ? axis[i] : (int64_t)i, x->dims, &at))
			return RULE_WRONG;
		size = (double)dim[at] + (double)pads[i] + (double)pads[i + axes];
		if (fabs((double)pads[i]) > ONNX_ELEMENTS_MAX ||
		    fabs(size) > ONNX_ELEMENTS_MAX)
			return rule_wrong(c, "its pads are too large");
		dim[at] = (int64_t)size;
	}
	return rule_out(c, 0, dim, x->dims);
}

/* The sizes or the scales of a Resize; without either if they are not known. */
struct resize_sizes {
	const int64_t *sizes;
	const struct onnx_attribute *attribute; /* the scales of Upsample 7 */
	const double *scales;
	uint32_t count;
};

static struct resize_sizes find_sizes(const struct rule_call *c)
{
	struct resize_sizes r = { 0 };
	const struct onnx_fact *v = rule_has(c, 2)   ? c->in[2]
	                            : rule_has(c, 1) ? c->in[1]
	                                             : NULL;

	r.sizes = rule_integers(c, 3, NULL, &r.count);
	if (r.sizes || rule_has(c, 3))
		return r;
	r.attribute = onnx_attribute(c->node, "scales");
	if (r.attribute)
		r.count = r.attribute->float_count;
	else if (v && v->has_shape && onnx_fact_known(c->shapes, v)) {
		r.scales = v->real;
		r.count = (uint32_t)onnx_fact_elements(v);
	}
	return r;
}

/* Returns the new size of a dimension. */
static int64_t resized(const struct resize_sizes *r, uint32_t i, int64_t size)
{
	if (r->sizes)
		return r->sizes[i];
	return scaled(size, r->attribute ? (double)r->attribute->floats[i] : r->scales[i]);
}

/* Resize and Upsample: sizes, or scales, of all dimensions or of `axes`. */
int rule_resize(struct rule_call *c)
{
	int64_t dim[ONNX_DIMS_MAX];
	const struct onnx_fact *x = copy_shape(c, 0, dim);
	const struct resize_sizes r = find_sizes(c);
	uint32_t axes, at;
	const int64_t *axis = rule_ints(c, "axes", &axes);

	if (!x)
		return rule_missing(c);
	if ((!r.sizes && !r.scales && !r.attribute) ||
	    !text_is(rule_text(c, "keep_aspect_ratio_policy", "stretch"), "stretch"))
		return RULE_UNKNOWN;
	axes = axis ? axes : x->dims;
	if (r.count != axes || axes > x->dims)
		return rule_wrong(c, "%u sizes for %u dimensions", r.count, axes);
	for (uint32_t i = 0; i < axes; i++) {
		if (!rule_axis(c, axis ? axis[i] : (int64_t)i, x->dims, &at))
			return RULE_WRONG;
		dim[at] = resized(&r, i, dim[at]);
	}
	return rule_out(c, 0, dim, x->dims);
}

/* Moves blocks of channels to the plane, or back. */
static int move_blocks(struct rule_call *c, bool to_space)
{
	int64_t dim[ONNX_DIMS_MAX], block = rule_int(c, "blocksize", 0);
	const struct onnx_fact *x = copy_shape(c, 0, dim);

	if (!x)
		return rule_missing(c);
	if (x->dims != 4 || block < 1 || block > 65536 ||
	    (to_space ? dim[1] % (block * block) != 0
	              : dim[2] % block != 0 || dim[3] % block != 0))
		return rule_wrong(
		    c, "its tensor does not fit blocks of %lld", (long long)block);
	dim[1] =
	    to_space ? dim[1] / (block * block) : scaled(dim[1], (double)(block * block));
	for (int i = 2; i < 4; i++)
		dim[i] = to_space ? scaled(dim[i], (double)block) : dim[i] / block;
	return rule_out(c, 0, dim, 4);
}

int rule_depth_to_space(struct rule_call *c)
{
	return move_blocks(c, true);
}

int rule_space_to_depth(struct rule_call *c)
{
	return move_blocks(c, false);
}

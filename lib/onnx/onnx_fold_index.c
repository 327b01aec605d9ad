/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folds operators that choose elements by their indices, sums and products of matrices, and
 * quantization; see onnx_fold_priv.h.
 */
#include <math.h>

#include "onnx/onnx_fold_priv.h"

/* The most multiplications of a product of matrices. */
#define PRODUCTS_MAX 0x1p24

/* Makes an index that counts from the end if it is negative one from 0. Returns false if it
 * is outside of the dimension. */
static bool find_index(int64_t index, int64_t size, int64_t *out)
{
	*out = index < 0 ? index + size : index;
	return *out >= 0 && *out < size;
}

bool fold_gather(const struct folding *f)
{
	const struct onnx_fact *x = f->shape[0];
	uint32_t axis;
	int64_t outer, inner, picks = onnx_fact_elements(f->shape[1]), pick;
	union fold_cell *out = f->out;

	if (!f->shape[1]->integer ||
	    !rule_axis(f->call, rule_int(f->call, "axis", 0), x->dims, &axis))
		return false;
	outer = (int64_t)rule_product(x->dim, axis);
	inner = (int64_t)rule_product(x->dim + axis + 1, x->dims - axis - 1);
	for (int64_t i = 0; i < outer && f->elements; i++)
		for (int64_t j = 0; j < picks; j++, out += inner) {
			if (!find_index(f->in[1][j].i, x->dim[axis], &pick))
				return false;
			memcpy(out, f->in[0] + (i * x->dim[axis] + pick) * inner,
			    (size_t)inner * sizeof(*out));
		}
	return true;
}

bool fold_gather_elements(const struct folding *f)
{
	const struct onnx_fact *x = f->shape[0], *at = f->shape[1];
	struct fold_walk w = { .dim = at->dim, .dims = at->dims };
	int64_t step, pick;
	uint32_t axis;

	if (!at->integer || x->dims != at->dims ||
	    !rule_axis(f->call, rule_int(f->call, "axis", 0), x->dims, &axis))
		return false;
	for (uint32_t i = 0; i < x->dims; i++)
		if (i != axis && at->dim[i] > x->dim[i])
			return false;
	fold_strides(x, w.stride);
	step = w.stride[axis];
	w.stride[axis] = 0;
	for (int64_t i = 0; i < f->elements; i++, fold_walk_on(&w)) {
		if (!find_index(f->in[1][i].i, x->dim[axis], &pick))
			return false;
		f->out[i] = f->in[0][w.from + pick * step];
	}
	return true;
}

/* Takes a part of the tensor for each list of indices. */
bool fold_gather_nd(const struct folding *f)
{
	const struct onnx_fact *x = f->shape[0], *at = f->shape[1];
	int64_t deep = at->dim[at->dims - 1], stride[ONNX_DIMS_MAX], pick;

	if (!at->integer || rule_int(f->call, "batch_dims", 0) || deep < 1)
		return false;
	fold_strides(x, stride);
	const int64_t part = stride[deep - 1];
	for (int64_t i = 0; i * part < f->elements; i++) {
		int64_t from = 0;

		for (int64_t j = 0; j < deep; j++) {
			if (!find_index(f->in[1][i * deep + j].i, x->dim[j], &pick))
				return false;
			from += pick * stride[j];
		}
		memcpy(f->out + i * part, f->in[0] + from, (size_t)part * sizeof(*f->out));
	}
	return true;
}

/* Keeps a triangle of each matrix; the rest is 0. */
bool fold_non_zero(const struct folding *f)
{
	const struct onnx_fact *x = f->shape[0];
	const uint32_t dims = x->dims ? x->dims : 1;
	const int64_t count = f->result->dim[1];
	int64_t found = 0;

	for (int64_t i = 0; i < onnx_fact_elements(x) && found < count; i++) {
		int64_t rest = i;

		if (onnx_fact_number(x, i) == 0)
			continue;
		for (uint32_t d = dims; d-- > 0; rest /= x->dims ? x->dim[d] : 1)
			f->out[d * count + found].i = x->dims ? rest % x->dim[d] : 0;
		found++;
	}
	return found == count;
}

bool fold_trilu(const struct folding *f)
{
	const struct onnx_fact *x = f->shape[0];
	const bool is_upper = rule_int(f->call, "upper", 1) != 0;
	int64_t diagonal = 0;

	if (x->dims < 2)
		return false;
	if (rule_has(f->call, 1)) {
		uint32_t count;
		const int64_t *k = rule_integers(f->call, 1, NULL, &count);

		if (!k || count != 1)
			return false;
		diagonal = *k;
	}
	const int64_t rows = x->dim[x->dims - 2], columns = x->dim[x->dims - 1];
	for (int64_t i = 0; i < f->elements; i++) {
		const int64_t place = i % columns - i / columns % rows;

		if (is_upper ? place >= diagonal : place <= diagonal)
			f->out[i] = f->in[0][i];
	}
	return true;
}

/* Returns the element around a padded value. */
static union fold_cell fold_padding(const struct folding *f)
{
	const struct onnx_attribute *value = onnx_attribute(f->call->node, "value");

	if (f->ins > 2 && f->in[2] && onnx_fact_elements(f->shape[2]) > 0)
		return f->in[2][0];
	if (fold_is_real(f->result->type))
		return (union fold_cell){ .r = value ? (double)value->f : 0 };
	return (union fold_cell){ .i = 0 };
}

/* Puts equal elements around a value. */
bool fold_pad(const struct folding *f)
{
	const struct onnx_fact *x = f->shape[0];
	const struct text mode = rule_text(f->call, "mode", "constant");
	int64_t before[ONNX_DIMS_MAX] = { 0 }, stride[ONNX_DIMS_MAX];
	uint32_t count, axes, at;
	const int64_t *pads = rule_integers(f->call, 1, "pads", &count),
	              *axis = rule_integers(f->call, 3, NULL, &axes);

	if (!pads || !text_is(mode, "constant") ||
	    (f->ins > 2 && f->shape[2] && f->shape[2]->type != x->type))
		return false;
	for (uint32_t i = 0; i < count / 2; i++) {
		if (!rule_axis(f->call, axis ? axis[i] : (int64_t)i, x->dims, &at))
			return false;
		before[at] += pads[i];
	}
	fold_strides(x, stride);
	const union fold_cell other = fold_padding(f);
	for (int64_t i = 0; i < f->elements; i++) {
		int64_t rest = i, from = 0;
		bool inside = true;

		for (uint32_t d = x->dims; d-- > 0; rest /= f->result->dim[d]) {
			const int64_t place = rest % f->result->dim[d] - before[d];

			inside &= place >= 0 && place < x->dim[d];
			from += inside ? place * stride[d] : 0;
		}
		f->out[i] = inside ? f->in[0][from] : other;
	}
	return true;
}

bool fold_cumsum(const struct folding *f)
{
	const struct onnx_fact *x = f->shape[0];
	int64_t stride[ONNX_DIMS_MAX];
	uint32_t count, axis;
	const int64_t *given = rule_integers(f->call, 1, NULL, &count);

	if (!given || count != 1 || rule_int(f->call, "exclusive", 0) ||
	    rule_int(f->call, "reverse", 0) || !rule_axis(f->call, *given, x->dims, &axis))
		return false;
	fold_strides(x, stride);
	for (int64_t i = 0; i < f->elements; i++) {
		const bool is_first = i / stride[axis] % x->dim[axis] == 0;

		f->out[i] = f->in[0][i];
		if (!is_first)
			f->out[i] =
			    fold_sum(f->result->type, f->out[i], f->out[i - stride[axis]]);
	}
	return true;
}

/* Returns the product of a row and a column, whose elements have this stride. Integers wrap
 * around. */
static union fold_cell fold_dot(const union fold_cell *row, const union fold_cell *column,
    int64_t stride, int64_t depth, bool real)
{
	union fold_cell sum = { 0 };

	for (int64_t k = 0; k < depth; k++)
		if (real)
			sum.r += row[k].r * column[k * stride].r;
		else
			sum.i =
			    (int64_t)((uint64_t)sum.i +
			              (uint64_t)row[k].i * (uint64_t)column[k * stride].i);
	return sum;
}

bool fold_matmul(const struct folding *f)
{
	const struct onnx_fact *x = f->shape[0], *y = f->shape[1];
	const int64_t type = f->result->type;

	if (x->dims < 2 || y->dims < 2 || x->type != y->type)
		return false;
	const uint32_t batches = f->result->dims - 2;
	const int64_t depth = x->dim[x->dims - 1], columns = y->dim[y->dims - 1],
	              size = x->dim[x->dims - 2] * columns;
	const double work = (double)f->elements * (double)depth;
	struct fold_walk a = fold_walk_of(f, batches, 0, x->dims - 2),
	                 b = fold_walk_of(f, batches, 1, y->dims - 2);

	if (work > PRODUCTS_MAX)
		return false;
	f->call->shapes->fold_work += work;
	for (int64_t at = 0; at < f->elements; at += size) {
		for (int64_t i = 0; i < size; i++)
			f->out[at + i] = fold_narrowed(
			    type, fold_dot(f->in[0] + a.from + i / columns * depth,
			              f->in[1] + b.from + i % columns, columns, depth,
			              fold_is_real(type)));
		fold_walk_on(&a);
		fold_walk_on(&b);
	}
	return true;
}

/* Finds how scales and zero points are repeated: that of element i is number i / *inner
 * mod *count. Returns false if they are neither one number nor those of an axis. */
static bool find_scales(const struct folding *f, int64_t *inner, int64_t *count)
{
	const struct onnx_fact *x = f->shape[0], *scale = f->ins > 1 ? f->shape[1] : NULL,
	                       *zero = f->ins > 2 ? f->shape[2] : NULL;
	uint32_t axis;

	if (!scale || !fold_is_real(scale->type) || rule_int(f->call, "block_size", 0) != 0)
		return false;
	*count = onnx_fact_elements(scale);
	*inner = 1;
	if (zero && (!fold_is_integer(zero->type) || onnx_fact_elements(zero) != *count))
		return false;
	if (*count == 1)
		return true;
	if (scale->dims != 1 ||
	    !rule_axis(f->call, rule_int(f->call, "axis", 1), x->dims, &axis) ||
	    x->dim[axis] != *count)
		return false;
	for (uint32_t i = axis + 1; i < x->dims; i++)
		*inner *= x->dim[i];
	return true;
}

/* Returns the zero point of a scale. */
static double zero_of(const struct folding *f, int64_t i)
{
	return f->ins > 2 && f->in[2] ? (double)f->in[2][i].i : 0;
}

bool fold_dequantize(const struct folding *f)
{
	int64_t inner, count;

	if (!fold_is_integer(f->shape[0]->type) || !find_scales(f, &inner, &count))
		return false;
	for (int64_t i = 0; i < f->elements; i++) {
		const int64_t k = i / inner % count;

		f->out[i].r = ((double)f->in[0][i].i - zero_of(f, k)) * f->in[1][k].r;
		f->out[i] = fold_narrowed(f->result->type, f->out[i]);
	}
	return true;
}

bool fold_quantize(const struct folding *f)
{
	int64_t inner, count;
	double low, high;

	if (!onnx_type_limits(f->result->type, &low, &high) ||
	    !fold_is_real(f->shape[0]->type) || !find_scales(f, &inner, &count))
		return false;
	for (int64_t i = 0; i < f->elements; i++) {
		const int64_t k = i / inner % count;
		/* The quotient is rounded to float32 before it is rounded to an integer. */
		const double q = nearbyint((double)(float)(f->in[0][i].r / f->in[1][k].r)) +
		                 zero_of(f, k);

		if (isnan(q))
			return false;
		f->out[i].i = (int64_t)(q < low ? low : q > high ? high : q);
	}
	return true;
}

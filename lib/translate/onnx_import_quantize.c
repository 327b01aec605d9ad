/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantized models: QuantizeLinear and DequantizeLinear between operators of floating-point
 * numbers; see onnx_import_priv.h. A quantized value is a value of floating-point numbers
 * that are whole.
 */
#include <math.h>

#include "translate/onnx_import_priv.h"

/* How a node quantizes: q = clamp(round(x / scale) + zero, low, high). */
struct quantization {
	double scale, zero, low, high;
};

/* Reads the operands of a node. Returns false and fails if they are not available. */
static bool quantization_read(
    struct import *im, const struct trace_node *n, struct quantization *q)
{
	const bool quantizes = trace_is(n, "QuantizeLinear");
	const uint32_t zero = trace_in(n, 2),
	               whole = quantizes ? trace_out(n, 0) : trace_in(n, 0);
	const int64_t type =
	    whole == TRACE_NONE ? ONNX_UNDEFINED : im->t.value[whole].fact->type;

	*q = (struct quantization){ .scale = trace_scalar(&im->t, trace_in(n, 1)),
		.zero = zero == TRACE_NONE ? 0 : trace_scalar(&im->t, zero) };
	if (rule_int(&n->call, "block_size", 0) != 0)
		trace_lack(&im->t, n, "it has a scale for each block");
	else if (!onnx_type_limits(type, &q->low, &q->high))
		trace_lack(&im->t, n, "its quantized type is %s", onnx_type_name(type));
	else if (isnan(q->scale) || isnan(q->zero))
		trace_lack(
		    &im->t, n, "its scale or zero point is computed, or is not one number");
	else if (!(q->scale > 0 && q->scale < INFINITY))
		trace_lack(&im->t, n, "its scale is %g", q->scale);
	return !im->t.failed;
}

/* Adds after (q - zero) + beta, where q are the quantized numbers of a value. Returns it.
 */
static uint32_t quantized(
    struct import *im, uint32_t x, const struct quantization *q, double after, double beta)
{
	return import_rounded(im, x,
	    &(struct import_rounding){
	        q->scale, q->low - q->zero, q->high - q->zero, after, beta });
}

void import_quantize(IMPORT_PARAMS)
{
	struct quantization q;
	struct import_rows x;

	(void)m;
	if (!quantization_read(im, n, &q))
		return;
	x = import_full(im, n, 0);
	import_done_rows(im, n, &x, quantized(im, x.value, &q, 1, q.zero));
}

void import_dequantize(IMPORT_PARAMS)
{
	struct quantization q;
	struct import_rows x;

	if (trace_in(n, 0) != TRACE_NONE && im->t.value[n->in[0]].is_constant) {
		import_dequantize_blocks(im, n, m);
		return;
	}
	if (!quantization_read(im, n, &q))
		return;
	x = import_full(im, n, 0);
	import_done_rows(im, n, &x,
	    import_unary(im, import_plus(im, x.value, 1, -q.zero, BACKEND_LINEAR), q.scale,
	        BACKEND_LINEAR));
}

/* Returns whether two operands of nodes are absent, or the same number. */
static bool same_number(struct import *im, uint32_t a, uint32_t b)
{
	if (a == TRACE_NONE || b == TRACE_NONE)
		return a == b;
	return a == b || trace_scalar(&im->t, a) == trace_scalar(&im->t, b);
}

/* A value that is quantized and at once dequantized. */
bool import_match_quantized(IMPORT_MATCH)
{
	const struct trace_node *made =
	    trace_made_by(&im->t, trace_in(n, 0), "QuantizeLinear");

	if (!made || !same_number(im, trace_in(made, 1), trace_in(n, 1)) ||
	    !same_number(im, trace_in(made, 2), trace_in(n, 2)))
		return false;
	m->in[0] = trace_in(made, 0);
	return m->in[0] != TRACE_NONE;
}

void import_matched_quantized(IMPORT_PARAMS)
{
	struct quantization q;
	struct import_rows x;

	if (!quantization_read(im, n, &q))
		return;
	x = import_as_rows(im, import_see(im, m->in[0]), 0);
	import_done_rows(im, n, &x, quantized(im, x.value, &q, q.scale, 0));
}

/* A product of a value that is quantized when it is computed, as in
 * onnxruntime.quantization's dynamic quantization: Mul(Cast(MatMulInteger or ConvInteger),
 * Mul(the scale of the value, the scales of the weight)). Values of the trace. */
struct dynamic_product {
	const struct trace_node *node; /* MatMulInteger or ConvInteger */
	uint32_t x, weight, zero, scale;
	bool convolves;
};

/* Returns a product of bytes that a Cast of a value converts, or NULL. */
static const struct trace_node *byte_product(const struct import *im, uint32_t value)
{
	const struct trace_node *cast = trace_made_by(&im->t, value, "Cast"), *made;

	if (!cast || trace_in(cast, 0) == TRACE_NONE)
		return NULL;
	made = trace_made_by(&im->t, trace_in(cast, 0), "MatMulInteger");
	return made ? made : trace_made_by(&im->t, trace_in(cast, 0), "ConvInteger");
}

/* Finds the product whose result is scaled by a Mul. Returns whether there is one. */
static bool find_dynamic(
    const struct import *im, const struct trace_node *n, struct dynamic_product *d)
{
	for (uint32_t i = 0; i < 2; i++) {
		const struct trace_node *scaling, *quantizing;

		d->node = byte_product(im, trace_in(n, i));
		scaling = trace_made_by(&im->t, trace_in(n, 1 - i), "Mul");
		if (!d->node || !scaling)
			continue;
		quantizing =
		    trace_made_by(&im->t, trace_in(d->node, 0), "DynamicQuantizeLinear");
		if (!quantizing || trace_out(quantizing, 1) == TRACE_NONE ||
		    trace_out(quantizing, 2) == TRACE_NONE ||
		    trace_in(d->node, 2) != trace_out(quantizing, 2) ||
		    trace_elements(&im->t, trace_out(n, 0)) !=
		        trace_elements(&im->t, trace_out(d->node, 0)))
			continue;
		for (uint32_t k = 0; k < 2; k++)
			if (trace_in(scaling, k) == trace_out(quantizing, 1)) {
				d->scale = trace_in(scaling, 1 - k);
				d->x = trace_in(quantizing, 0);
				d->weight = trace_in(d->node, 1);
				d->zero = trace_in(d->node, 3);
				d->convolves = trace_is(d->node, "ConvInteger");
				return d->scale != TRACE_NONE && d->x != TRACE_NONE &&
				       d->weight != TRACE_NONE;
			}
	}
	return false;
}

/* Returns the elements of a constant with one element, or one for each row, whose dimension
 * has `planes` dimensions after it; NULL if it is another one. */
static const struct onnx_fact *row_numbers(
    struct import *im, uint32_t value, int64_t rows, uint32_t planes)
{
	const struct onnx_fact *v = trace_constant(&im->t, value);

	if (!v || onnx_fact_elements(v) == 1)
		return v;
	return onnx_fact_elements(v) == rows && v->dims > planes &&
	               v->dim[v->dims - 1 - planes] == rows
	           ? v
	           : NULL;
}

/* Returns the number of a row. */
static double row_number(const struct onnx_fact *v, int64_t row)
{
	return onnx_fact_number(v, onnx_fact_elements(v) == 1 ? 0 : row);
}

/* The largest weight: the sum of two numbers of int8. */
enum { WEIGHT_MAX = 2 * INT8_MAX };

/* Fills the rows of a weight, from which the zero point is subtracted, and their scales.
 * Returns false if they are not constants up to WEIGHT_MAX. */
static bool fill_rows(struct import *im, const struct dynamic_product *d, double *row,
    double *scale, int64_t rows, int64_t width)
{
	const struct onnx_fact *w = trace_constant(&im->t, d->weight),
	                       *scales = row_numbers(im, d->scale, rows,
	                           d->convolves ? im->t.value[d->weight].shape.dims - 2
	                                        : 0),
	                       *zeros = d->zero == TRACE_NONE
	                                    ? NULL
	                                    : row_numbers(im, d->zero, rows, 0);

	if (!w || !scales || (d->zero != TRACE_NONE && !zeros))
		return false;
	for (int64_t i = 0; i < rows; i++) {
		scale[i] = row_number(scales, i);
		for (int64_t k = 0; k < width; k++) {
			double *to = &row[i * width + k];

			*to = onnx_fact_number(
			          w, d->convolves ? i * width + k : k * rows + i) -
			      (zeros ? row_number(zeros, i) : 0);
			if (!(fabs(*to) <= WEIGHT_MAX))
				return false;
		}
	}
	return true;
}

bool import_match_dynamic(IMPORT_MATCH)
{
	struct dynamic_product d;

	if (!find_dynamic(im, n, &d))
		return false;
	m->in[0] = d.x;
	return true;
}

/* Adds the operation of a product, whose result is added to `more`, or GRAPH_NONE. Returns
 * its result. */
static uint32_t dynamic_operation(struct import *im, const struct dynamic_product *d,
    uint32_t in, uint32_t weight, uint32_t scales, uint32_t more)
{
	const struct trace_shape made = *import_made(im, d->node, 0);
	const int64_t columns = made.size[made.dims - 1];
	uint32_t out;

	if (d->convolves) {
		out = import_new(im, import_image_shape(made));
		import_conv_places(im, d->node,
		    import_node(im, BACKEND_QCONV, out, in, weight, GRAPH_NONE, more));
	} else {
		out = import_new(im, IMPORT_SHAPE(import_count(&made) / columns, columns));
		struct backend_op *op =
		    import_node(im, BACKEND_QGEMM, out, in, weight, GRAPH_NONE, more);
		op->p.gemm.transpose = true;
		op->p.gemm.alpha = 1;
	}
	im->g->node[im->g->nodes - 1].in[4] = scales;
	return out;
}

/* Adds the elements of a weight as int8. Stores in *rest what is left of them, or NULL. */
static uint32_t dynamic_weight(
    struct import *im, double *row, struct trace_shape shape, double **rest)
{
	const int64_t count = import_count(&shape);
	uint32_t weight;

	*rest = NULL;
	for (int64_t i = 0; i < count; i++) {
		const double whole = row[i], part = fmin(fmax(whole, -INT8_MAX), INT8_MAX);

		if (part == whole)
			continue;
		if (!*rest)
			*rest = mem_zero((size_t)count, sizeof(**rest));
		(*rest)[i] = whole - part;
		row[i] = part;
	}
	weight = import_constant(im, row, shape);
	im->g->value[weight].dtype = BACKEND_INT8;
	return weight;
}

void import_matched_dynamic(IMPORT_PARAMS)
{
	struct dynamic_product d = { 0 };
	double *row, *scale;
	uint32_t in, scales, out = GRAPH_NONE;

	if (!find_dynamic(im, n, &d))
		return;
	struct trace_shape w = im->t.value[d.weight].shape;

	if (im->t.failed || w.dims < 2 || (!d.convolves && w.dims != 2) ||
	    import_count(&w) == 0) {
		trace_lack(&im->t, d.node, "its weight is not a matrix or a kernel");
		return;
	}
	const int64_t rows = w.size[d.convolves ? 0 : 1], width = import_count(&w) / rows;
	const struct trace_shape shape =
	    d.convolves ? import_image_shape(w) : IMPORT_SHAPE(rows, width);
	const struct import_view x = import_see(im, m->in[0]);

	row = mem_zero((size_t)import_count(&w), sizeof(*row));
	scale = mem_zero((size_t)rows, sizeof(*scale));
	if (!fill_rows(im, &d, row, scale, rows, width))
		trace_lack(&im->t, d.node,
		    "its weights are not constants from %d to %d with scales of rows",
		    -WEIGHT_MAX, WEIGHT_MAX);
	scales = import_constant(im, scale, IMPORT_SHAPE(rows));
	im->g->value[scales].dtype = BACKEND_FLOAT32;
	in = import_operand(im, x,
	    d.convolves ? import_image_shape(x.shape)
	                : IMPORT_SHAPE(import_count(&x.shape) / width, width),
	    IMPORT_WHOLE);
	for (double *rest = NULL; row; row = rest) {
		const uint32_t weight = dynamic_weight(im, row, shape, &rest);

		im->g->value[weight].counts = out == GRAPH_NONE;
		if (!im->t.failed)
			out = dynamic_operation(im, &d, in, weight, scales, out);
	}
	if (!im->t.failed)
		import_done(im, n, out);
}

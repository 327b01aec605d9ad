/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs streams, and the product of a matrix and a vector, with kernels/stream.cl. Their
 * tensors may have 2^31 elements or more.
 */
#include "gpu_call.h"
#include "gpu_ops.h"
#include "gpu_product.h"

enum { DOT_PARTS = 4096, PACK_BYTES = 16, ROW_SHARERS = 64 };

/* Begins a call on tensors of out's type, whose first argument is out. */
static struct gpu_call call_begin_stream(
    struct gpu *g, const char *name, const struct backend_op *op, char *why)
{
	const struct backend_tensor *out = op->out[0];
	struct gpu_call c = gpu_call_begin_long(
	    g, gpu_kernel_of("stream", name, out->dtype), gpu_tensor_elements(out), why);

	gpu_call_tensor(&c, out);
	return c;
}

/* Returns the number of elements of a work-item of STREAM in stream.cl. */
static int64_t stream_share(const struct gpu *g, enum backend_dtype dtype)
{
	const int64_t bytes = (int64_t)gpu_dtype_bytes(dtype);

	return g->wide ? 1 : PACK_BYTES / bytes * (bytes < 4 ? 2 : 1);
}

int gpu_op_stream(struct gpu *g, const struct backend_op *op, char *why)
{
	static const struct {
		const char *name;
		bool adds_to_out; /* out is also the first operand */
		uint32_t ins;
		bool factor;
	} streams[] = {
		[BACKEND_COPY] = { "copy", false, 1, false },
		[BACKEND_SCALE] = { "scale", false, 1, true },
		[BACKEND_TRIAD] = { "triad", false, 2, true },
		[BACKEND_AXPY] = { "triad", true, 1, true },
	};
	struct gpu_call c = call_begin_stream(g, streams[op->kind].name, op, why);

	if (streams[op->kind].adds_to_out)
		gpu_call_tensor(&c, op->out[0]);
	for (uint32_t i = 0; i < streams[op->kind].ins; i++)
		gpu_call_tensor(&c, op->in[i]);
	if (streams[op->kind].factor)
		gpu_call_real(&c, op->p.stream.alpha);
	return gpu_call_each(&c, stream_share(g, op->out[0]->dtype), why);
}

bool gpu_binary_is_stream(const struct backend_op *op)
{
	return op->act == BACKEND_LINEAR && !op->p.element.select &&
	       gpu_tensor_elements(op->in[1]) == gpu_tensor_elements(op->out[0]) &&
	       op->p.element.inner <= 1;
}

int gpu_op_binary_stream(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c =
	    call_begin_stream(g, op->p.element.multiply ? "multiply" : "triad", op, why);

	gpu_call_tensor(&c, op->in[0]);
	gpu_call_tensor(&c, op->in[1]);
	gpu_call_real(&c, op->p.element.alpha);
	return gpu_call_each(&c, stream_share(g, op->out[0]->dtype), why);
}

int gpu_op_chain(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c = call_begin_stream(g, "chain", op, why);

	gpu_call_tensor(&c, op->in[0]);
	gpu_call_real(&c, op->p.stream.alpha);
	gpu_call_real(&c, op->p.stream.beta);
	gpu_call_int(&c, op->p.stream.repeat);
	return gpu_call_each(&c, gpu_chains(g, op->out[0]->dtype), why);
}

int gpu_op_dot(struct gpu *g, const struct backend_op *op, char *why)
{
	const enum backend_dtype dtype = op->in[0]->dtype, to = op->out[0]->dtype;
	const int64_t n = gpu_tensor_elements(op->in[0]);
	/* A multiple of a pack, so that all parts of aligned tensors are aligned. */
	int64_t length = (n + DOT_PARTS - 1) / DOT_PARTS;
	size_t at, used = 0;

	length = length < 4096 ? 4096 : (length + PACK_BYTES - 1) / PACK_BYTES * PACK_BYTES;
	const int64_t parts = (n + length - 1) / length;
	gpu_room_take(g, DOT_PARTS * sizeof(double), &at, &used);

	struct gpu_call c = gpu_call_begin(g,
	    (struct gpu_kernel){
	        .file = "stream", .name = "dot_parts", .dtype = dtype, .other = to },
	    parts, why);
	gpu_call_buffer(&c, g->room, 0);
	gpu_call_tensor(&c, op->in[0]);
	gpu_call_tensor(&c, op->in[1]);
	gpu_call_int(&c, length);
	gpu_call_long(&c, n);
	if (gpu_call_rows(&c, why))
		return -1;
	c = gpu_call_begin(g,
	    (struct gpu_kernel){
	        .file = "stream", .name = "dot_total", .dtype = dtype, .other = to },
	    1, why);
	gpu_call_tensor(&c, op->out[0]);
	gpu_call_buffer(&c, g->room, 0);
	gpu_call_int(&c, parts);
	return gpu_call_rows(&c, why);
}

int gpu_product_row(struct gpu *g, const struct gpu_product *p, char *why)
{
	const int64_t rows = g->wide ? 1 : gpu_row_group(g) / ROW_SHARERS;
	struct gpu_call c =
	    gpu_call_begin(g, gpu_kernel_of("stream", "gemv", p->dtype), p->n, why);

	gpu_call_buffer(&c, p->c, p->c_at);
	gpu_call_buffer(&c, p->b, p->b_at);
	gpu_call_buffer(&c, p->a, p->a_at);
	gpu_call_long(&c, p->b_ld);
	gpu_call_int(&c, p->k);
	gpu_call_real(&c, p->alpha);
	gpu_call_real(&c, p->beta);
	return gpu_call_go(&c, (p->n + rows - 1) / rows, gpu_row_group(g), why);
}

int gpu_op_gemv(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *a = op->in[0], *out = op->out[0];
	const struct gpu_product p = {
		.dtype = out->dtype,
		.n = a->size[0],
		.k = a->size[1],
		.alpha = 1,
		.a = gpu_tensor_handle(op->in[1]),
		.a_at = op->in[1]->offset,
		.b = gpu_tensor_handle(a),
		.b_at = a->offset,
		.b_ld = a->stride[0],
		.c = gpu_tensor_handle(out),
		.c_at = out->offset,
	};

	return gpu_product_row(g, &p, why);
}

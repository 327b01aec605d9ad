/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The backend cpu runs operations on this machine's processors: matrix products with
 * OpenBLAS, convolutions with oneDNN if it is built in, and the rest with kernels of its
 * own (cpu_kernels.h). These are compiled for several instruction sets; the widest
 * available is chosen. OpenMP is the only pool of threads; OpenBLAS is called within it,
 * with one thread for each call.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu_blas.h"
#include "cpu_convert.h"
#include "cpu_dispatch.h"
#include "cpu_dnn.h"
#include "cpu_gemm.h"
#include "cpu_half.h"
#include "cpu_im2col.h"
#include "cpu_op.h"
#include "cpu_probe.h"
#include "cpu_qconv.h"
#include "cpu_quantized.h"
#include "cpu_rounded.h"

static struct backend_session *session_open(const struct backend_config *config, char *why)
{
	if (config->device != 0) {
		hook_fail(why, "there is one device, number 0");
		return NULL;
	}
	struct backend_session *s = calloc(1, sizeof(*s));
	if (!s) {
		hook_fail(why, "out of memory");
		return NULL;
	}
	s->threads = config->threads ? (int)config->threads : cpu_processors();
	s->isa = cpu_isa_best();
	cpu_blas_start();
	s->dnn = cpu_dnn_open(s);
	s->dnn_products = s->dnn && cpu_dnn_products();
	return s;
}

static void session_close(struct backend_session *s)
{
	cpu_dnn_close(s->dnn);
	cpu_free(s, s->scratch);
	free(s);
}

static void *buffer_alloc(struct backend_session *s, size_t bytes, char *why)
{
	void *ptr = cpu_alloc(s, bytes);
	if (!ptr)
		hook_fail(why, "out of memory");
	return ptr;
}

static int buffer_write(struct backend_session *s, void *buffer, size_t at,
    const void *from, size_t bytes, char *why)
{
	(void)s;
	(void)why;
	memcpy((char *)buffer + at, from, bytes);
	return 0;
}

static int buffer_read(
    struct backend_session *s, void *buffer, size_t at, void *to, size_t bytes, char *why)
{
	(void)s;
	(void)why;
	memcpy(to, (const char *)buffer + at, bytes);
	return 0;
}

const struct backend_tensor *cpu_op_typed(const struct backend_op *op)
{
	return op->kind == BACKEND_SINUSOID ? op->out[0] : op->in[0];
}

/* How operations with quantized weights are prepared and released. */
static const struct quantized_hooks {
	int (*prepare)(struct backend_session *s, struct backend_op *op, char *why);
	void (*release)(struct backend_session *s, struct backend_op *op);
} quantized[BACKEND_KINDS] = {
	[BACKEND_QGEMM] = { cpu_qgemm_prepare, cpu_qgemm_release },
	[BACKEND_QCONV] = { cpu_qconv_prepare, cpu_qconv_release },
	[BACKEND_QEXPERTS] = { cpu_qgemm_prepare, cpu_qgemm_release },
};

static int op_supports(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	if (op->kind == BACKEND_NOP)
		return 0;
	enum backend_dtype dtype = cpu_op_typed(op)->dtype;
	bool is_float =
	    dtype == BACKEND_FLOAT32 || dtype == BACKEND_FLOAT64 || cpu_is_half(dtype);
	if (op->kind == BACKEND_MOVE) {
		if (cpu_converts(dtype) && cpu_converts(op->out[0]->dtype))
			return 0;
	} else if (op->kind == BACKEND_GEMM && dtype == BACKEND_INT8) {
		if (!op->in[2] && !op->in[3] && op->p.gemm.alpha == 1)
			return 0;
		return hook_fail(
		    why, "only gemm of int8 without bias, addend and factor is supported");
	}
	if (quantized[op->kind].prepare && dtype != BACKEND_FLOAT32)
		return hook_fail(why, "quantized weights are supported for float32 only");
	return is_float ? 0 : hook_fail(why, "only floating-point types are supported");
}

static size_t attention_scratch(
    const struct backend_session *s, const struct backend_op *op)
{
	return s->isa->attention_bytes[cpu_type_of(op->in[0])](op) * (size_t)s->threads;
}

static size_t rope_scratch(const struct backend_session *s, const struct backend_op *op)
{
	return (size_t)cpu_columns(op->out[0]) * sizeof(double) * (size_t)(s->threads + 1);
}

static size_t scan_scratch(const struct backend_session *s, const struct backend_op *op)
{
	return (size_t)(cpu_size(op->in[2], 1) * s->threads) * sizeof(double);
}

/* The bytes of scratch memory that each kind of operation needs. */
static size_t (*const scratch_of[BACKEND_KINDS])(
    const struct backend_session *s, const struct backend_op *op) = {
	[BACKEND_GEMM] = cpu_gemm_scratch,
	[BACKEND_EXPERTS] = cpu_gemm_scratch,
	[BACKEND_QGEMM] = cpu_qgemm_scratch,
	[BACKEND_QCONV] = cpu_qconv_scratch,
	[BACKEND_QEXPERTS] = cpu_qgemm_scratch,
	[BACKEND_CONV] = cpu_im2col_scratch,
	[BACKEND_ATTENTION] = attention_scratch,
	[BACKEND_ROPE] = rope_scratch,
	[BACKEND_SCAN] = scan_scratch,
};

void cpu_op_release(struct backend_session *s, struct backend_op *op)
{
	if (cpu_is_rounded(op))
		cpu_rounded_release(s, op);
	else if (op->own && op->kind == BACKEND_GEMM)
		cpu_gemm_release(s, op);
	else if (op->own && quantized[op->kind].release)
		quantized[op->kind].release(s, op);
	else if (op->own)
		cpu_dnn_release(s, op);
}

static void list_release(struct backend_session *s, struct backend_op *op, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (op[i].own && cpu_op_is_half(&op[i]))
			cpu_half_release(s, &op[i]);
		else
			cpu_op_release(s, &op[i]);
	}
}

int cpu_op_prepare(struct backend_session *s, struct backend_op *op, char *why)
{
	if (cpu_is_rounded(op))
		return 0;
	if (op->kind == BACKEND_GEMM && cpu_gemm_prepare(s, op, why) < 0)
		return -1;
	if (quantized[op->kind].prepare && quantized[op->kind].prepare(s, op, why) < 0)
		return -1;
	bool planned = op->own && op->kind != BACKEND_GEMM && !quantized[op->kind].prepare;
	if (planned || !scratch_of[op->kind])
		return 0;
	return cpu_scratch(s, scratch_of[op->kind](s, op), why);
}

/* Returns whether a prepared operation may call OpenBLAS. */
static bool op_calls_blas(const struct backend_session *s, const struct backend_op *op)
{
	bool dnn = s->dnn_products && op->kind != BACKEND_NOP &&
	           cpu_op_typed(op)->dtype == BACKEND_FLOAT32;
	if (op->own && !cpu_op_is_half(op) && !cpu_is_rounded(op))
		return false;
	switch (op->kind) {
	case BACKEND_GEMV:
	case BACKEND_EXPERTS:
		return true;
	case BACKEND_CONV:
		return !dnn;
	case BACKEND_GEMM:
		/* OpenBLAS computes single rows, including those of a last tile. */
		return op->in[0]->dtype != BACKEND_INT8 &&
		       (!dnn || cpu_size(op->out[0], 2) % 16 == 1);
	default:
		return false;
	}
}

static int list_prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	int status = cpu_rounded_prepare(s, op, count, why);
	if (status == 0 && s->dnn)
		status = cpu_dnn_prepare(s, op, count, why);
	if (status < 0) {
		for (size_t i = 0; i < count; i++)
			if (op[i].own && cpu_is_rounded(&op[i]))
				cpu_rounded_release(s, &op[i]);
			else if (op[i].own)
				cpu_dnn_release(s, &op[i]);
		return -1;
	}
	status = cpu_half_prepare(s, op, count, why);
	for (size_t i = 0; i < count && status == 0; i++)
		if (!cpu_op_is_half(&op[i]))
			status = cpu_op_prepare(s, &op[i], why);
	bool blas = false;
	for (size_t i = 0; i < count && !blas; i++)
		blas = op_calls_blas(s, &op[i]);
	if (status == 0 && blas)
		status = cpu_blas_reserve(s->threads, why);
	if (status < 0)
		list_release(s, op, count);
	return status;
}

static int op_run_nothing(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	(void)op;
	(void)why;
	return 0;
}

/* Runs the kernel of the instruction set, or the plan of oneDNN. */
static int op_run_kernel(struct backend_session *s, const struct backend_op *op, char *why)
{
	if (op->own)
		return cpu_dnn_run(s, op, why);
	s->isa->run[op->kind][cpu_type_of(cpu_op_typed(op))](s, op);
	return 0;
}

static int op_run_conv(struct backend_session *s, const struct backend_op *op, char *why)
{
	return op->own ? cpu_dnn_run(s, op, why) : cpu_im2col(s, op, why);
}

static int op_run_move(struct backend_session *s, const struct backend_op *op, char *why)
{
	bool same = op->in[0]->dtype == op->out[0]->dtype;
	bool is_float =
	    op->in[0]->dtype == BACKEND_FLOAT32 || op->in[0]->dtype == BACKEND_FLOAT64;
	return same && is_float ? op_run_kernel(s, op, why) : cpu_convert(s, op, why);
}

/* The operations on the kernels' types. */
static int (*const runs[BACKEND_KINDS])(
    struct backend_session *s, const struct backend_op *op, char *why) = {
	[BACKEND_NOP] = op_run_nothing,
	[BACKEND_COPY] = op_run_kernel,
	[BACKEND_SCALE] = op_run_kernel,
	[BACKEND_TRIAD] = op_run_kernel,
	[BACKEND_AXPY] = op_run_kernel,
	[BACKEND_DOT] = op_run_kernel,
	[BACKEND_FMA] = op_run_kernel,
	[BACKEND_GEMV] = cpu_gemv,
	[BACKEND_GEMM] = cpu_gemm,
	[BACKEND_CONV] = op_run_conv,
	[BACKEND_ATTENTION] = op_run_kernel,
	[BACKEND_LAYERNORM] = op_run_kernel,
	[BACKEND_RMSNORM] = op_run_kernel,
	[BACKEND_GROUPNORM] = op_run_kernel,
	[BACKEND_BATCHNORM] = op_run_kernel,
	[BACKEND_SOFTMAX] = op_run_kernel,
	[BACKEND_UNARY] = op_run_kernel,
	[BACKEND_BINARY] = op_run_kernel,
	[BACKEND_ROUND] = op_run_kernel,
	[BACKEND_CELL] = op_run_kernel,
	[BACKEND_GLU] = op_run_kernel,
	[BACKEND_GATHER] = op_run_kernel,
	[BACKEND_POOL] = op_run_kernel,
	[BACKEND_RESIZE] = op_run_kernel,
	[BACKEND_MOVE] = op_run_move,
	[BACKEND_ROPE] = op_run_kernel,
	[BACKEND_RELATIVE] = op_run_kernel,
	[BACKEND_SINUSOID] = op_run_kernel,
	[BACKEND_SCAN] = op_run_kernel,
	[BACKEND_CAUSAL_CONV] = op_run_kernel,
	[BACKEND_ROUTE] = op_run_kernel,
	[BACKEND_EXPERTS] = cpu_experts,
	[BACKEND_COMBINE] = op_run_kernel,
	[BACKEND_TOPK] = op_run_kernel,
	[BACKEND_TREES] = op_run_kernel,
	[BACKEND_QGEMM] = cpu_qgemm,
	[BACKEND_QCONV] = cpu_qconv,
	[BACKEND_QEXPERTS] = cpu_qexperts,
};

int cpu_op_run(struct backend_session *s, const struct backend_op *op, char *why)
{
	return cpu_is_rounded(op) ? cpu_rounded_run(s, op, why)
	                          : runs[op->kind](s, op, why);
}

static int op_run(struct backend_session *s, const struct backend_op *op, char *why)
{
	return cpu_op_is_half(op) ? cpu_half_run(s, op, why) : cpu_op_run(s, op, why);
}

/* Does nothing, because all work is complete when the hooks return. */
static int session_sync(struct backend_session *s, char *why)
{
	(void)s;
	(void)why;
	return 0;
}

static uint64_t session_memory(struct backend_session *s)
{
	return s->bytes;
}

__attribute__((visibility("default"))) const struct backend bench_backend = {
	.abi = BACKEND_ABI,
	.name = "cpu",
	.summary = "this machine's processors: OpenBLAS, oneDNN, own kernels",
	.probe = cpu_probe,
	.open = session_open,
	.close = session_close,
	.alloc = buffer_alloc,
	.free = cpu_free,
	.write = buffer_write,
	.read = buffer_read,
	.supports = op_supports,
	.prepare = list_prepare,
	.release = list_release,
	.run = { [0 ... BACKEND_KINDS - 1] = op_run },

	.sync = session_sync,
	.memory = session_memory,
};

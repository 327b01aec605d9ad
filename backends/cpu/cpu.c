/*
 * The cpu backend: this machine's processors, with OpenBLAS for matrix products, oneDNN for
 * convolutions where it is built in, and own kernels for the rest (cpu_kernels.h), compiled
 * for several instruction sets of which the widest is taken. OpenMP is the only pool of
 * threads; OpenBLAS is called within it, one thread a call.
 */
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cpu.h"
#include "cpu_blas.h"
#include "cpu_dnn.h"

enum { PAGE = 4096, HUGE = 2 << 20 };

int cpu_fail(char *why, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(why, BACKEND_WHY, format, args);
	va_end(args);
	return -1;
}

#ifdef __x86_64__
static bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

static bool has_all(void)
{
	return true;
}

/* The widest first. */
static const struct {
	const struct cpu_isa *isa;
	bool (*here)(void);
} isas[] = {
#ifdef __x86_64__
	{ &cpu_avx512, has_avx512 },
	{ &cpu_avx2, has_avx2 },
#endif
	{ &cpu_plain, has_all },
};

const struct cpu_isa *cpu_isa_best(void)
{
	const char *limit = getenv("BENCH_CPU_ISA");
	size_t i = 0, last = sizeof(isas) / sizeof(*isas) - 1;
	for (size_t j = 0; limit && j <= last; j++)
		if (strcmp(isas[j].isa->name, limit) == 0)
			i = j;
	while (i < last && !isas[i].here())
		i++;
	return isas[i].isa;
}

/* The size stands in a page before what is given away. */
void *cpu_alloc(struct backend_session *s, size_t bytes)
{
	size_t align = bytes >= HUGE ? HUGE : PAGE;
	size_t whole =
	    bytes > SIZE_MAX - 2 * HUGE ? 0 : align + (bytes + align - 1) / align * align;
	char *base = whole ? aligned_alloc(align, whole) : NULL;
	if (!base)
		return NULL;
	/* Fewer misses of the TLB where the kernel has large pages to give. */
	if (bytes >= HUGE)
		madvise(base + HUGE, whole - HUGE, MADV_HUGEPAGE);
	char *ptr = base + align;
	((size_t *)ptr)[-1] = bytes;
	((void **)ptr)[-2] = base;
	s->bytes += bytes;
	return ptr;
}

void cpu_free(struct backend_session *s, void *ptr)
{
	if (!ptr)
		return;
	s->bytes -= ((size_t *)ptr)[-1];
	free(((void **)ptr)[-2]);
}

int cpu_scratch(struct backend_session *s, size_t bytes, char *why)
{
	if (bytes <= s->scratch_bytes)
		return 0;
	cpu_free(s, s->scratch);
	s->scratch_bytes = 0;
	s->scratch = cpu_alloc(s, bytes);
	if (!s->scratch)
		return cpu_fail(why, "no memory for %zu bytes of scratch", bytes);
	/* Its pages are there before anything is timed. */
	memset(s->scratch, 0, bytes);
	s->scratch_bytes = bytes;
	return 0;
}

static struct backend_session *session_open(const struct backend_config *config, char *why)
{
	if (config->device != 0) {
		cpu_fail(why, "there is one device, 0");
		return NULL;
	}
	struct backend_session *s = calloc(1, sizeof(*s));
	if (!s) {
		cpu_fail(why, "no memory");
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
		cpu_fail(why, "no memory for %zu bytes", bytes);
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

/* The tensor whose type the kernel is of. */
static const struct backend_tensor *typed(const struct backend_op *op)
{
	return op->kind == BACKEND_SINUSOID ? op->out[0] : op->in[0];
}

static int supports(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	if (op->kind == BACKEND_NOP)
		return 0;
	enum backend_dtype dtype = typed(op)->dtype;
	bool is_float = dtype == BACKEND_FLOAT32 || dtype == BACKEND_FLOAT64;
	if (op->kind == BACKEND_MOVE) {
		if (cpu_converts(dtype) && cpu_converts(op->out[0]->dtype))
			return 0;
	} else if (op->kind == BACKEND_GEMM && dtype == BACKEND_INT8) {
		if (!op->in[2] && !op->in[3] && op->p.gemm.alpha == 1)
			return 0;
		return cpu_fail(why, "gemm of int8 without bias, addend and factor only");
	}
	return is_float ? 0 : cpu_fail(why, "float32 and float64 only");
}

static size_t attention_scratch(
    const struct backend_session *s, const struct backend_op *op)
{
	int type = op->in[0]->dtype == BACKEND_FLOAT64 ? CPU_FLOAT64 : CPU_FLOAT32;
	return s->isa->attention_bytes[type](op) * (size_t)s->threads;
}

static size_t rope_scratch(const struct backend_session *s, const struct backend_op *op)
{
	return (size_t)cpu_columns(op->out[0]) * sizeof(double) * (size_t)(s->threads + 1);
}

static size_t scan_scratch(const struct backend_session *s, const struct backend_op *op)
{
	return (size_t)(cpu_size(op->in[2], 1) * s->threads) * sizeof(double);
}

/* Scratch memory that an operation asks for, in bytes. */
static size_t (*const scratch_of[BACKEND_KINDS])(
    const struct backend_session *s, const struct backend_op *op) = {
	[BACKEND_GEMM] = cpu_gemm_scratch,
	[BACKEND_EXPERTS] = cpu_gemm_scratch,
	[BACKEND_CONV] = cpu_im2col_scratch,
	[BACKEND_ATTENTION] = attention_scratch,
	[BACKEND_ROPE] = rope_scratch,
	[BACKEND_SCAN] = scan_scratch,
};

static void release(struct backend_session *s, struct backend_op *op, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (op[i].own && op[i].kind == BACKEND_GEMM)
			cpu_gemm_release(s, &op[i]);
		else if (op[i].own)
			cpu_dnn_release(s, &op[i]);
	}
}

static int op_prepare(struct backend_session *s, struct backend_op *op, char *why)
{
	if (op->kind == BACKEND_GEMM && cpu_gemm_prepare(s, op, why) < 0)
		return -1;
	bool planned = op->own && op->kind != BACKEND_GEMM;
	if (planned || !scratch_of[op->kind])
		return 0;
	return cpu_scratch(s, scratch_of[op->kind](s, op), why);
}

static int prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	int status = s->dnn ? cpu_dnn_prepare(s, op, count, why) : 0;
	for (size_t i = 0; i < count && status == 0; i++)
		status = op_prepare(s, &op[i], why);
	if (status < 0)
		release(s, op, count);
	return status;
}

static int run_nothing(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	(void)op;
	(void)why;
	return 0;
}

/* A kernel of the instruction set, or oneDNN where it has planned this operation. */
static int run_kernel(struct backend_session *s, const struct backend_op *op, char *why)
{
	if (op->own)
		return cpu_dnn_run(s, op, why);
	int type = typed(op)->dtype == BACKEND_FLOAT64 ? CPU_FLOAT64 : CPU_FLOAT32;
	s->isa->run[op->kind][type](s, op);
	return 0;
}

static int run_conv(struct backend_session *s, const struct backend_op *op, char *why)
{
	return op->own ? cpu_dnn_run(s, op, why) : cpu_im2col(s, op, why);
}

static int run_move(struct backend_session *s, const struct backend_op *op, char *why)
{
	bool same = op->in[0]->dtype == op->out[0]->dtype;
	bool is_float =
	    op->in[0]->dtype == BACKEND_FLOAT32 || op->in[0]->dtype == BACKEND_FLOAT64;
	return same && is_float ? run_kernel(s, op, why) : cpu_convert(s, op, why);
}

/* All is done when the hooks return. */
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
	.supports = supports,
	.prepare = prepare,
	.release = release,
	.run = {
		[BACKEND_NOP] = run_nothing,
		[BACKEND_COPY] = run_kernel,
		[BACKEND_SCALE] = run_kernel,
		[BACKEND_TRIAD] = run_kernel,
		[BACKEND_AXPY] = run_kernel,
		[BACKEND_DOT] = run_kernel,
		[BACKEND_FMA] = run_kernel,
		[BACKEND_GEMV] = cpu_gemv,
		[BACKEND_GEMM] = cpu_gemm,
		[BACKEND_CONV] = run_conv,
		[BACKEND_ATTENTION] = run_kernel,
		[BACKEND_LAYERNORM] = run_kernel,
		[BACKEND_RMSNORM] = run_kernel,
		[BACKEND_GROUPNORM] = run_kernel,
		[BACKEND_BATCHNORM] = run_kernel,
		[BACKEND_SOFTMAX] = run_kernel,
		[BACKEND_UNARY] = run_kernel,
		[BACKEND_BINARY] = run_kernel,
		[BACKEND_GLU] = run_kernel,
		[BACKEND_GATHER] = run_kernel,
		[BACKEND_POOL] = run_kernel,
		[BACKEND_RESIZE] = run_kernel,
		[BACKEND_MOVE] = run_move,
		[BACKEND_ROPE] = run_kernel,
		[BACKEND_RELATIVE] = run_kernel,
		[BACKEND_SINUSOID] = run_kernel,
		[BACKEND_SCAN] = run_kernel,
		[BACKEND_CAUSAL_CONV] = run_kernel,
		[BACKEND_ROUTE] = run_kernel,
		[BACKEND_EXPERTS] = cpu_experts,
		[BACKEND_COMBINE] = run_kernel,
		[BACKEND_TOPK] = run_kernel,
	},
	.sync = session_sync,
	.memory = session_memory,
};

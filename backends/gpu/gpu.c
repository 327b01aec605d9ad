/*
 * The hooks that the GPU backends share; see gpu.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_call.h"

#define BIT(kind) (1u << (kind))

enum {
	ALL_FLOATS = BIT(BACKEND_FLOAT32) | BIT(BACKEND_FLOAT64) | BIT(BACKEND_FLOAT16) |
	             BIT(BACKEND_BFLOAT16)
};

/* What does each operation, and what makes the table that it reads, if it reads one. */
static const struct {
	gpu_operation *run;
	int (*table)(struct gpu *g, struct backend_op *op, char *why);
} operations[BACKEND_KINDS] = {
	[BACKEND_NOP] = { op_nop },
	[BACKEND_COPY] = { op_stream },
	[BACKEND_SCALE] = { op_stream },
	[BACKEND_TRIAD] = { op_stream },
	[BACKEND_AXPY] = { op_stream },
	[BACKEND_DOT] = { op_dot },
	[BACKEND_FMA] = { op_chain },
	[BACKEND_GEMV] = { op_gemv },
	[BACKEND_GEMM] = { op_gemm },
	[BACKEND_CONV] = { op_conv },
	[BACKEND_ATTENTION] = { op_attention },
	[BACKEND_LAYERNORM] = { op_layernorm },
	[BACKEND_RMSNORM] = { op_rmsnorm },
	[BACKEND_GROUPNORM] = { op_groupnorm },
	[BACKEND_BATCHNORM] = { op_batchnorm },
	[BACKEND_SOFTMAX] = { op_softmax },
	[BACKEND_UNARY] = { op_unary },
	[BACKEND_BINARY] = { op_binary },
	[BACKEND_GLU] = { op_glu },
	[BACKEND_GATHER] = { op_gather },
	[BACKEND_POOL] = { op_pool },
	[BACKEND_RESIZE] = { op_resize },
	[BACKEND_MOVE] = { op_move },
	[BACKEND_ROPE] = { op_rope, table_rope },
	[BACKEND_RELATIVE] = { op_relative, table_relative },
	[BACKEND_SINUSOID] = { op_sinusoid, table_sinusoid },
	[BACKEND_SCAN] = { op_scan },
	[BACKEND_CAUSAL_CONV] = { op_causal_conv },
	[BACKEND_ROUTE] = { op_route },
	[BACKEND_EXPERTS] = { op_experts },
	[BACKEND_COMBINE] = { op_combine },
	[BACKEND_TOPK] = { op_topk },
};

static struct gpu *gpu_of(struct backend_session *s)
{
	return (struct gpu *)s;
}

int gpu_fail(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, BACKEND_WHY, format, args);
	va_end(args);
	return -1;
}

struct gpu *gpu_new(
    const struct gpu_driver *driver, const struct backend_config *config, char *why)
{
	struct gpu *g = calloc(1, sizeof(*g));

	if (config->abi != BACKEND_ABI) {
		gpu_fail(why, "the host's ABI is %u, not %u", config->abi, BACKEND_ABI);
		free(g);
		return NULL;
	}
	if (g) {
		g->driver = driver;
		g->share_dir = strdup(config->share_dir ? config->share_dir : ".");
		g->cache_dir = config->cache_dir ? strdup(config->cache_dir) : NULL;
	}
	if (!g || !g->share_dir || (config->cache_dir && !g->cache_dir)) {
		gpu_fail(why, "out of memory");
		if (g)
			gpu_close((struct backend_session *)g);
		return NULL;
	}
	return g;
}

void gpu_close(struct backend_session *s)
{
	struct gpu *g = gpu_of(s);

	if (g->device) {
		if (g->room)
			g->driver->free(g, g->room);
		for (size_t i = 0; i < g->kernels; i++)
			g->driver->drop(g, g->kernel[i].handle);
		for (size_t i = 0; i < g->programs; i++) {
			g->driver->unbuild(g, g->program[i].handle);
			free(g->program[i].options);
		}
		g->driver->close(g);
	}
	free(g->program);
	free(g->kernel);
	free(g->form);
	free(g->share_dir);
	free(g->cache_dir);
	free(g);
}

void *gpu_alloc(struct backend_session *s, size_t bytes, char *why)
{
	struct gpu *g = gpu_of(s);
	struct gpu_buffer *b = calloc(1, sizeof(*b));

	if (!b) {
		gpu_fail(why, "out of memory");
		return NULL;
	}
	b->bytes = bytes;
	b->handle = g->driver->alloc(g, bytes ? bytes : 1, why);
	if (!b->handle) {
		free(b);
		return NULL;
	}
	g->bytes += bytes;
	return b;
}

void gpu_free(struct backend_session *s, void *buffer)
{
	struct gpu *g = gpu_of(s);
	struct gpu_buffer *b = buffer;

	if (!b)
		return;
	g->bytes -= b->bytes;
	g->driver->free(g, b->handle);
	free(b);
}

static int check_place(const struct gpu_buffer *b, size_t at, size_t bytes, char *why)
{
	if (at > b->bytes || bytes > b->bytes - at)
		return gpu_fail(why, "%zu bytes at %zu are beyond a buffer of %zu", bytes,
		    at, b->bytes);
	return 0;
}

int gpu_write(struct backend_session *s, void *buffer, size_t at, const void *from,
    size_t bytes, char *why)
{
	struct gpu *g = gpu_of(s);
	struct gpu_buffer *b = buffer;

	if (check_place(b, at, bytes, why))
		return -1;
	return bytes ? g->driver->write(g, b->handle, at, from, bytes, why) : 0;
}

int gpu_read(
    struct backend_session *s, void *buffer, size_t at, void *to, size_t bytes, char *why)
{
	struct gpu *g = gpu_of(s);
	struct gpu_buffer *b = buffer;

	if (check_place(b, at, bytes, why))
		return -1;
	return bytes ? g->driver->read(g, b->handle, at, to, bytes, why) : 0;
}

/* Tensors whose type need not be one that the device computes in. */
static bool holds_numbers(const struct backend_op *op, bool out, size_t i)
{
	switch (op->kind) {
	case BACKEND_COPY:
	case BACKEND_MOVE:
		return true;
	case BACKEND_GATHER:
	case BACKEND_SINUSOID:
		return !out && i == (op->kind == BACKEND_GATHER);
	case BACKEND_SCAN:
		return !out && i == 7;
	case BACKEND_EXPERTS:
		return !out && i == 2;
	case BACKEND_ROUTE:
	case BACKEND_TOPK:
		return out && i == 1;
	case BACKEND_GEMM:
		return op->in[0]->dtype == BACKEND_INT8;
	default:
		return false;
	}
}

static int check_tensor(const struct gpu *g, const struct backend_op *op, bool out,
    size_t i, const struct backend_tensor *t, char *why)
{
	struct tensor_steps steps;
	int64_t last = 0;

	for (uint32_t d = 0; d < t->dims; d++)
		last += (t->size[d] - 1) * t->stride[d];
	if (last >= INT32_MAX - 65536)
		return gpu_fail(why, "a tensor of 2^31 elements or more");
	if (!tensor_steps(t, &steps) && op->kind != BACKEND_MOVE)
		return gpu_fail(why, "rows apart in two of four dimensions");
	if (holds_numbers(op, out, i))
		return 0;
	if (!(ALL_FLOATS >> t->dtype & 1))
		return gpu_fail(why, "it does not do this in %s", gpu_dtype_name(t->dtype));
	if (!(g->dtypes >> t->dtype & 1))
		return gpu_fail(why, "the device has no %s", gpu_dtype_name(t->dtype));
	return 0;
}

int gpu_supports(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct gpu *g = gpu_of(s);

	for (size_t i = 0; i < BACKEND_INS; i++)
		if (op->in[i] && check_tensor(g, op, false, i, op->in[i], why))
			return -1;
	for (size_t i = 0; i < BACKEND_OUTS; i++)
		if (op->out[i] && check_tensor(g, op, true, i, op->out[i], why))
			return -1;
	if (op->kind == BACKEND_GEMM && op->in[0]->dtype == BACKEND_INT8 &&
	    (op->in[2] || op->in[3] || op->act || op->p.gemm.alpha != 1 ||
	        op->out[0]->dtype != BACKEND_INT32))
		return gpu_fail(why, "int8 products are int32, with nothing added to them");
	if (op->kind == BACKEND_SCAN && tensor_columns(op->in[2]) > 256)
		return gpu_fail(why, "more than 256 states");
	if (op->kind == BACKEND_TOPK && op->p.route.k > tensor_columns(op->in[0]))
		return gpu_fail(why, "more of the largest than there are elements");
	return 0;
}

static int run_all(struct gpu *g, const struct backend_op *op, size_t count, char *why)
{
	for (size_t i = 0; i < count; i++)
		if (operations[op[i].kind].run(g, &op[i], why))
			return -1;
	return 0;
}

static int fit_room(struct gpu *g, char *why)
{
	if (g->room_needed <= g->room_bytes)
		return 0;
	if (g->room)
		g->driver->free(g, g->room);
	g->bytes -= g->room_bytes;
	g->room_bytes = 0;
	g->room = g->driver->alloc(g, g->room_needed, why);
	if (!g->room)
		return -1;
	g->room_bytes = g->room_needed;
	g->bytes += g->room_bytes;
	return 0;
}

static int prepare(struct gpu *g, struct backend_op *op, size_t count, char *why)
{
	struct backend_session *s = (struct backend_session *)g;

	for (size_t i = 0; i < count; i++)
		if (operations[op[i].kind].table &&
		    operations[op[i].kind].table(g, &op[i], why))
			return -1;
	g->phase = GPU_MEASURE;
	g->scratch_needed = 1;
	if (run_all(g, op, count, why) || gpu_sync(s, why) || fit_room(g, why))
		return -1;
	g->scratch = g->driver->alloc(g, g->scratch_needed, why);
	if (!g->scratch)
		return -1;
	g->phase = GPU_WARM;
	const int result = run_all(g, op, count, why) ? -1 : gpu_sync(s, why);
	g->driver->free(g, g->scratch);
	g->scratch = NULL;
	return result;
}

int gpu_prepare(struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	const int result = prepare(gpu_of(s), op, count, why);

	gpu_of(s)->phase = GPU_RUN;
	if (result)
		gpu_release(s, op, count);
	return result;
}

void gpu_release(struct backend_session *s, struct backend_op *op, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		gpu_free(s, op[i].own);
		op[i].own = NULL;
	}
}

int gpu_run(struct backend_session *s, const struct backend_op *op, char *why)
{
	return operations[op->kind].run(gpu_of(s), op, why);
}

int gpu_sync(struct backend_session *s, char *why)
{
	return gpu_of(s)->driver->sync(gpu_of(s), why);
}

uint64_t gpu_memory(struct backend_session *s)
{
	return gpu_of(s)->bytes;
}

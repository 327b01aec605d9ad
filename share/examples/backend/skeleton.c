/* SPDX-License-Identifier: MIT-0 */
/*
 * A backend to begin your own with: a device that is the processor, with a few operations,
 * in float32. Every hook that there is stands here, and says whether it may be left out;
 * see bench-backend(7) for what each has to do.
 *
 * A real device differs in four places: probe asks its driver what is there; alloc, write
 * and read move bytes to it and back; prepare compiles; and the operations only set work
 * going, which sync waits for.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bench-backend.h>

/* Yours to define: all that one open device needs. There are no globals, because several
 * sessions may be open, one for each model that is measured. */
struct backend_session {
	uint64_t bytes;
};

/* Buffers are handles: what alloc gives is what tensors carry. Here it is a pointer. */
enum { ALIGNMENT = 64 };

struct head {
	size_t bytes;
};

/* A hook that fails leaves one line in why, BACKEND_WHY bytes, and returns -1. */
static int fail(char *why, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(why, BACKEND_WHY, format, ap);
	va_end(ap);
	return -1;
}

/*
 * Needed. List the devices, and say what they compute in. It runs in a process of its own:
 * a driver that hangs or crashes harms nobody. No device is 0 and a reason, not an error.
 */
static int probe(struct backend_device *list, size_t max, char *why)
{
	if (max == 0)
		return fail(why, "no room in the list of devices");
	*list = (struct backend_device){ .name = "skeleton processor",
		.type = "cpu",
		.detail = "plain C, one thread",
		.units = 1,
		.dtypes = 1u << BACKEND_FLOAT32 };
	return 1;
}

/* Needed. config->device is a place in what probe gave. */
static struct backend_session *open_session(const struct backend_config *config, char *why)
{
	struct backend_session *s;

	if (config->device != 0) {
		fail(why, "there is one device, 0; not %u", (unsigned)config->device);
		return NULL;
	}
	s = calloc(1, sizeof(*s));
	if (!s)
		fail(why, "out of memory");
	return s;
}

/* Needed. All buffers are freed and all lists released before. */
static void close_session(struct backend_session *s)
{
	free(s);
}

/* Needed. */
static void *alloc_buffer(struct backend_session *s, size_t bytes, char *why)
{
	size_t room = (bytes + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	char *block = room > bytes ? aligned_alloc(ALIGNMENT, room) : NULL;

	if (!block) {
		fail(why, "no memory for %zu bytes", bytes);
		return NULL;
	}
	((struct head *)(void *)block)->bytes = bytes;
	s->bytes += bytes;
	return block + ALIGNMENT;
}

/* Needed. */
static void free_buffer(struct backend_session *s, void *buffer)
{
	char *block = buffer ? (char *)buffer - ALIGNMENT : NULL;

	if (block)
		s->bytes -= ((struct head *)(void *)block)->bytes;
	free(block);
}

/* Needed. `at` is a place in the buffer, in bytes; done when it returns. */
static int write_buffer(struct backend_session *s, void *buffer, size_t at,
    const void *from, size_t bytes, char *why)
{
	(void)s;
	(void)why;
	memcpy((char *)buffer + at, from, bytes);
	return 0;
}

/* Needed. */
static int read_buffer(
    struct backend_session *s, void *buffer, size_t at, void *to, size_t bytes, char *why)
{
	(void)s;
	(void)why;
	memcpy(to, (char *)buffer + at, bytes);
	return 0;
}

/*
 * Optional: without it, whatever has a hook below is taken to work on any tensors. That the
 * hook of the operation is there is checked already.
 */
static int supports(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	for (int i = 0; i < BACKEND_INS; i++)
		if (op->in[i] && op->in[i]->dtype != BACKEND_FLOAT32)
			return fail(why, "in%d is not float32", i);
	for (int i = 0; i < BACKEND_OUTS; i++)
		if (op->out[i] && op->out[i]->dtype != BACKEND_FLOAT32)
			return fail(why, "out%d is not float32", i);
	return 0;
}

/*
 * Optional. A list of operations that will be run in this order, again and again: compile
 * and set aside here whatever can be, and leave it in op->own and tensor->own. This device
 * has nothing to prepare; it looks once more at what an operation cannot do without.
 */
static int prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	(void)s;
	for (size_t i = 0; i < count; i++)
		if (op[i].kind != BACKEND_NOP && (!op[i].out[0] || !op[i].out[0]->buffer))
			return fail(why, "operation %zu has no result", i);
	return 0;
}

/* Needed where there is prepare: frees what that left in the list. */
static void release(struct backend_session *s, struct backend_op *op, size_t count)
{
	(void)s;
	(void)op;
	(void)count;
}

/* Needed. Here the operations are done when they return. */
static int sync_all(struct backend_session *s, char *why)
{
	(void)s;
	(void)why;
	return 0;
}

/* Optional. */
static uint64_t memory(struct backend_session *s)
{
	return s->bytes;
}

static float *data(const struct backend_tensor *t)
{
	return (float *)t->buffer + t->offset;
}

static int64_t elements(const struct backend_tensor *t)
{
	int64_t count = 1;

	for (uint32_t i = 0; i < t->dims; i++)
		count *= t->size[i];
	return count;
}

/* Sizes and strides from the end on; 1 and 0 where there is no such dimension. */
static int64_t size(const struct backend_tensor *t, uint32_t from_end)
{
	return from_end < t->dims ? t->size[t->dims - 1 - from_end] : 1;
}

static int64_t stride(const struct backend_tensor *t, uint32_t from_end)
{
	return from_end < t->dims ? t->stride[t->dims - 1 - from_end] : 0;
}

static double act(enum backend_act which, double x)
{
	switch (which) {
	case BACKEND_RELU:
		return x > 0 ? x : 0;
	case BACKEND_GELU:
		return x / 2 * (1 + erf(x / sqrt(2)));
	case BACKEND_GELU_TANH:
		return x / 2 * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
	case BACKEND_QUICK_GELU:
		return x / (1 + exp(-1.702 * x));
	case BACKEND_SILU:
		return x / (1 + exp(-x));
	case BACKEND_TANH:
		return tanh(x);
	case BACKEND_SIGMOID:
		return 1 / (1 + exp(-x));
	case BACKEND_SOFTPLUS:
		return (x > 0 ? x : 0) + log1p(exp(-fabs(x)));
	default:
		return x;
	}
}

static int copy(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	(void)why;
	memcpy(
	    data(op->out[0]), data(op->in[0]), (size_t)elements(op->in[0]) * sizeof(float));
	return 0;
}

static int scale(struct backend_session *s, const struct backend_op *op, char *why)
{
	float *out = data(op->out[0]), alpha = (float)op->p.stream.alpha;

	(void)s;
	(void)why;
	for (int64_t i = 0, n = elements(op->out[0]); i < n; i++)
		out[i] = alpha * data(op->in[0])[i];
	return 0;
}

static int triad(struct backend_session *s, const struct backend_op *op, char *why)
{
	float *out = data(op->out[0]), alpha = (float)op->p.stream.alpha;

	(void)s;
	(void)why;
	for (int64_t i = 0, n = elements(op->out[0]); i < n; i++)
		out[i] = data(op->in[0])[i] + alpha * data(op->in[1])[i];
	return 0;
}

static int unary(struct backend_session *s, const struct backend_op *op, char *why)
{
	float *out = data(op->out[0]);

	(void)s;
	(void)why;
	for (int64_t i = 0, n = elements(op->out[0]); i < n; i++)
		out[i] = (float)act(op->act, op->p.element.alpha * data(op->in[0])[i]);
	return 0;
}

/* One element of a product, with all that backend.h adds to it. */
static double product(const struct backend_op *op, int64_t batch, int64_t i, int64_t j)
{
	const struct backend_tensor *a = op->in[0], *b = op->in[1], *more = op->in[3];
	const float *x = data(a) + batch * stride(a, 2) + i * stride(a, 1);
	const float *y = data(b) + (size(b, 2) > 1 ? batch * stride(b, 2) : 0);
	double sum = 0;

	for (int64_t k = 0; k < size(a, 0); k++)
		sum += (double)x[k] * (op->p.gemm.transpose ? y[j * stride(b, 1) + k]
		                                            : y[k * stride(b, 1) + j]);
	sum *= op->p.gemm.alpha;
	if (op->in[2])
		sum += data(op->in[2])[j];
	if (more)
		sum += data(more)[batch * stride(more, 2) + i * stride(more, 1) + j];
	return act(op->act, sum);
}

static int gemm(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *out = op->out[0];

	(void)s;
	(void)why;
	for (int64_t batch = 0; batch < size(out, 2); batch++)
		for (int64_t i = 0; i < size(out, 1); i++)
			for (int64_t j = 0; j < size(out, 0); j++)
				data(out)[batch * stride(out, 2) + i * stride(out, 1) + j] =
				    (float)product(op, batch, i, j);
	return 0;
}

/* Nothing may cost something, too: what setting an operation going takes. */
static int nop(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	(void)op;
	(void)why;
	return 0;
}

/* The one symbol. */
__attribute__((visibility("default"))) const struct backend bench_backend = {
	.abi = BACKEND_ABI,
	.name = "skeleton", /* as the file is called: backend-skeleton.so */
	.summary = "an example: a few operations in plain C",
	.probe = probe,
	.open = open_session,
	.close = close_session,
	.alloc = alloc_buffer,
	.free = free_buffer,
	.write = write_buffer,
	.read = read_buffer,
	.supports = supports,
	.prepare = prepare,
	.release = release,
	/* Each is optional: what is not here is lacking, and told so. */
	.run = {
		[BACKEND_NOP] = nop,
		[BACKEND_COPY] = copy,
		[BACKEND_SCALE] = scale,
		[BACKEND_TRIAD] = triad,
		[BACKEND_GEMM] = gemm,
		[BACKEND_UNARY] = unary,
	},
	.sync = sync_all,
	.memory = memory,
};

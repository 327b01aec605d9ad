/* SPDX-License-Identifier: MIT-0 */
/*
 * A skeleton to start a backend from. The device is the processor, with a few operations in
 * float32. Every hook is present and marked as required or optional; bench-backend(7)
 * describes them.
 *
 * A backend for another device differs in four places: probe asks the driver for devices;
 * alloc, write and read use the memory of the device; prepare compiles; and the operations
 * only start work, for which sync waits.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bench-backend.h>

/* The state of one open device. It replaces global variables, because several sessions may
 * be open: one for each model that is measured. */
struct backend_session {
	uint64_t bytes;
};

enum { ALIGNMENT = 64 }; /* of buffers, in bytes */

/* The header in front of each buffer. Here a buffer's handle is a pointer to its bytes. */
struct head {
	size_t bytes;
};

/* Writes the reason of a failure to why, a buffer of BACKEND_WHY bytes, and returns -1, as
 * a hook that fails does. */
static int hook_fail(char *why, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(why, BACKEND_WHY, format, ap);
	va_end(ap);
	return -1;
}

/*
 * Required. Lists the devices and the dtypes that they compute in. It runs in a process of
 * its own, so a driver that hangs or crashes does no harm. If there is no device, it
 * returns 0 and a reason, which is not a failure.
 */
static int device_probe(struct backend_device *list, size_t max, char *why)
{
	if (max == 0)
		return hook_fail(why, "no room in the list of devices");
	*list = (struct backend_device){ .name = "skeleton processor",
		.type = "cpu",
		.detail = "plain C, one thread",
		.units = 1,
		.dtypes = 1u << BACKEND_FLOAT32 };
	return 1;
}

/* Required. Opens the device with the index config->device in probe's list. */
static struct backend_session *session_open(const struct backend_config *config, char *why)
{
	struct backend_session *s;

	if (config->device != 0) {
		hook_fail(
		    why, "there is one device, number 0, not %u", (unsigned)config->device);
		return NULL;
	}
	s = calloc(1, sizeof(*s));
	if (!s)
		hook_fail(why, "out of memory");
	return s;
}

/* Required. Frees a session, whose buffers are freed and whose lists are released. */
static void session_close(struct backend_session *s)
{
	free(s);
}

/* Required. Returns a buffer that is aligned to at least 64 bytes. */
static void *buffer_alloc(struct backend_session *s, size_t bytes, char *why)
{
	size_t room = (bytes + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	char *block = room > bytes ? aligned_alloc(ALIGNMENT, room) : NULL;

	if (!block) {
		hook_fail(why, "no memory for %zu bytes", bytes);
		return NULL;
	}
	((struct head *)(void *)block)->bytes = bytes;
	s->bytes += bytes;
	return block + ALIGNMENT;
}

/* Required. Frees a buffer that buffer_alloc returned. */
static void buffer_free(struct backend_session *s, void *buffer)
{
	char *block = buffer ? (char *)buffer - ALIGNMENT : NULL;

	if (block)
		s->bytes -= ((struct head *)(void *)block)->bytes;
	free(block);
}

/* Required. Copies from the host to byte `at` of a buffer; complete when it returns. */
static int buffer_write(struct backend_session *s, void *buffer, size_t at,
    const void *from, size_t bytes, char *why)
{
	(void)s;
	(void)why;
	memcpy((char *)buffer + at, from, bytes);
	return 0;
}

/* Required. Copies from byte `at` of a buffer to the host; complete when it returns. */
static int buffer_read(
    struct backend_session *s, void *buffer, size_t at, void *to, size_t bytes, char *why)
{
	(void)s;
	(void)why;
	memcpy(to, (char *)buffer + at, bytes);
	return 0;
}

/*
 * Optional. Rejects operations on shapes and dtypes that the backend cannot compute. The
 * program has checked that the operation has a hook. Without op_supports, operations that
 * have a hook are tried with any tensors.
 */
static int op_supports(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	for (int i = 0; i < BACKEND_INS; i++)
		if (op->in[i] && op->in[i]->dtype != BACKEND_FLOAT32)
			return hook_fail(why, "in%d is not float32", i);
	for (int i = 0; i < BACKEND_OUTS; i++)
		if (op->out[i] && op->out[i]->dtype != BACKEND_FLOAT32)
			return hook_fail(why, "out%d is not float32", i);
	return 0;
}

/*
 * Optional. Prepares a list of operations that will run in this order, repeatedly. Compile
 * and allocate here, and store the results in op->own and tensor->own. This device has
 * nothing to prepare; the hook only checks that each operation has a result.
 */
static int list_prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	(void)s;
	for (size_t i = 0; i < count; i++)
		if (op[i].kind != BACKEND_NOP && (!op[i].out[0] || !op[i].out[0]->buffer))
			return hook_fail(why, "operation %zu has no result", i);
	return 0;
}

/* Required if there is a list_prepare. Frees what it stored in the list. */
static void list_release(struct backend_session *s, struct backend_op *op, size_t count)
{
	(void)s;
	(void)op;
	(void)count;
}

/* Required. Waits until all operations are complete. Here they complete before they return.
 */
static int session_sync(struct backend_session *s, char *why)
{
	(void)s;
	(void)why;
	return 0;
}

/* Optional. Returns the memory that the session uses, in bytes. */
static uint64_t session_memory(struct backend_session *s)
{
	return s->bytes;
}

/* Returns the first element of a tensor. */
static float *tensor_data(const struct backend_tensor *t)
{
	return (float *)t->buffer + t->offset;
}

static int64_t tensor_elements(const struct backend_tensor *t)
{
	int64_t count = 1;

	for (uint32_t i = 0; i < t->dims; i++)
		count *= t->size[i];
	return count;
}

/* Returns the size of a dimension, counted from the last one, which is 0. Returns 1 for a
 * dimension that the tensor lacks. */
static int64_t tensor_size(const struct backend_tensor *t, uint32_t from_end)
{
	return from_end < t->dims ? t->size[t->dims - 1 - from_end] : 1;
}

/* Returns the stride of a dimension, counted from the last one, which is 0. Returns 0 for a
 * dimension that the tensor lacks. */
static int64_t tensor_stride(const struct backend_tensor *t, uint32_t from_end)
{
	return from_end < t->dims ? t->stride[t->dims - 1 - from_end] : 0;
}

/* Applies an activation function to x. */
static double element_act(enum backend_act which, double x)
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
	case BACKEND_RELU6:
		return fmin(fmax(x, 0), 6);
	case BACKEND_HARD_SIGMOID:
		return fmin(fmax(x / 6 + 0.5, 0), 1);
	case BACKEND_HARD_SWISH:
		return x * fmin(fmax(x / 6 + 0.5, 0), 1);
	case BACKEND_EXP:
		return exp(x);
	case BACKEND_LOG:
		return log(x);
	case BACKEND_SQRT:
		return sqrt(x);
	case BACKEND_RECIPROCAL:
		return 1 / x;
	case BACKEND_ERF:
		return erf(x);
	case BACKEND_SIN:
		return sin(x);
	case BACKEND_COS:
		return cos(x);
	default:
		return x;
	}
}

static int op_copy(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	(void)why;
	memcpy(tensor_data(op->out[0]), tensor_data(op->in[0]),
	    (size_t)tensor_elements(op->in[0]) * sizeof(float));
	return 0;
}

static int op_scale(struct backend_session *s, const struct backend_op *op, char *why)
{
	float *out = tensor_data(op->out[0]), alpha = (float)op->p.stream.alpha;

	(void)s;
	(void)why;
	for (int64_t i = 0, n = tensor_elements(op->out[0]); i < n; i++)
		out[i] = alpha * tensor_data(op->in[0])[i];
	return 0;
}

static int op_triad(struct backend_session *s, const struct backend_op *op, char *why)
{
	float *out = tensor_data(op->out[0]), alpha = (float)op->p.stream.alpha;

	(void)s;
	(void)why;
	for (int64_t i = 0, n = tensor_elements(op->out[0]); i < n; i++)
		out[i] = tensor_data(op->in[0])[i] + alpha * tensor_data(op->in[1])[i];
	return 0;
}

static int op_unary(struct backend_session *s, const struct backend_op *op, char *why)
{
	float *out = tensor_data(op->out[0]);

	(void)s;
	(void)why;
	for (int64_t i = 0, n = tensor_elements(op->out[0]); i < n; i++)
		out[i] = (float)element_act(
		    op->act, op->p.element.alpha * tensor_data(op->in[0])[i]);
	return 0;
}

/* Computes one element of a GEMM, with the added terms and the activation. */
static double gemm_element(const struct backend_op *op, int64_t batch, int64_t i, int64_t j)
{
	const struct backend_tensor *a = op->in[0], *b = op->in[1], *more = op->in[3];
	const float *x =
	    tensor_data(a) + batch * tensor_stride(a, 2) + i * tensor_stride(a, 1);
	const float *y =
	    tensor_data(b) + (tensor_size(b, 2) > 1 ? batch * tensor_stride(b, 2) : 0);
	double sum = 0;

	for (int64_t k = 0; k < tensor_size(a, 0); k++)
		sum +=
		    (double)x[k] * (op->p.gemm.transpose ? y[j * tensor_stride(b, 1) + k]
		                                         : y[k * tensor_stride(b, 1) + j]);
	sum *= op->p.gemm.alpha;
	if (op->in[2])
		sum += tensor_data(op->in[2])[j];
	if (more)
		sum += tensor_data(
		    more)[batch * tensor_stride(more, 2) + i * tensor_stride(more, 1) + j];
	return element_act(op->act, sum);
}

static int op_gemm(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *out = op->out[0];

	(void)s;
	(void)why;
	for (int64_t batch = 0; batch < tensor_size(out, 2); batch++)
		for (int64_t i = 0; i < tensor_size(out, 1); i++)
			for (int64_t j = 0; j < tensor_size(out, 0); j++)
				tensor_data(out)[batch * tensor_stride(out, 2) +
				                 i * tensor_stride(out, 1) + j] =
				    (float)gemm_element(op, batch, i, j);
	return 0;
}

/* Does nothing. Its time is the cost of starting an operation. */
static int op_nop(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	(void)op;
	(void)why;
	return 0;
}

/* The backend, which is the only exported symbol. */
__attribute__((visibility("default"))) const struct backend bench_backend = {
	.abi = BACKEND_ABI,
	.name = "skeleton", /* the file is backend-skeleton.so */
	.summary = "an example: a few operations in plain C",
	.probe = device_probe,
	.open = session_open,
	.close = session_close,
	.alloc = buffer_alloc,
	.free = buffer_free,
	.write = buffer_write,
	.read = buffer_read,
	.supports = op_supports,
	.prepare = list_prepare,
	.release = list_release,
	/* All are optional. An operation without a hook is reported as unsupported. */
	.run = {
		[BACKEND_NOP] = op_nop,
		[BACKEND_COPY] = op_copy,
		[BACKEND_SCALE] = op_scale,
		[BACKEND_TRIAD] = op_triad,
		[BACKEND_GEMM] = op_gemm,
		[BACKEND_UNARY] = op_unary,
	},
	.sync = session_sync,
	.memory = session_memory,
};

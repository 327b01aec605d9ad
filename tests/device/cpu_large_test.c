/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs streams and a product over more numbers than the caches hold on the backend cpu, and
 * compares all results with formulas. All sums are exact. CPU_LARGE is another number of
 * elements: 2300000000, which needs 9 GiB of memory, tests sizes that int32 cannot hold.
 */
#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "bench-backend.h"
#include "graph/dtype.h"
#include "tests/device/cpu_plugin.h"
#include "tests/lib/tap.h"

enum { CHUNK = 1 << 16, OFFSET = 3, ROW = 1000, COLUMN = 7 };

static const struct backend *backend;
static struct backend_session *session;
static char why[BACKEND_WHY];

/* Ends the program if a hook failed. */
static void hook_check(bool fine, const char *what)
{
	if (!fine)
		errx(2, "%s: %s", what, why);
}

/* Element i of the inputs: a whole number from -6 to 6. */
static double element(int64_t i)
{
	return (double)(i * 7 % 13) - 6;
}

/* Returns a tensor of n elements that begins at an odd one; with `fill` of element(). */
static struct backend_tensor tensor_make(enum backend_dtype dtype, int64_t n, bool fill)
{
	const size_t size = dtype_bytes(dtype);
	struct backend_tensor t = { .dtype = dtype,
		.role = fill ? BACKEND_INPUT : BACKEND_OUTPUT,
		.dims = 1,
		.size = { n },
		.stride = { 1 },
		.offset = OFFSET };
	static double x[CHUNK];
	static char bytes[CHUNK * sizeof(double)];

	t.buffer = backend->alloc(session, (size_t)(n + 2 * OFFSET) * size, why);
	hook_check(t.buffer != NULL, "alloc");
	for (int64_t at = 0; at < n; at += CHUNK) {
		const int64_t count = n - at < CHUNK ? n - at : CHUNK;

		for (int64_t i = 0; i < count; i++)
			x[i] = fill ? element(at + i) : 99;
		dtype_store(dtype, bytes, x, (size_t)count);
		hook_check(backend->write(session, t.buffer, (size_t)(at + OFFSET) * size,
		               bytes, (size_t)count * size, why) == 0,
		    "write");
	}
	return t;
}

/* Returns how many results differ from factor times element(), times itself if squared. */
static int64_t differing(const struct backend_tensor *t, double factor, bool squared)
{
	const size_t size = dtype_bytes(t->dtype);
	static double x[CHUNK];
	static char bytes[CHUNK * sizeof(double)];
	int64_t count = 0;

	for (int64_t at = 0; at < t->size[0]; at += CHUNK) {
		const int64_t n = t->size[0] - at < CHUNK ? t->size[0] - at : CHUNK;

		hook_check(backend->read(session, t->buffer, (size_t)(at + OFFSET) * size,
		               bytes, (size_t)n * size, why) == 0,
		    "read");
		dtype_load(t->dtype, x, bytes, (size_t)n);
		for (int64_t i = 0; i < n; i++)
			count += x[i] !=
			         factor * element(at + i) * (squared ? element(at + i) : 1);
	}
	return count;
}

static void op_run(struct backend_op op)
{
	hook_check(backend->prepare(session, &op, 1, why) == 0, "prepare");
	hook_check(backend->run[op.kind](session, &op, why) == 0, "run");
	backend->release(session, &op, 1);
}

/* Each stream over x into y, and the multiple of x that y is then. */
static const struct {
	const char *name;
	struct backend_op op;
	double factor;
	bool squared;
} streams[] = {
	{ "copy", { .kind = BACKEND_COPY }, 1, false },
	{ "scale", { .kind = BACKEND_SCALE, .p.stream.alpha = -2 }, -2, false },
	{ "axpy", { .kind = BACKEND_AXPY, .p.stream.alpha = 4 }, 2, false },
	{ "triad", { .kind = BACKEND_TRIAD, .p.stream.alpha = 0.5 }, 1.5, false },
	{ "a product of elements",
	    { .kind = BACKEND_BINARY, .p.element = { 0.5, 1, true, false, false } }, 0.5,
	    true },
};

static void check_streams(struct backend_tensor *x, struct backend_tensor *y)
{
	for (size_t i = 0; i < COUNT(streams); i++) {
		struct backend_op op = streams[i].op;
		const bool two = op.kind == BACKEND_TRIAD || op.kind == BACKEND_BINARY;

		op.in[0] = x;
		op.in[1] = two ? x : NULL;
		op.out[0] = y;
		op_run(op);
		tap_ok(differing(y, streams[i].factor, streams[i].squared) == 0,
		    "%s over %s beyond the caches is right everywhere", streams[i].name,
		    dtype_name(x->dtype));
	}
}

static void check_dot(struct backend_tensor *x)
{
	struct backend_tensor sum = tensor_make(BACKEND_FLOAT32, 1, false);
	double want = 0;
	float got;

	for (int64_t i = 0; i < x->size[0]; i++)
		want += element(i) * element(i);
	op_run((struct backend_op){ .kind = BACKEND_DOT, .in = { x, x }, .out = { &sum } });
	hook_check(backend->read(session, sum.buffer, OFFSET * sizeof(got), &got,
	               sizeof(got), why) == 0,
	    "read");
	tap_ok(fabs((double)got / want - 1) < 1e-6,
	    "dot over %s that exceed the caches agrees with the sum to 1e-6",
	    dtype_name(x->dtype));
	backend->free(session, sum.buffer);
}

/* Multiplies x as rows by a vector that has a single 1. */
static void check_gemv(const struct backend_tensor *x)
{
	const int64_t m = x->size[0] / ROW;
	struct backend_tensor a = *x, v = tensor_make(x->dtype, ROW, false),
	                      out = tensor_make(x->dtype, m, false);
	const size_t size = dtype_bytes(x->dtype);
	double one[ROW] = { [COLUMN] = 1 }, got;
	char bytes[ROW * sizeof(double)];
	int64_t wrong = 0;

	a.dims = 2;
	a.size[0] = m;
	a.size[1] = a.stride[0] = ROW;
	a.stride[1] = 1;
	dtype_store(x->dtype, bytes, one, ROW);
	hook_check(
	    backend->write(session, v.buffer, OFFSET * size, bytes, ROW * size, why) == 0,
	    "write");
	op_run(
	    (struct backend_op){ .kind = BACKEND_GEMV, .in = { &a, &v }, .out = { &out } });
	for (int64_t i = 0; i < m; i++) {
		hook_check(backend->read(session, out.buffer, (size_t)(i + OFFSET) * size,
		               bytes, size, why) == 0,
		    "read");
		dtype_load(x->dtype, &got, bytes, 1);
		wrong += got != element(i * ROW + COLUMN);
	}
	tap_ok(wrong == 0,
	    "gemv with a matrix of %s that exceeds the caches picks its column exactly",
	    dtype_name(x->dtype));
	backend->free(session, v.buffer);
	backend->free(session, out.buffer);
}

int main(void)
{
	static const enum backend_dtype dtypes[] = { BACKEND_FLOAT32, BACKEND_FLOAT16,
		BACKEND_BFLOAT16 };
	const char *large = getenv("CPU_LARGE");
	const int64_t n = large ? strtoll(large, NULL, 10) : 17000003;
	const struct backend_config config = { .abi = BACKEND_ABI };

	backend = cpu_plugin_load();
	if (!backend) {
		puts("1..0 # SKIP the backend cpu was not built");
		return 0;
	}
	session = backend->open(&config, why);
	hook_check(session != NULL, "open");
	for (size_t i = large ? COUNT(dtypes) - 1 : 0; i < COUNT(dtypes); i++) {
		struct backend_tensor x = tensor_make(dtypes[i], n, true),
		                      y = tensor_make(dtypes[i], n, false);

		check_streams(&x, &y);
		check_dot(&x);
		check_gemv(&x);
		backend->free(session, x.buffer);
		backend->free(session, y.buffer);
	}
	backend->close(session);
	return tap_end();
}

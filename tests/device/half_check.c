/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * half_check PLUGIN.so: compares the conversions of the types of 16 bits on the first
 * device of a backend with those of the library. It converts all numbers of a type to
 * float32; the numbers that can be wrongly rounded from float32; and all numbers to float32
 * and back in one operation, also rounded. The tensors begin at an odd element, which no
 * vector is aligned to. It writes TAP.
 */
#include <dlfcn.h>
#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "base/paths.h"
#include "device/backends.h"
#include "graph/dtype.h"
#include "tests/lib/tap.h"

enum { NUMBERS = 1 << 16, ROUNDINGS = 3 * NUMBERS, OFFSET = 1 };

static const struct backend *backend;
static struct backend_session *session;
static char why[BACKEND_WHY];

/* Ends the program if a hook failed. */
static void hook_check(int status, const char *what)
{
	if (status < 0)
		errx(2, "%s: %s: %s", backend->name, what, why);
}

/* Returns a tensor of n numbers on the device. */
static struct backend_tensor tensor_make(
    enum backend_dtype dtype, enum backend_role role, const double *x, size_t n)
{
	const size_t size = dtype_bytes(dtype), bytes = (n + OFFSET) * size;
	char *host = mem_zero(1, bytes);
	struct backend_tensor t = { .dtype = dtype,
		.role = role,
		.dims = 1,
		.size = { (int64_t)n },
		.stride = { 1 },
		.buffer = backend->alloc(session, bytes, why),
		.offset = OFFSET };

	hook_check(t.buffer ? 0 : -1, "alloc");
	if (x)
		dtype_store(dtype, host + OFFSET * size, x, n);
	hook_check(backend->write(session, t.buffer, 0, host, bytes, why), "write");
	free(host);
	return t;
}

/* Stores in y what an operation makes of the n numbers x, whose type is `from`. */
static void converted(struct backend_op op, enum backend_dtype from, enum backend_dtype to,
    const double *x, double *y, size_t n)
{
	struct backend_tensor in = tensor_make(from, BACKEND_INPUT, x, n);
	struct backend_tensor out = tensor_make(to, BACKEND_OUTPUT, NULL, n);
	const size_t size = dtype_bytes(to);
	char *host = mem_zero(n, size);

	op.in[0] = &in;
	op.out[0] = &out;
	hook_check(backend->supports(session, &op, why), "supports");
	hook_check(backend->prepare(session, &op, 1, why), "prepare");
	hook_check(backend->run[op.kind](session, &op, why), "run");
	hook_check(backend->sync(session, why), "sync");
	hook_check(
	    backend->read(session, out.buffer, OFFSET * size, host, n * size, why), "read");
	dtype_load(to, y, host, n);
	backend->release(session, &op, 1);
	backend->free(session, in.buffer);
	backend->free(session, out.buffer);
	free(host);
}

/* Returns how many numbers differ. Those that float32 can only represent as subnormal
 * numbers may be 0, because devices may lack them. */
static size_t numbers_differing(const double *got, const double *want, size_t n)
{
	size_t differing = 0;

	for (size_t i = 0; i < n; i++) {
		const bool same =
		    got[i] == want[i] && !signbit(got[i]) == !signbit(want[i]);
		const bool tiny = fabs(want[i]) < 0x1p-126 && got[i] == 0;

		if (isnan(want[i]) ? !isnan(got[i]) : !same && !tiny)
			differing++;
	}
	return differing;
}

/* Stores the numbers of the type, and then for each the middle between it and the next one
 * and the float32 below and above the middle. */
static void numbers_list(enum backend_dtype dtype, double *number, double *rounding)
{
	for (uint32_t i = 0; i < NUMBERS; i++) {
		const uint16_t bits = (uint16_t)i;

		dtype_load(dtype, &number[i], &bits, 1);
	}
	for (uint32_t i = 0; i < NUMBERS; i++) {
		const float low = (float)number[i], high = (float)number[(i + 1) % NUMBERS];
		const bool finite = isfinite(low) && isfinite(high);
		const float middle = finite ? low + (high - low) / 2 : low;

		rounding[3 * i] = (double)middle;
		rounding[3 * i + 1] = (double)nextafterf(middle, -INFINITY);
		rounding[3 * i + 2] = (double)nextafterf(middle, INFINITY);
	}
}

/* Checks how an operation on a type rounds: the product with 1.5 is exact in float32, and
 * half of the products are in the middle of two numbers of 16 bits. Changes the numbers. */
static void product_check(enum backend_dtype dtype, double *number, double *got)
{
	const struct backend_op scale = { .kind = BACKEND_SCALE, .p.stream.alpha = 1.5 };
	uint16_t *bits = mem_zero(NUMBERS, sizeof(*bits));

	for (size_t i = 0; i < NUMBERS; i++)
		if (fabs(number[i]) < 0x1p-126)
			number[i] = 0;
	converted(scale, dtype, dtype, number, got, NUMBERS);
	for (size_t i = 0; i < NUMBERS; i++)
		number[i] *= 1.5;
	dtype_store(dtype, bits, number, NUMBERS);
	dtype_load(dtype, number, bits, NUMBERS);
	tap_ok(numbers_differing(got, number, NUMBERS) == 0,
	    "an operation rounds its results to %s to nearest, ties to even",
	    dtype_name(dtype));
	free(bits);
}

static void dtype_check(enum backend_dtype dtype)
{
	const struct backend_op move = { .kind = BACKEND_MOVE, .p.move.alpha = 1 };
	const struct backend_op scale = { .kind = BACKEND_SCALE, .p.stream.alpha = 1 };
	double *number = mem_zero(NUMBERS, sizeof(*number));
	double *rounding = mem_zero(ROUNDINGS, sizeof(*rounding));
	double *got = mem_zero(ROUNDINGS, sizeof(*got));
	uint16_t *bits = mem_zero(ROUNDINGS, sizeof(*bits));
	const char *name = dtype_name(dtype);

	numbers_list(dtype, number, rounding);
	converted(move, dtype, BACKEND_FLOAT32, number, got, NUMBERS);
	tap_ok(numbers_differing(got, number, NUMBERS) == 0,
	    "all %s have their value in float32", name);
	converted(scale, dtype, dtype, number, got, NUMBERS);
	tap_ok(numbers_differing(got, number, NUMBERS) == 0,
	    "all %s keep their value in an operation that multiplies by 1", name);
	converted(move, BACKEND_FLOAT32, dtype, rounding, got, ROUNDINGS);
	dtype_store(dtype, bits, rounding, ROUNDINGS);
	dtype_load(dtype, rounding, bits, ROUNDINGS);
	tap_ok(numbers_differing(got, rounding, ROUNDINGS) == 0,
	    "float32 is rounded to %s to nearest, ties to even", name);
	product_check(dtype, number, got);
	free(number);
	free(rounding);
	free(got);
	free(bits);
}

int main(int argc, char **argv)
{
	struct backend_device device;
	struct backend_config config = { .abi = BACKEND_ABI };
	void *object = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;

	backend = object ? dlsym(object, "bench_backend") : NULL;
	if (!backend || backend->abi != BACKEND_ABI)
		errx(2, "usage: half_check PLUGIN.so");
	if (backend->probe(&device, 1, why) < 1)
		errx(2, "%s: no device: %s", backend->name, why);
	config.share_dir = share_path(".");
	config.cache_dir = getenv("OP_CHECK_CACHE");
	session = backend->open(&config, why);
	hook_check(session ? 0 : -1, "open");
	dtype_check(BACKEND_FLOAT16);
	dtype_check(BACKEND_BFLOAT16);
	backend->close(session);
	free((char *)config.share_dir);
	return tap_end();
}

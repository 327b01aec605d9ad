/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts from one dtype to another, a row at a time through doubles. */
#include <math.h>

#include "cpu_convert.h"
#include "cpu_half.h"
#include "cpu_half_math.h"

enum { ROOM = 256 };

#define LOAD(name, T, value)                                                             \
	static void load_##name(double *to, const void *from, int64_t stride, int64_t n) \
	{                                                                                \
		const T *x = from;                                                       \
		for (int64_t i = 0; i < n; i++)                                          \
			to[i] = (double)value(x[i * stride]);                            \
	}
#define STORE(name, T, expression)                                                        \
	static void store_##name(void *to, const double *from, int64_t stride, int64_t n) \
	{                                                                                 \
		T *x = to;                                                                \
		for (int64_t i = 0; i < n; i++)                                           \
			x[i * stride] = (T)(expression);                                  \
	}

/* Returns the nearest integer, ties to even, clamped to the range of the type. */
static double round_within(double x, double least, double most)
{
	double near = nearbyint(x);
	return near < least ? least : near > most ? most : near;
}

/*
 * Rounds to odd: to a float next to x toward zero, whose last bit is 1 if anything was
 * lost. Rounded from there to 16 bits, the result is that of x (Boldo, Melquiond 2008,
 * "Emulation of a FMA and correctly rounded sums").
 */
static float round_odd(double x)
{
	float near = (float)x;
	uint32_t bits = half_bits(near), away = fabs((double)near) > fabs(x);
	return x != x ? near : half_number((bits - away) | ((double)near != x));
}

LOAD(float32, float, )
LOAD(float64, double, )
LOAD(float16, uint16_t, float16_value)
LOAD(bfloat16, uint16_t, bfloat16_value)
LOAD(int8, int8_t, )
LOAD(int32, int32_t, )
LOAD(uint8, uint8_t, )
STORE(float32, float, from[i])
STORE(float64, double, from[i])
STORE(float16, uint16_t, float16_of(round_odd(from[i])))
STORE(bfloat16, uint16_t, bfloat16_of(round_odd(from[i])))
STORE(int8, int8_t, round_within(from[i], INT8_MIN, INT8_MAX))
STORE(int32, int32_t, round_within(from[i], INT32_MIN, INT32_MAX))
STORE(uint8, uint8_t, round_within(from[i], 0, UINT8_MAX))

static const struct {
	int64_t bytes;
	void (*load)(double *to, const void *from, int64_t stride, int64_t n);
	void (*store)(void *to, const double *from, int64_t stride, int64_t n);
} formats[BACKEND_DTYPES] = {
	[BACKEND_FLOAT32] = { 4, load_float32, store_float32 },
	[BACKEND_FLOAT64] = { 8, load_float64, store_float64 },
	[BACKEND_FLOAT16] = { 2, load_float16, store_float16 },
	[BACKEND_BFLOAT16] = { 2, load_bfloat16, store_bfloat16 },
	[BACKEND_INT8] = { 1, load_int8, store_int8 },
	[BACKEND_INT32] = { 4, load_int32, store_int32 },
	[BACKEND_UINT8] = { 1, load_uint8, store_uint8 },
};

bool cpu_converts(enum backend_dtype dtype)
{
	return formats[dtype].load != NULL;
}

/* Converts a row of bytes to floats, which reads images. */
static void row_from_bytes(
    float *to, const uint8_t *x, int64_t out, int64_t in, float alpha, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		to[i * out] = alpha * (float)x[i * in];
}

int cpu_convert(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	int64_t n = cpu_size(out, 1), step_in = cpu_stride(in, 1),
	        step_out = cpu_stride(out, 1);
	int64_t size_in = formats[in->dtype].bytes, size_out = formats[out->dtype].bytes;
	const char *from = (const char *)in->buffer + in->offset * size_in;
	char *to =
	    (char *)out->buffer + (out->offset + op->past * op->p.move.advance) * size_out;
	bool bytes = in->dtype == BACKEND_UINT8 && out->dtype == BACKEND_FLOAT32;
	(void)why;
	if (in->dtype == out->dtype && cpu_is_half(in->dtype) && op->p.move.alpha == 1) {
		cpu_half_move(s, op);
		return 0;
	}
#pragma omp parallel for num_threads(cpu_team(s, cpu_count(out))) schedule(static)
	for (int64_t r = 0; r < cpu_row_count(out); r++) {
		const char *x = from + cpu_row(in, r) * size_in;
		char *y = to + cpu_row(out, r) * size_out;
		double room[ROOM];
		if (bytes) {
			row_from_bytes((float *)y, (const uint8_t *)x, step_out, step_in,
			    (float)op->p.move.alpha, n);
			continue;
		}
		for (int64_t at = 0; at < n; at += ROOM) {
			int64_t span = cpu_min(ROOM, n - at);
			formats[in->dtype].load(
			    room, x + at * step_in * size_in, step_in, span);
			for (int64_t i = 0; i < span; i++)
				room[i] *= op->p.move.alpha;
			formats[out->dtype].store(
			    y + at * step_out * size_out, room, step_out, span);
		}
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares quantization with numbers that ONNX publishes or that are computed by hand.
 */
#include <math.h>

#include "graph/graph_quantize.h"
#include "tests/device/run_on_ref.h"
#include "tests/lib/tap.h"

/* Runs in0[m,k] in1[n,k]' in int8 on ref. Returns whether that works. */
static bool multiply(int64_t m, int64_t n, int64_t k, double *a, int8_t *b, float *scales,
    double *bias, double *out)
{
	struct backend_tensor t[] = {
		{ .dims = 2, .size = { m, k }, .stride = { k, 1 }, .buffer = a },
		{ .dims = 2, .size = { n, k }, .stride = { k, 1 }, .buffer = b },
		{ .dims = 1, .size = { n }, .stride = { 1 }, .buffer = bias },
		{ .dims = 1, .size = { n }, .stride = { 1 }, .buffer = scales },
		{ .dims = 2, .size = { m, n }, .stride = { n, 1 }, .buffer = out },
	};
	struct backend_op op = { .kind = BACKEND_QGEMM,
		.p.gemm = { 1, true },
		.in = { &t[0], &t[1], bias ? &t[2] : NULL, NULL, &t[3] },
		.out = { &t[4] } };

	t[0].dtype = t[2].dtype = t[4].dtype = BACKEND_FLOAT64;
	t[1].dtype = BACKEND_INT8;
	t[3].dtype = BACKEND_FLOAT32;
	return run_on_ref(&op);
}

static bool near(const double *got, const double *want, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!(fabs(got[i] - want[i]) <= 1e-12)) {
			printf("# [%zu] %.12g, not %.12g\n", i, got[i], want[i]);
			return false;
		}
	return true;
}

/* The examples of DynamicQuantizeLinear in ONNX's specification (Operators.md, version
 * 11): numbers, the scale, the zero point, and the bytes. */
static const struct published {
	const char *name;
	size_t count;
	double x[12];
	float scale;
	int zero, q[12];
} published[] = {
	{ "of both signs", 6, { 0, 2, -3, -2.5, 1.34, 0.5 }, 0.0196078438f, 153,
	    { 153, 255, 0, 26, 221, 179 } },
	{ "below zero", 6, { -1, -2.1, -1.3, -2.5, -3.34, -4 }, 0.0156862754f, 255,
	    { 191, 121, 172, 96, 42, 0 } },
	{ "above zero", 12, { 1, 2.1, 1.3, 2.5, 3.34, 4, 1.5, 2.6, 3.9, 4, 3, 2.345 },
	    0.0156862754f, 0, { 64, 134, 83, 159, 213, 255, 96, 166, 249, 255, 191, 149 } },
};

/* Multiplies by the unit matrix, so that the results are the quantized numbers. */
static void test_published(void)
{
	for (size_t p = 0; p < COUNT(published); p++) {
		const struct published *is = &published[p];
		const size_t k = is->count;
		double x[12], out[12], want[12];
		int8_t unit[144] = { 0 };
		float ones[12];

		for (size_t i = 0; i < k; i++) {
			x[i] = is->x[i];
			unit[i * k + i] = 1;
			ones[i] = 1;
			want[i] = (double)is->scale * (is->q[i] - is->zero);
		}
		tap_ok(multiply(1, (int64_t)k, (int64_t)k, x, unit, ones, NULL, out) &&
		           near(out, want, k),
		    "ref quantizes numbers %s as ONNX's specification does", is->name);
	}
}

/* Checks a product that is computed by hand. The range is -1 to 3, so that a step is 4/255,
 * the zero point is 63.75 rounded, 64, and the bytes are 0 (-63.75 + 64), 64, 160 (95.625)
 * and 255 (191.25). */
static void test_product(void)
{
	double x[] = { -1, 0, 1.5, 3 }, bias[] = { 10, -20 }, out[2];
	int8_t w[] = { 1, 2, 3, 4, -127, 0, 127, 5 };
	float scales[] = { 0.5f, 0.25f };
	const double step = (double)(4.0f / 255);
	const double want[] = { 10 + 0.5 * step * (-64 + 0 + 3 * 96 + 4 * 191),
		-20 + 0.25 * step * (127 * 64 + 0 + 127 * 96 + 5 * 191) };
	double zeros[4] = { 0 };

	tap_ok(multiply(1, 2, 4, x, w, scales, bias, out) && near(out, want, 2),
	    "ref multiplies activations by quantized weights, and adds the bias");
	tap_ok(multiply(1, 2, 4, zeros, w, scales, bias, out) && near(out, bias, 2),
	    "activations that are all zero give the bias");
}

static void test_not_finite(void)
{
	static const double wrong[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
	int8_t w[] = { 1, 2, 0, 5 };
	float scales[] = { 1, 1 };

	for (size_t i = 0; i < COUNT(wrong); i++) {
		double x[] = { 1, wrong[i], 3, 4 }, out[4];

		tap_ok(multiply(2, 2, 2, x, w, scales, NULL, out) && isnan(out[0]) &&
		           isnan(out[1]) && isnan(out[2]) && isnan(out[3]),
		    "an activation of %g makes all results of a product NaN", wrong[i]);
	}
}

/* Checks a convolution that is computed by hand. The range and the bytes are those of the
 * product above, so q - z is -64, 0, 96 and 191. There is padding above and on the left. */
static void test_convolution(void)
{
	double x[] = { -1, 0, 1.5, 3 }, bias[] = { 10 }, more[] = { 0, 1, 2, 3 }, out[4];
	int8_t w[] = { 1, 2, 3, -4 };
	float scales[] = { 0.5f };
	const double step = 0.5 * (double)(4.0f / 255);
	const double want[] = { 10 + step * (-4 * -64), 11 + step * (3 * -64),
		12 + step * (2 * -64 - 4 * 96), 13 + step * (-64 + 3 * 96 - 4 * 191) };
	struct backend_tensor t[] = {
		{ .size = { 1, 1, 2, 2 }, .stride = { 4, 4, 2, 1 }, .buffer = x },
		{ .size = { 1, 1, 2, 2 }, .stride = { 4, 4, 2, 1 }, .buffer = w },
		{ .dims = 1, .size = { 1 }, .stride = { 1 }, .buffer = bias },
		{ .size = { 1, 1, 2, 2 }, .stride = { 4, 4, 2, 1 }, .buffer = more },
		{ .dims = 1, .size = { 1 }, .stride = { 1 }, .buffer = scales },
		{ .size = { 1, 1, 2, 2 }, .stride = { 4, 4, 2, 1 }, .buffer = out },
	};
	struct backend_op op = { .kind = BACKEND_QCONV,
		.p.conv = { { 1, 1 }, { 1, 1 }, { 0, 0 }, { 1, 1 }, 1 },
		.in = { &t[0], &t[1], &t[2], &t[3], &t[4] },
		.out = { &t[5] } };

	for (size_t i = 0; i < COUNT(t); i++) {
		t[i].dims = t[i].dims ? t[i].dims : 4;
		t[i].dtype = BACKEND_FLOAT64;
	}
	t[1].dtype = BACKEND_INT8;
	t[4].dtype = BACKEND_FLOAT32;
	tap_ok(run_on_ref(&op) && near(out, want, 4),
	    "ref convolves with quantized weights, and the padding counts as 0");
}

static void test_row(void)
{
	/* The scale is 1/4, and 0.375, 0.625 and -0.375 are ties. */
	const double weight[] = { 31.75, -31.75, 0.375, 0.625, -0.375, 0, 0.1, 12.5 };
	static const int8_t want[] = { 127, -127, 2, 2, -2, 0, 0, 50 };
	const double zeros[] = { 0, 0 };
	int8_t got[COUNT(weight)];

	tap_ok(graph_quantize_row(weight, COUNT(weight), got) == 0.25f &&
	           memcmp(got, want, sizeof(want)) == 0,
	    "a row of weights is scaled to 127 and rounded to nearest, ties to even");
	tap_ok(graph_quantize_row(zeros, 2, got) == 1 && got[0] == 0 && got[1] == 0,
	    "a row of zeros has the scale 1");
}

int main(void)
{
	test_published();
	test_product();
	test_not_finite();
	test_convolution();
	test_row();
	return tap_end();
}

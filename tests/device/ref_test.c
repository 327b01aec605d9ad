/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares the operations of ref with values that are published or computed by hand.
 */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "tests/device/run_on_ref.h"
#include "tests/lib/tap.h"

enum { MOST = 512 };

/* Makes a tensor of the test's numbers with these sizes. */
#define TENSOR(data, ...) make((data), (const int64_t[BACKEND_DIMS + 1]){ __VA_ARGS__, 0 })

static struct backend_tensor pool[32];
static size_t pooled;

static struct backend_tensor *make(void *data, const int64_t *size)
{
	struct backend_tensor *t = &pool[pooled++ % COUNT(pool)];
	int64_t stride = 1;

	*t = (struct backend_tensor){ .dtype = BACKEND_FLOAT64, .buffer = data };
	while (t->dims < BACKEND_DIMS && size[t->dims] > 0) {
		t->size[t->dims] = size[t->dims];
		t->dims++;
	}
	for (uint32_t i = t->dims; i-- > 0; stride *= t->size[i])
		t->stride[i] = stride;
	return t;
}

static struct backend_tensor *whole(struct backend_tensor *t)
{
	t->dtype = BACKEND_INT32;
	return t;
}

static bool near(const double *got, const double *want, size_t count, double most)
{
	bool same = true;

	for (size_t i = 0; i < count; i++)
		if (!(fabs(got[i] - want[i]) <= most)) {
			same = false;
			printf("# [%zu] %.12g, not %.12g\n", i, got[i], want[i]);
		}
	return same;
}

static void check_conv(void)
{
	double x[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, w[] = { 1, 0, 0, -1 }, bias[] = { 10 },
	       out[16];
	struct backend_op op = { .kind = BACKEND_CONV,
		.in = { TENSOR(x, 1, 1, 3, 3), TENSOR(w, 1, 1, 2, 2), TENSOR(bias, 1) },
		.out = { TENSOR(out, 1, 1, 2, 2) },
		.p.conv = { { 1, 1 }, { 0, 0 }, { 0, 0 }, { 1, 1 }, 1 } };

	tap_ok(run_on_ref(&op) && near(out, (double[]){ 6, 6, 6, 6 }, 4, 0),
	    "CONV computes a cross-correlation: x[i,j] - x[i+1,j+1] + 10");
	op.out[0] = TENSOR(out, 1, 1, 2, 2);
	op.p.conv.stride[0] = op.p.conv.stride[1] = 2;
	op.p.conv.before[0] = op.p.conv.before[1] = 1;
	tap_ok(run_on_ref(&op) && near(out, (double[]){ 9, 7, 3, 6 }, 4, 0),
	    "CONV pads with a row and a column of zeros, with stride 2");
	op.in[0] = TENSOR(x, 1, 2, 1, 4);
	op.in[1] = TENSOR(w, 2, 1, 1, 2);
	op.in[2] = NULL;
	op.out[0] = TENSOR(out, 1, 2, 1, 2);
	op.p.conv.stride[0] = op.p.conv.stride[1] = 1;
	op.p.conv.before[0] = op.p.conv.before[1] = 0;
	op.p.conv.dilation[1] = 2;
	op.p.conv.groups = 2;
	tap_ok(run_on_ref(&op) && near(out, (double[]){ 1, 2, -7, -8 }, 4, 0),
	    "CONV computes one dimension, by groups and with dilation 2");
}

static void check_products(void)
{
	double a[] = { 1, 2, 3, 4, 5, 6 }, b[] = { 1, 0, -1, 2, 1, 0 }, out[4],
	       bias[] = { 1, -20 };
	int8_t x[] = { 127, -128, 127, -128 }, y[] = { 127, -128 };
	int32_t sums[2];
	struct backend_op op = { .kind = BACKEND_GEMM,
		.in = { TENSOR(a, 2, 3), TENSOR(b, 3, 2) },
		.out = { TENSOR(out, 2, 2) },
		.p.gemm = { 1, false } };

	/* [1 2 3; 4 5 6] [1 0; -1 2; 1 0] and [1 2 3; 4 5 6] [1 0 -1; 2 1 0]' */
	tap_ok(run_on_ref(&op) && near(out, (double[]){ 2, 4, 5, 10 }, 4, 0),
	    "GEMM computes a product of matrices");
	op.in[1] = TENSOR(b, 2, 3);
	op.in[2] = TENSOR(bias, 2);
	op.p.gemm.alpha = 2;
	op.p.gemm.transpose = true;
	op.act = BACKEND_RELU;
	tap_ok(run_on_ref(&op) && near(out, (double[]){ 0, 0, 0, 6 }, 4, 0),
	    "GEMM transposes, and applies alpha, bias and relu");
	op = (struct backend_op){ .kind = BACKEND_GEMM,
		.in = { TENSOR(x, 2, 2), TENSOR(y, 1, 2) },
		.out = { whole(TENSOR(sums, 2, 1)) },
		.p.gemm = { 1, true } };
	op.in[0]->dtype = op.in[1]->dtype = BACKEND_INT8;
	tap_ok(run_on_ref(&op) && sums[0] == 32513 && sums[1] == 32513,
	    "GEMM sums products of int8 in int32");
	op.in[1]->dtype = BACKEND_FLOAT64;
	tap_ok(!run_on_ref(&op), "GEMM rejects a product of int8 and float64");
}

static void check_elements(void)
{
	/* erf(1/sqrt 2) = 0.6826894921370859; tanh, exp and log of 1 are from tables. */
	static const struct {
		enum backend_act act;
		double x, y;
	} acts[] = { { BACKEND_LINEAR, -3, -3 }, { BACKEND_RELU, -3, 0 },
		{ BACKEND_GELU, 1, 0.8413447460685429 },
		{ BACKEND_GELU, -1, -0.15865525393145705 },
		{ BACKEND_GELU_TANH, 1, 0.8411919906082768 },
		{ BACKEND_QUICK_GELU, 1, 0.8457957659328212 },
		{ BACKEND_SILU, 1, 0.7310585786300049 },
		{ BACKEND_TANH, 1, 0.7615941559557649 }, { BACKEND_SIGMOID, 0, 0.5 },
		{ BACKEND_SOFTPLUS, 0, 0.6931471805599453 },
		{ BACKEND_SOFTPLUS, 1000, 1000 }, { BACKEND_SILU, -1000, 0 },
		{ BACKEND_RELU6, 7, 6 }, { BACKEND_RELU6, -1, 0 },
		{ BACKEND_HARD_SIGMOID, 1.5, 0.75 }, { BACKEND_HARD_SWISH, 1.5, 1.125 },
		{ BACKEND_HARD_SWISH, 4, 4 }, { BACKEND_HARD_SWISH, -4, 0 },
		{ BACKEND_EXP, 1, 2.718281828459045 },
		{ BACKEND_LOG, 10, 2.302585092994046 },
		{ BACKEND_SQRT, 2, 1.4142135623730951 }, { BACKEND_RECIPROCAL, -4, -0.25 },
		{ BACKEND_ERF, 0.7071067811865476, 0.6826894921370859 },
		{ BACKEND_SIN, 1, 0.8414709848078965 },
		{ BACKEND_COS, 1, 0.5403023058681398 } };
	double x[] = { 1, 2, 3, 4 }, out[8], gain[] = { 1, 2, 3, 4 },
	       shift[] = { 0, 0, 0, 1 };
	bool fine = true;
	struct backend_op op = { .kind = BACKEND_SOFTMAX,
		.in = { TENSOR(x, 1, 3) },
		.out = { TENSOR(out, 1, 3) } };

	for (size_t i = 0; i < COUNT(acts); i++) {
		double one = acts[i].x;
		struct backend_op act = { .kind = BACKEND_UNARY,
			.act = acts[i].act,
			.in = { TENSOR(&one, 1) },
			.out = { TENSOR(out, 1) },
			.p.element.alpha = 1 };

		fine = run_on_ref(&act) && near(out, &acts[i].y, 1, 1e-14) && fine;
	}
	tap_ok(fine, "UNARY computes activations at known points");
	op.in[0] = TENSOR(x, 1, 3);
	op.out[0] = TENSOR(out, 1, 3);
	tap_ok(run_on_ref(&op) && near(out,
	                              (double[]){ 0.09003057317038046, 0.24472847105479764,
	                                  0.6652409557748219 },
	                              3, 1e-15),
	    "SOFTMAX computes the softmax of 1, 2, 3");
	op = (struct backend_op){ .kind = BACKEND_LAYERNORM,
		.in = { TENSOR(x, 1, 4), TENSOR(gain, 4), TENSOR(shift, 4) },
		.out = { TENSOR(out, 1, 4) } };
	tap_ok(run_on_ref(&op) && near(out,
	                              (double[]){ -3 / sqrt(5), -2 / sqrt(5), 3 / sqrt(5),
	                                  12 / sqrt(5) + 1 },
	                              4, 1e-14),
	    "LAYERNORM divides by the root of the variance, which is 5/4 for 1, 2, 3, 4");
	op = (struct backend_op){ .kind = BACKEND_RMSNORM,
		.in = { TENSOR(x, 1, 4) },
		.out = { TENSOR(out, 1, 4) },
		.p.norm = { .alpha = 2, .eps = 8.5 } };
	tap_ok(run_on_ref(&op) && near(out, (double[]){ 0.5, 1, 1.5, 2 }, 4, 1e-15),
	    "RMSNORM adds eps to the mean square, which is 7.5 for 1, 2, 3, 4");
}

static void check_attention(void)
{
	double q[] = { 3, -1 }, k[] = { 2, 5, 1, 1 }, v[] = { 7, 9, 1, 3 }, out[2];
	struct backend_op op = { .kind = BACKEND_ATTENTION,
		.in = { TENSOR(q, 1, 1, 2), TENSOR(k, 1, 1, 2), TENSOR(v, 1, 1, 2) },
		.out = { TENSOR(out, 1, 1, 2) },
		.p.attention = { 1, 1, 0.5, false, false } };

	tap_ok(
	    run_on_ref(&op) && near(out, v, 2, 0), "ATTENTION to one key gives its value");
	op.in[1] = TENSOR(k, 1, 2, 2);
	op.in[2] = TENSOR(v, 1, 2, 2);
	op.p.attention.causal = true;
	tap_ok(run_on_ref(&op) && near(out, v, 2, 0),
	    "causal ATTENTION of the first query uses the first key only");
	op.past = 1;
	/* Scores 0.5 and 1. */
	tap_ok(run_on_ref(&op) &&
	           near(out, (double[]){ 1 + 6 / (1 + exp(0.5)), 3 + 6 / (1 + exp(0.5)) },
	               2, 1e-14),
	    "causal ATTENTION after a token weighs two values by a sigmoid");
}

/* Checks the buckets of Mesh TensorFlow's _relative_position_bucket, which are computed
 * from its formula. */
static void check_relative(void)
{
	static const struct {
		int both;
		int64_t distance;
		double bucket;
	} known[] = { { 1, 0, 0 }, { 1, -1, 1 }, { 1, 1, 17 }, { 1, -7, 7 }, { 1, -8, 8 },
		{ 1, -11, 8 }, { 1, -12, 9 }, { 1, -15, 9 }, { 1, -16, 10 }, { 1, 16, 26 },
		{ 1, -32, 12 }, { 1, -64, 14 }, { 1, -90, 14 }, { 1, -91, 15 },
		{ 1, -128, 15 }, { 1, 500, 31 }, { 0, 5, 0 }, { 0, 0, 0 }, { 0, -15, 15 },
		{ 0, -16, 16 }, { 0, -18, 16 }, { 0, -19, 17 }, { 0, -127, 31 },
		{ 0, -1000, 31 } };
	double table[32], *out = calloc(1, MOST * 2 * sizeof(*out));
	int wrong = 0;

	for (int i = 0; i < 32; i++)
		table[i] = i;
	for (size_t i = 0; i < COUNT(known); i++) {
		int64_t d = known[i].distance, past = d < 0 ? -d : 0, at = d > 0 ? d : 0;
		struct backend_op op = { .kind = BACKEND_RELATIVE,
			.past = past,
			.in = { TENSOR(table, 32, 1) },
			.out = { TENSOR(out, 1, 1, MOST * 2) },
			.p.relative = { 32, 128, known[i].both, false } };

		if (!run_on_ref(&op) || out[at] != known[i].bucket)
			wrong += printf("# %lld is in %g, not %g\n", (long long)d, out[at],
			             known[i].bucket) > 0;
	}
	tap_ok(wrong == 0, "RELATIVE chooses the buckets of T5");
	free(out);
}

static void check_rope(void)
{
	double x[] = { 1, 2, 3, 4, 5, 6, 7, 8 }, out[8];
	struct backend_op op = { .kind = BACKEND_ROPE,
		.in = { TENSOR(x, 1, 2, 4) },
		.out = { TENSOR(out, 1, 2, 4) },
		.p.rope = { 1, 10000 } };
	double c = cos(1), s = sin(1), cc = cos(0.01), ss = sin(0.01);

	tap_ok(run_on_ref(&op) && near(out,
	                              (double[]){ 1, 2, 3, 4, 5 * c - 7 * s,
	                                  6 * cc - 8 * ss, 7 * c + 5 * s, 8 * cc + 6 * ss },
	                              8, 1e-14),
	    "ROPE keeps token 0, and rotates pairs of token 1 by 1 and 1/100");
	op.past = 1000;
	op.out[0] = op.in[0];
	tap_ok(run_on_ref(&op) && near((double[]){ hypot(x[4], x[6]), hypot(x[1], x[3]) },
	                              (double[]){ sqrt(74), sqrt(20) }, 2, 1e-13),
	    "ROPE works in place and keeps the lengths of pairs");
}

static void check_scan(void)
{
	double x[] = { 2, 4 }, dt[] = { 0, 0 }, decay[] = { 0 }, b[] = { 1, 3 },
	       c[] = { 1, -1 }, skip[] = { 10 }, bias[] = { log(M_E - 1) }, state = 100,
	       out[2];
	struct backend_op op = { .kind = BACKEND_SCAN,
		.in = { TENSOR(x, 1, 2, 1), TENSOR(dt, 1, 2, 1), TENSOR(decay, 1, 1),
		    TENSOR(b, 1, 2, 1), TENSOR(c, 1, 2, 1), TENSOR(skip, 1),
		    TENSOR(bias, 1), TENSOR(&state, 1, 1, 1) },
		.out = { TENSOR(out, 1, 2, 1) } };
	double e = exp(-1);

	/* softplus of the bias is 1: h1 = 2, h2 = h1/e + 12. */
	tap_ok(run_on_ref(&op) &&
	           near(out, (double[]){ 22, 40 - (2 * e + 12) }, 2, 1e-13) &&
	           near(&state, (double[]){ 2 * e + 12 }, 1, 1e-13),
	    "SCAN begins with a state of zero");
	op.past = 2;
	op.in[7] = TENSOR(&state, 1, 1, 1);
	tap_ok(
	    run_on_ref(&op) && near(out, (double[]){ 20 + (2 * e + 12) * e + 2 }, 1, 1e-12),
	    "SCAN continues with the kept state");
}

static void check_chosen(void)
{
	double x[] = { 1, 3, 3, 2, 3, 1 }, best[8], out[8];
	int32_t places[8];
	struct backend_op op = { .kind = BACKEND_TOPK,
		.in = { TENSOR(x, 1, 6) },
		.out = { TENSOR(best, 1, 5), whole(TENSOR(places, 1, 5)) },
		.p.route.k = 5 };
	static const int32_t want[] = { 1, 2, 4, 3, 0 };
	double e = exp(1);

	tap_ok(run_on_ref(&op) && memcmp(places, want, sizeof(want)) == 0 &&
	           near(best, (double[]){ 3, 3, 3, 2, 1 }, 5, 0),
	    "TOPK finds the largest elements, and the first of equal ones first");
	op = (struct backend_op){ .kind = BACKEND_ROUTE,
		.in = { TENSOR(x, 2, 3) },
		.out = { TENSOR(out, 2, 1), whole(TENSOR(places, 2, 1)) },
		.p.route.k = 1 };
	tap_ok(run_on_ref(&op) && places[0] == 1 && places[1] == 1 &&
	           near(out,
	               (double[]){ 1 / (2 + 1 / (e * e)), 1 / (1 + 1 / e + 1 / (e * e)) },
	               2, 1e-15),
	    "ROUTE weighs experts by a softmax over all");
	op.p.route.renormalise = true;
	tap_ok(run_on_ref(&op) && near(out, (double[]){ 1, 1 }, 2, 0),
	    "ROUTE with renormalise weighs experts by a softmax over those chosen");
}

static void check_nan(void)
{
	double x[] = { 1, NAN, 2, 3, INFINITY, -INFINITY, NAN, 5 }, out[8];
	int32_t places[8];
	struct backend_op op = { .kind = BACKEND_POOL,
		.in = { TENSOR(x, 1, 1, 1, 8) },
		.out = { TENSOR(out, 1, 1, 1, 4) },
		.p.pool = { { 1, 2 }, { 1, 2 }, { 0, 0 }, { 0, 0 }, false } };
	static const int32_t want[] = { 1, 6, 4, 7, 3 };

	tap_ok(run_on_ref(&op) && isnan(out[0]) && out[1] == 3 && out[2] == INFINITY &&
	           isnan(out[3]),
	    "POOL gives NaN for a window with a NaN, and the maximum of others");
	op = (struct backend_op){ .kind = BACKEND_TOPK,
		.in = { TENSOR(x, 1, 8) },
		.out = { TENSOR(out, 1, 5), whole(TENSOR(places, 1, 5)) },
		.p.route.k = 5 };
	tap_ok(run_on_ref(&op) && memcmp(places, want, sizeof(want)) == 0 &&
	           isnan(out[0]) && isnan(out[1]) && out[2] == INFINITY,
	    "TOPK finds NaN before all numbers, and the first NaN first");
	op = (struct backend_op){ .kind = BACKEND_ROUTE,
		.in = { TENSOR(x, 2, 4) },
		.out = { TENSOR(out, 2, 2), whole(TENSOR(places, 2, 2)) },
		.p.route = { 2, true } };
	tap_ok(run_on_ref(&op) && places[0] == 1 && places[1] == 3 && places[2] == 2 &&
	           places[3] == 0 && isnan(out[0]) && isnan(out[1]) && isnan(out[2]),
	    "ROUTE chooses experts with NaN first, and all weights are NaN then");
}

int main(void)
{
	check_conv();
	check_products();
	check_elements();
	check_attention();
	check_relative();
	check_rope();
	check_scan();
	check_chosen();
	check_nan();
	return tap_end();
}

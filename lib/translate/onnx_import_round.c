/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole parts and remainders of numbers, by BACKEND_ROUND, which rounds to the nearest
 * whole number up to 2^20; see onnx_import_priv.h.
 */
#include <math.h>

#include "translate/onnx_import_priv.h"

/* A number x divided by a number d above 0: x = near + rest, where near is the multiple of
 * d that is nearest to x. `below` is d where rest is negative, and else 0. */
struct whole_division {
	uint32_t near, rest, below;
};

/* Divides numbers by d. A first multiple of 2^20 d lets x be up to 2^40 d. */
static struct whole_division divided(struct import *im, uint32_t x, double d)
{
	const double limit = 0x1p20, step = limit * d;
	struct whole_division out;
	uint32_t far, near;

	far = import_rounded(
	    im, x, &(struct import_rounding){ step, -limit, limit, step, 0 });
	x = import_binary(im, x, far, -1, 1, false, BACKEND_LINEAR);
	near = import_rounded(im, x, &(struct import_rounding){ d, -limit, limit, d, 0 });
	out.rest = import_binary(im, x, near, -1, 1, false, BACKEND_LINEAR);
	out.near = import_binary(im, far, near, 1, 1, false, BACKEND_LINEAR);
	out.below = import_rounded(
	    im, out.rest, &(struct import_rounding){ -IMPORT_LEAST, 0, 1, d, 0 });
	return out;
}

/* Returns the largest multiple of d that is not above x. */
static uint32_t multiple_below(struct import *im, uint32_t x, double d)
{
	const struct whole_division by = divided(im, x, d);

	return import_binary(im, by.near, by.below, -1, 1, false, BACKEND_LINEAR);
}

uint32_t import_floor(struct import *im, uint32_t x)
{
	return multiple_below(im, x, 1);
}

/* Returns x without what is beyond the multiple of d that is next to it toward 0. */
static uint32_t multiple_inside(struct import *im, uint32_t x, double d)
{
	const uint32_t a = multiple_below(im, import_unary(im, x, 1, BACKEND_RELU), d),
	               b = multiple_below(im, import_unary(im, x, -1, BACKEND_RELU), d);

	return import_binary(im, a, b, -1, 1, false, BACKEND_LINEAR);
}

struct import_view import_truncated(struct import *im, struct import_view v)
{
	const struct import_rows x = import_as_rows(im, v, 0);

	return im->t.failed
	           ? v
		   : import_rows_view(im, &x, v.shape, multiple_inside(im, x.value, 1));
}

void import_round(IMPORT_PARAMS)
{
	const struct import_rows x = import_full(im, n, 0);
	uint32_t out = x.value;

	(void)m;
	if (im->t.failed)
		return;
	if (trace_is(n, "Floor"))
		out = multiple_below(im, out, 1);
	else if (trace_is(n, "Ceil"))
		out = import_unary(im,
		    multiple_below(im, import_unary(im, out, -1, BACKEND_LINEAR), 1), -1,
		    BACKEND_LINEAR);
	else if (trace_is(n, "Sign"))
		out = import_rounded(
		    im, out, &(struct import_rounding){ IMPORT_LEAST, -1, 1, 1, 0 });
	else
		out = divided(im, out, 1).near;
	import_done_rows(im, n, &x, out);
}

/* The remainder of a division by a constant: with its sign, or with fmod that of the
 * dividend. */
void import_mod(IMPORT_PARAMS)
{
	const double by = trace_scalar(&im->t, trace_in(n, 1));
	struct import_rows x;
	struct whole_division d;

	(void)m;
	if (!(by > 0 && by < INFINITY))
		trace_lack(&im->t, n, "its divisor is not one constant above 0");
	if (im->t.failed)
		return;
	x = import_full(im, n, 0);
	if (rule_int(&n->call, "fmod", 0) != 0) {
		import_done_rows(im, n, &x,
		    import_binary(im, x.value, multiple_inside(im, x.value, by), -1, 1,
		        false, BACKEND_LINEAR));
		return;
	}
	d = divided(im, x.value, by);
	import_done_rows(
	    im, n, &x, import_binary(im, d.rest, d.below, 1, 1, false, BACKEND_LINEAR));
}

void import_div_whole(struct import *im, const struct trace_node *n)
{
	const double by = trace_scalar(&im->t, trace_in(n, 1)), size = fabs(by);
	struct import_rows x;
	uint32_t out;

	if (!(size >= 1 && size <= 0x1p20))
		trace_lack(&im->t, n,
		    "it divides whole numbers by another one than a constant up to 2^20");
	if (im->t.failed)
		return;
	x = import_full(im, n, 0);
	out = multiple_inside(im, x.value, size);
	out =
	    import_rounded(im, out, &(struct import_rounding){ by, -0x1p20, 0x1p20, 1, 0 });
	import_done_rows(im, n, &x, out);
}

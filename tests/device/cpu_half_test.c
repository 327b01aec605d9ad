/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares the conversions between float32 and the types of 16 bits in the backend cpu with
 * those of the library.
 */
#include <float.h>
#include <math.h>

#include "backends/cpu/cpu_half_math.h"
#include "base/rng.h"
#include "graph/dtype.h"
#include "tests/lib/tap.h"

struct half_type {
	enum backend_dtype dtype;
	uint16_t (*of)(float x);
	float (*value)(uint16_t x);
	uint16_t infinity;
};

static const struct half_type types[] = {
	{ BACKEND_FLOAT16, float16_of, float16_value, 0x7c00 },
	{ BACKEND_BFLOAT16, bfloat16_of, bfloat16_value, 0x7f80 },
};

/* Returns how many of all numbers of 16 bits have another value than in the library. */
static int values_differing(const struct half_type *t)
{
	int differing = 0;

	for (uint32_t bits = 0; bits <= UINT16_MAX; bits++) {
		const uint16_t x = (uint16_t)bits;
		const double got = (double)t->value(x);
		double want;

		dtype_load(t->dtype, &want, &x, 1);
		differing += isnan(want) ? !isnan(got) : got != want;
	}
	return differing;
}

/* Returns whether a number is rounded as in the library. */
static bool is_rounded(const struct half_type *t, float x)
{
	const double exact = (double)x;
	uint16_t want;

	dtype_store(t->dtype, &want, &exact, 1);
	if (isnan(x))
		return isnan(t->value(t->of(x)));
	return t->of(x) == want;
}

/* Returns how many of the float32 between two neighbors in 16 bits, and at their middle,
 * and of random bits, are rounded to another number than in the library. */
static int roundings_differing(const struct half_type *t)
{
	int differing = 0;
	struct rng r;

	rng_seed(&r, 1);
	for (uint32_t bits = 0; bits < t->infinity; bits++) {
		const float low = t->value((uint16_t)bits),
		            high = t->value((uint16_t)(bits + 1)),
		            middle = isinf(high) ? low : low + (high - low) / 2;

		differing += !is_rounded(t, middle) + !is_rounded(t, -middle) +
		             !is_rounded(t, nextafterf(middle, low)) +
		             !is_rounded(t, nextafterf(middle, high)) + !is_rounded(t, low);
	}
	for (int i = 0; i < 1000000; i++)
		differing +=
		    !is_rounded(t, half_number((uint32_t)rng_below(&r, 1ull << 32)));
	return differing;
}

int main(void)
{
	for (size_t i = 0; i < COUNT(types); i++) {
		const struct half_type *t = &types[i];
		const char *name = dtype_name(t->dtype);

		tap_ok(
		    values_differing(t) == 0, "all %s have the value of the library", name);
		tap_ok(roundings_differing(t) == 0,
		    "float32 is rounded to %s to nearest, ties to even", name);
		tap_ok(t->of(INFINITY) == t->infinity && t->of(FLT_MAX) == t->infinity,
		    "float32 beyond the largest %s becomes infinite", name);
		tap_ok(isnan(t->value(t->of(NAN))), "a NaN in %s stays a NaN", name);
	}
	return tap_end();
}

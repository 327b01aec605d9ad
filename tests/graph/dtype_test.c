/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares element types with the bits of IEEE 754 and with known roundings.
 */
#include <math.h>

#include "graph/dtype.h"
#include "tests/lib/tap.h"

static const struct {
	enum backend_dtype dtype;
	double x;
	uint16_t bits;
} stored[] = {
	{ BACKEND_FLOAT16, 1, 0x3c00 },
	{ BACKEND_FLOAT16, -2, 0xc000 },
	{ BACKEND_FLOAT16, 1.0 / 3, 0x3555 },
	{ BACKEND_FLOAT16, 65504, 0x7bff }, /* the largest */
	{ BACKEND_FLOAT16, 65519.99, 0x7bff },
	{ BACKEND_FLOAT16, 65520, 0x7c00 }, /* the tie to infinity */
	{ BACKEND_FLOAT16, -1e300, 0xfc00 },
	{ BACKEND_FLOAT16, INFINITY, 0x7c00 },
	{ BACKEND_FLOAT16, -0.0, 0x8000 },
	{ BACKEND_FLOAT16, 0x1p-14, 0x0400 }, /* the smallest normal */
	{ BACKEND_FLOAT16, 0x1p-24, 0x0001 }, /* the smallest */
	{ BACKEND_FLOAT16, 0x1p-25, 0x0000 }, /* half the smallest, to even */
	{ BACKEND_FLOAT16, 0x1.8p-24, 0x0002 },
	{ BACKEND_FLOAT16, 0x1.000002p-25, 0x0001 },
	{ BACKEND_FLOAT16, -0x1p-26, 0x8000 },
	{ BACKEND_FLOAT16, 0x1.ffcp-15, 0x0400 }, /* denormals grow into normals */
	{ BACKEND_FLOAT16, 2049, 0x6800 },        /* ties to even */
	{ BACKEND_FLOAT16, 2051, 0x6802 },
	{ BACKEND_FLOAT16, 1 + 0x1p-11, 0x3c00 },
	{ BACKEND_FLOAT16, 1 + 0x3p-11, 0x3c02 },
	{ BACKEND_FLOAT16, 1 + 0x1p-11 + 0x1p-40, 0x3c01 }, /* not rounded twice */
	{ BACKEND_BFLOAT16, 1, 0x3f80 },
	{ BACKEND_BFLOAT16, -2, 0xc000 },
	{ BACKEND_BFLOAT16, 3.140625, 0x4049 },
	{ BACKEND_BFLOAT16, 1 + 0x1p-8, 0x3f80 },
	{ BACKEND_BFLOAT16, 1 + 0x3p-8, 0x3f82 },
	{ BACKEND_BFLOAT16, 1 + 0x1p-8 + 0x1p-40, 0x3f81 },
	{ BACKEND_BFLOAT16, 0x1.fep127, 0x7f7f },
	{ BACKEND_BFLOAT16, 0x1.fefp127, 0x7f7f },
	{ BACKEND_BFLOAT16, 0x1.ffp127, 0x7f80 },
	{ BACKEND_BFLOAT16, -INFINITY, 0xff80 },
	{ BACKEND_BFLOAT16, -0.0, 0x8000 },
	{ BACKEND_BFLOAT16, 0x1p-126, 0x0080 },
	{ BACKEND_BFLOAT16, 0x1p-133, 0x0001 },
	{ BACKEND_BFLOAT16, 0x1p-134, 0x0000 },
	{ BACKEND_BFLOAT16, 0x1.8p-133, 0x0002 },
};

static const struct {
	enum backend_dtype dtype;
	double x, back;
} whole[] = {
	{ BACKEND_INT8, 127.4, 127 },
	{ BACKEND_INT8, 1e9, 127 },
	{ BACKEND_INT8, -INFINITY, -128 },
	{ BACKEND_INT8, 2.5, 2 },
	{ BACKEND_INT8, -3.5, -4 },
	{ BACKEND_INT8, (double)NAN, 0 },
	{ BACKEND_UINT8, -3, 0 },
	{ BACKEND_UINT8, 254.5, 254 },
	{ BACKEND_UINT8, 256, 255 },
	{ BACKEND_INT32, 2147483648.0, 2147483647 },
	{ BACKEND_INT32, -1e300, -2147483648.0 },
	{ BACKEND_INT32, -0.4, 0 },
	{ BACKEND_FLOAT32, 16777217, 16777216 },
	{ BACKEND_FLOAT32, 1e300, INFINITY },
	{ BACKEND_FLOAT32, 0x1p-149, 0x1p-149 },
	{ BACKEND_TF32, 16777217, 16777216 },
	{ BACKEND_FLOAT64, 0.1, 0.1 },
};

static void check_tables(void)
{
	int wrong = 0;

	for (size_t i = 0; i < COUNT(stored); i++) {
		uint16_t bits;

		dtype_store(stored[i].dtype, &bits, &stored[i].x, 1);
		if (bits != stored[i].bits)
			wrong += printf("# %a in %s is %#06x, not %#06x\n", stored[i].x,
			             dtype_name(stored[i].dtype), bits, stored[i].bits) > 0;
	}
	tap_ok(wrong == 0, "float16 and bfloat16 are rounded to nearest, ties to even");
	for (size_t i = 0; i < COUNT(whole); i++) {
		char bytes[8];
		double back;

		dtype_store(whole[i].dtype, bytes, &whole[i].x, 1);
		dtype_load(whole[i].dtype, &back, bytes, 1);
		if (back != whole[i].back)
			wrong += printf("# %g in %s is %g, not %g\n", whole[i].x,
			             dtype_name(whole[i].dtype), back, whole[i].back) > 0;
	}
	tap_ok(wrong == 0, "integers are rounded to the nearest in range, and NAN to 0");
}

/* Checks that each bit pattern has the value of its fields, and is stored unchanged. */
static void check_patterns(enum backend_dtype dtype, int fraction_bits, int bias)
{
	int wrong_value = 0, wrong_back = 0, top = (1 << (15 - fraction_bits)) - 1;

	for (int i = 0; i < 65536; i++) {
		uint16_t bits = (uint16_t)i, back;
		int exponent = i >> fraction_bits & top,
		    fraction = i & ((1 << fraction_bits) - 1);
		double x, want;

		dtype_load(dtype, &x, &bits, 1);
		dtype_store(dtype, &back, &x, 1);
		if (exponent == top && fraction) {
			wrong_value += !isnan(x);
			dtype_load(dtype, &want, &back, 1);
			wrong_back += !isnan(want);
			continue;
		}
		want = exponent == top ? (double)INFINITY
		       : exponent      ? ldexp(fraction + (1 << fraction_bits),
		                             exponent - bias - fraction_bits)
		                       : ldexp(fraction, 1 - bias - fraction_bits);
		wrong_value += x != (i >> 15 ? -want : want) || !signbit(x) != !(i >> 15);
		wrong_back += back != bits;
	}
	tap_ok(wrong_value == 0, "all 65536 patterns of %s have the right values",
	    dtype_name(dtype));
	tap_ok(wrong_back == 0, "all 65536 patterns of %s are stored unchanged",
	    dtype_name(dtype));
}

static void check_names(void)
{
	static const struct {
		const char *name;
		int dtype;
	} names[] = { { "float32", BACKEND_FLOAT32 }, { "f64", BACKEND_FLOAT64 },
		{ "fp16", BACKEND_FLOAT16 }, { "bf16", BACKEND_BFLOAT16 },
		{ "i8", BACKEND_INT8 }, { "int32", BACKEND_INT32 }, { "u8", BACKEND_UINT8 },
		{ "tf32", BACKEND_TF32 }, { "float", -1 }, { "", -1 }, { "fp", -1 },
		{ "fp8", -1 }, { "FLOAT32", -1 } };
	int wrong = 0;

	for (size_t i = 0; i < COUNT(names); i++)
		if (dtype_find(names[i].name) != names[i].dtype)
			wrong += printf("# '%s'\n", names[i].name) > 0;
	for (int i = 0; i < BACKEND_DTYPES; i++)
		wrong += dtype_find(dtype_name((enum backend_dtype)i)) != i;
	tap_ok(wrong == 0, "dtype_find finds types by their names and short names");
}

int main(void)
{
	check_tables();
	check_patterns(BACKEND_FLOAT16, 10, 15);
	check_patterns(BACKEND_BFLOAT16, 7, 127);
	check_names();
	return tap_end();
}

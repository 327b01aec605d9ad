/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts element types; see dtype.h.
 */
#include <math.h>
#include <stdlib.h>

#include "graph/dtype.h"

static const struct {
	const char *name, *short_name;
	size_t bytes;
	bool is_float;
	double least, most; /* the range of an integer type */
} dtypes[BACKEND_DTYPES] = {
	[BACKEND_FLOAT32] = { "float32", "f32", 4, true, 0, 0 },
	[BACKEND_FLOAT64] = { "float64", "f64", 8, true, 0, 0 },
	[BACKEND_FLOAT16] = { "float16", "f16", 2, true, 0, 0 },
	[BACKEND_BFLOAT16] = { "bfloat16", "bf16", 2, true, 0, 0 },
	[BACKEND_TF32] = { "tf32", "tf32", 4, true, 0, 0 },
	[BACKEND_INT8] = { "int8", "i8", 1, false, INT8_MIN, INT8_MAX },
	[BACKEND_INT32] = { "int32", "i32", 4, false, INT32_MIN, INT32_MAX },
	[BACKEND_UINT8] = { "uint8", "u8", 1, false, 0, UINT8_MAX },
};

const char *dtype_name(enum backend_dtype dtype)
{
	return dtypes[dtype].name;
}

int dtype_find(const char *name)
{
	if (strncmp(name, "fp", 2) == 0) /* fp16 is f16 */
		for (int i = 0; i < BACKEND_DTYPES; i++)
			if (*dtypes[i].short_name == 'f' &&
			    strcmp(dtypes[i].short_name + 1, name + 2) == 0)
				return i;
	for (int i = 0; i < BACKEND_DTYPES; i++)
		if (strcmp(dtypes[i].name, name) == 0 ||
		    strcmp(dtypes[i].short_name, name) == 0)
			return i;
	return -1;
}

size_t dtype_bytes(enum backend_dtype dtype)
{
	return dtypes[dtype].bytes;
}

bool dtype_is_float(enum backend_dtype dtype)
{
	return dtypes[dtype].is_float;
}

static inline uint32_t bits_of(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static inline float float_of(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/*
 * Rounds a double to odd: to a float that is next to it toward zero, and whose last bit is
 * 1 if anything was lost. A float rounded to nearest from there is what the double gives
 * (S. Boldo, G. Melquiond, "Emulation of a FMA and correctly rounded sums: proved
 * algorithms using rounding to odd", IEEE TC 57(4), 2008). Returns its bits. As there are
 * no branches, the compiler vectorizes this and the next functions.
 */
static inline uint32_t odd_bits(double x)
{
	float near = (float)x;
	uint32_t bits = bits_of(near), away = fabs((double)near) > fabs(x),
	         lost = (double)near != x;

	return (bits - away) | lost;
}

static inline uint16_t half_of(double x)
{
	uint32_t bits = odd_bits(x), size = bits & 0x7fffffff,
	         normal = (size - (112u << 23) + 0xfff + (size >> 13 & 1)) >> 13,
	         /* Adding a half moves the last place of subnormal numbers to the end. */
	    small = bits_of(float_of(size) + 0.5F) - bits_of(0.5F),
	         out = size < 113u << 23 ? small : normal;

	out = size >= 143u << 23 ? 0x7c00 : out;
	out |= bits >> 16 & 0x8000;
	return (uint16_t)(x != x ? 0x7e00 : out);
}

static inline double half_value(uint16_t bits)
{
	/* The factor moves the exponent; subnormal numbers become normal. */
	double size = (double)float_of((uint32_t)(bits & 0x7fff) << 13) * 0x1p112;

	size = (bits & 0x7fff) == 0x7c00 ? INFINITY : size;
	size = (bits & 0x7fff) > 0x7c00 ? NAN : size;
	return bits & 0x8000 ? -size : size;
}

static inline uint16_t bfloat_of(double x)
{
	uint32_t bits = odd_bits(x), out = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;

	return (uint16_t)(x != x ? 0x7fc0 : out);
}

/* Returns the nearest whole number in the range of a type; 0 for NAN. */
static double round_clamped(enum backend_dtype dtype, double x)
{
	x = isnan(x) ? 0 : nearbyint(x);
	if (x < dtypes[dtype].least)
		return dtypes[dtype].least;
	return x > dtypes[dtype].most ? dtypes[dtype].most : x;
}

/* Defines a loop that is vectorized, because it has blocks of a constant length. */
enum { BLOCK = 64 };
#define CONVERT(type_to, type_from, term)                      \
	do {                                                   \
		type_to *restrict y = to;                      \
		const type_from *restrict x = from;            \
		size_t i = 0;                                  \
                                                               \
		for (; i + BLOCK <= count; i += BLOCK)         \
			for (size_t k = i; k < i + BLOCK; k++) \
				y[k] = (type_to)(term);        \
		for (size_t k = i; k < count; k++)             \
			y[k] = (type_to)(term);                \
		return;                                        \
	} while (0)

void dtype_store(enum backend_dtype dtype, void *to, const double *from, size_t count)
{
	switch (dtype) {
	case BACKEND_FLOAT32:
	case BACKEND_TF32:
		CONVERT(float, double, x[k]);
	case BACKEND_FLOAT64:
		CONVERT(double, double, x[k]);
	case BACKEND_FLOAT16:
		CONVERT(uint16_t, double, half_of(x[k]));
	case BACKEND_BFLOAT16:
		CONVERT(uint16_t, double, bfloat_of(x[k]));
	case BACKEND_INT8:
		CONVERT(int8_t, double, round_clamped(dtype, x[k]));
	case BACKEND_INT32:
		CONVERT(int32_t, double, round_clamped(dtype, x[k]));
	case BACKEND_UINT8:
	case BACKEND_DTYPES:
		CONVERT(uint8_t, double, round_clamped(dtype, x[k]));
	}
}

void dtype_load(enum backend_dtype dtype, double *to, const void *from, size_t count)
{
	switch (dtype) {
	case BACKEND_FLOAT32:
	case BACKEND_TF32:
		CONVERT(double, float, x[k]);
	case BACKEND_FLOAT64:
		CONVERT(double, double, x[k]);
	case BACKEND_FLOAT16:
		CONVERT(double, uint16_t, half_value(x[k]));
	case BACKEND_BFLOAT16:
		CONVERT(double, uint16_t, float_of((uint32_t)x[k] << 16));
	case BACKEND_INT8:
		CONVERT(double, int8_t, x[k]);
	case BACKEND_INT32:
		CONVERT(double, int32_t, x[k]);
	case BACKEND_UINT8:
	case BACKEND_DTYPES:
		CONVERT(double, uint8_t, x[k]);
	}
}

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

static uint32_t bits_of(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static float float_of(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/*
 * Rounds a double to a narrower binary format, which has `fraction` bits of fraction and
 * the smallest normal exponent `least`. It rounds to a multiple of the last place, which is
 * exact in doubles.
 */
static double rounded(double x, int fraction, int least)
{
	int exponent;
	double place;

	if (x == 0 || !isfinite(x))
		return x;
	frexp(x, &exponent);
	exponent -= 1;
	place = ldexp(1, (exponent < least ? least : exponent) - fraction);
	return nearbyint(x / place) * place;
}

static uint16_t half_of(double x)
{
	uint16_t sign = signbit(x) ? 0x8000 : 0;
	double size = fabs(rounded(x, 10, -14));
	int exponent;

	if (isnan(x))
		return 0x7e00;
	if (size >= 65536)
		return (uint16_t)(sign | 0x7c00);
	if (size < 0x1p-14)
		return (uint16_t)(sign | (uint16_t)(size * 0x1p24));
	size = frexp(size, &exponent) * 2 - 1;
	return (uint16_t)(sign | (exponent + 14) << 10 | (int)(size * 1024));
}

static double half_value(uint16_t bits)
{
	int exponent = bits >> 10 & 31, fraction = bits & 1023;
	double size;

	if (exponent == 31)
		size = fraction ? NAN : INFINITY;
	else if (exponent)
		size = ldexp(1024 + fraction, exponent - 25);
	else
		size = ldexp(fraction, -24);
	return bits & 0x8000 ? -size : size;
}

static uint16_t bfloat_of(double x)
{
	return isnan(x) ? 0x7fc0 : (uint16_t)(bits_of((float)rounded(x, 7, -126)) >> 16);
}

/* Returns the nearest whole number in the range of a type; 0 for NAN. */
static double round_clamped(enum backend_dtype dtype, double x)
{
	x = isnan(x) ? 0 : nearbyint(x);
	if (x < dtypes[dtype].least)
		return dtypes[dtype].least;
	return x > dtypes[dtype].most ? dtypes[dtype].most : x;
}

void dtype_store(enum backend_dtype dtype, void *to, const double *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		switch (dtype) {
		case BACKEND_FLOAT32:
			((float *)to)[i] = (float)from[i];
			break;
		case BACKEND_FLOAT64:
			((double *)to)[i] = from[i];
			break;
		case BACKEND_FLOAT16:
			((uint16_t *)to)[i] = half_of(from[i]);
			break;
		case BACKEND_BFLOAT16:
			((uint16_t *)to)[i] = bfloat_of(from[i]);
			break;
		case BACKEND_INT8:
			((int8_t *)to)[i] = (int8_t)round_clamped(dtype, from[i]);
			break;
		case BACKEND_INT32:
			((int32_t *)to)[i] = (int32_t)round_clamped(dtype, from[i]);
			break;
		case BACKEND_UINT8:
		case BACKEND_DTYPES:
			((uint8_t *)to)[i] = (uint8_t)round_clamped(dtype, from[i]);
		}
	}
}

void dtype_load(enum backend_dtype dtype, double *to, const void *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		switch (dtype) {
		case BACKEND_FLOAT32:
			to[i] = (double)((const float *)from)[i];
			break;
		case BACKEND_FLOAT64:
			to[i] = ((const double *)from)[i];
			break;
		case BACKEND_FLOAT16:
			to[i] = half_value(((const uint16_t *)from)[i]);
			break;
		case BACKEND_BFLOAT16:
			to[i] =
			    (double)float_of((uint32_t)((const uint16_t *)from)[i] << 16);
			break;
		case BACKEND_INT8:
			to[i] = ((const int8_t *)from)[i];
			break;
		case BACKEND_INT32:
			to[i] = ((const int32_t *)from)[i];
			break;
		case BACKEND_UINT8:
		case BACKEND_DTYPES:
			to[i] = ((const uint8_t *)from)[i];
		}
	}
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts numbers between float32 and the types of 16 bits: float16 (binary16 of IEEE
 * 754-2019) and bfloat16, the upper half of a float32. Conversions to 16 bits round to
 * nearest, ties to even; NaNs stay NaNs. There are no branches, so that the compiler can
 * use vectors.
 */
#ifndef CPU_CPU_HALF_MATH_H
#define CPU_CPU_HALF_MATH_H

#include <stdint.h>
#include <string.h>

static inline uint32_t half_bits(float x)
{
	uint32_t bits;
	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static inline float half_number(uint32_t bits)
{
	float x;
	memcpy(&x, &bits, sizeof(x));
	return x;
}

static inline uint16_t bfloat16_of(float x)
{
	uint32_t bits = half_bits(x), near = bits + 0x7fff + (bits >> 16 & 1);
	return (uint16_t)((x != x ? bits | 0x400000 : near) >> 16);
}

static inline float bfloat16_value(uint16_t x)
{
	return half_number((uint32_t)x << 16);
}

static inline uint16_t float16_of(float x)
{
	uint32_t bits = half_bits(x), size = bits & 0x7fffffff;
	uint32_t normal = (size - (112u << 23) + 0xfff + (size >> 13 & 1)) >> 13;
	/* Adding a half moves the last place of subnormal numbers to the end. */
	uint32_t small = half_bits(half_number(size) + 0.5f) - half_bits(0.5f);
	uint32_t near = size < 113u << 23 ? small : normal;
	near = size >= 143u << 23 ? 0x7c00 : near;
	near = x != x ? 0x7e00 : near;
	return (uint16_t)(near | (bits >> 16 & 0x8000));
}

static inline float float16_value(uint16_t x)
{
	/* The factor moves the exponent; subnormal numbers become normal. */
	uint32_t size = x & 0x7fff;
	uint32_t bits = half_bits(half_number(size << 13) * 0x1p112f);
	bits |= size >= 0x7c00 ? 0x7f800000 : 0;
	return half_number(bits | (uint32_t)(x & 0x8000) << 16);
}

#endif

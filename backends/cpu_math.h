/*
 * Elementary functions that the compiler turns into vector code: in float32 polynomials
 * without branches, within about 2 ulp; in float64 those of libm. A part of cpu_kernels.h.
 *
 * exp: 2^n e^r with r in [-ln2/2, ln2/2] and the Taylor polynomial of e^r - 1. The number
 * n is read off the low bits of x log2(e) + 1.5 2^23, as no narrower instruction set
 * rounds to whole numbers; 2^n is made in two halves, so that results below the normal
 * numbers and above the largest come out right.
 */
#ifndef CPU_MATH_H
#define CPU_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float power_of_two(int32_t n)
{
	uint32_t bits = (uint32_t)(n + 127) << 23;
	float x;
	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* e^x - 1 = 2^n p + (2^n - 1): gives n and p. */
static inline float exp_parts(float x, int32_t *n)
{
	const float magic = 12582912.0f;
	x = x < -104.0f ? -104.0f : x;
	x = x > 89.0f ? 89.0f : x;
	float shifted = x * 1.44269504f + magic;
	int32_t bits;
	memcpy(&bits, &shifted, sizeof(bits));
	*n = bits - 0x4b400000;
	float whole = shifted - magic;
	float r = x - whole * 0.693359375f;
	r = r + whole * 2.12194440e-4f;
	float p = 1.0f / 5040;
	p = p * r + 1.0f / 720;
	p = p * r + 1.0f / 120;
	p = p * r + 1.0f / 24;
	p = p * r + 1.0f / 6;
	p = p * r + 0.5f;
	return p * r * r + r;
}

static inline float exp_f32(float x)
{
	int32_t n;
	float p = exp_parts(x, &n);
	int32_t half = n >> 1;
	return (p + 1.0f) * power_of_two(half) * power_of_two(n - half);
}

/* For |x| up to 88. */
static inline float expm1_f32(float x)
{
	int32_t n;
	float p = exp_parts(x, &n), scale = power_of_two(n);
	return scale * p + (scale - 1.0f);
}

/* e^2x - 1 over itself plus 2: no cancellation near 0. Beyond 9.1, 1 in float32. */
static inline float tanh_f32(float x)
{
	float y = x < -10.0f ? -10.0f : x;
	y = y > 10.0f ? 10.0f : y;
	float e = expm1_f32(2.0f * y);
	return e / (e + 2.0f);
}

/* log(1 + u) for u in [0, 1]: 2 atanh(u / (2 + u)), a series in at most 1/9. */
static inline float log1p_f32(float u)
{
	float t = u / (2.0f + u), s = t * t;
	float p = 1.0f / 15;
	p = p * s + 1.0f / 13;
	p = p * s + 1.0f / 11;
	p = p * s + 1.0f / 9;
	p = p * s + 1.0f / 7;
	p = p * s + 1.0f / 5;
	p = p * s + 1.0f / 3;
	return 2.0f * (p * s * t + t);
}

/*
 * Below 1 the Taylor series; from there on 1 - e^-q, where q is -log(erfc(x)) interpolated
 * at 9 Chebyshev points of [0.95, 4], an error of at most 1.6e-9. Beyond 4, 1 in float32.
 */
static inline float erf_f32(float x)
{
	float t = x < 0 ? -x : x, s = x * x;
	float near = -1.0f / (362880 * 19.0f);
	near = near * s + 1.0f / (40320 * 17.0f);
	near = near * s - 1.0f / (5040 * 15.0f);
	near = near * s + 1.0f / (720 * 13.0f);
	near = near * s - 1.0f / (120 * 11.0f);
	near = near * s + 1.0f / (24 * 9.0f);
	near = near * s - 1.0f / (6 * 7.0f);
	near = near * s + 1.0f / (2 * 5.0f);
	near = near * s - 1.0f / 3;
	near = (near * s * x + x) * 1.12837917f;
	float u = ((t > 4.0f ? 4.0f : t) - 2.475f) * (1.0f / 1.525f);
	float q = -4.80519976e-5f;
	q = q * u + 2.61634523e-4f;
	q = q * u - 1.00148466e-3f;
	q = q * u + 3.5623158e-3f;
	q = q * u - 1.19993624e-2f;
	q = q * u + 3.92879889e-2f;
	q = q * u + 2.19322985f;
	q = q * u + 8.09089739f;
	q = q * u + 7.67358802f;
	float far = 1.0f - exp_f32(-q);
	far = x < 0 ? -far : far;
	return t < 1.0f ? near : x != x ? x : far;
}

static inline double exp_f64(double x)
{
	return exp(x);
}

static inline double tanh_f64(double x)
{
	return tanh(x);
}

static inline double erf_f64(double x)
{
	return erf(x);
}

static inline double log1p_f64(double x)
{
	return log1p(x);
}

static inline float sqrt_f32(float x)
{
	return sqrtf(x);
}

static inline double sqrt_f64(double x)
{
	return sqrt(x);
}

#endif

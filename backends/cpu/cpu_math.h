/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Elementary functions that the compiler turns into vector code: in float32 polynomials
 * without branches (measured: exp within 1 ulp, log1p 2, tanh 5, erf 5); in float64 those
 * of libm. A part of cpu_kernels.h.
 *
 * exp: 2^n e^r with r in [-ln2/2, ln2/2] and the Taylor polynomial of e^r - 1. The number n
 * is taken from the low bits of x log2(e) + 1.5 2^23, because narrower instruction sets
 * cannot round to whole numbers. 2^n is computed in two halves, so that results below the
 * normal numbers and above the largest are correct.
 */
#ifndef CPU_CPU_MATH_H
#define CPU_CPU_MATH_H

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

/* Returns e^r - 1 for |r| up to ln2/2. */
static inline float exp_series(float r)
{
	float p = 1.0f / 5040;
	p = p * r + 1.0f / 720;
	p = p * r + 1.0f / 120;
	p = p * r + 1.0f / 24;
	p = p * r + 1.0f / 6;
	p = p * r + 0.5f;
	return p * r * r + r;
}

/* Returns p, and writes n, of e^x - 1 = 2^n p + (2^n - 1). */
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
	return exp_series(r);
}

static inline float exp_f32(float x)
{
	int32_t n;
	float p = exp_parts(x, &n);
	int32_t half = n >> 1;
	return (p + 1.0f) * power_of_two(half) * power_of_two(n - half);
}

/* Returns e^x for x <= 0, flushing subnormal results to 0. */
static inline float exp_below_f32(float x)
{
	const float magic = 12582912.0f;
	float shifted = x * 1.44269504f + magic;
	int32_t bits;
	memcpy(&bits, &shifted, sizeof(bits));
	float whole = shifted - magic;
	float r = x - whole * 0.693359375f;
	r = r + whole * 2.12194440e-4f;
	float p = exp_series(r) + 1.0f;
	return x < -87.0f ? 0 : p * power_of_two(bits - 0x4b400000);
}

/*
 * x N(x^2) / D(x^2), both of degree 4, a least squares fit of tanh(x) / x with weights that
 * level the relative error, which is at most 2.3e-8 up to 9.1; beyond, 1 in float32. No
 * coefficient is negative, so nothing cancels. Roundings may exceed 1.
 */
static inline float tanh_f32(float x)
{
	float t = x < -9.1f ? -9.1f : x;
	t = t > 9.1f ? 9.1f : t;
	float s = t * t;
	float n = 1.31775553e-8f;
	n = n * s + 2.04812117e-5f;
	n = n * s + 3.48781261e-3f;
	n = n * s + 1.33744765e-1f;
	n = n * s + 1.0f;
	float d = 7.70405999e-7f;
	d = d * s + 3.27292272e-4f;
	d = d * s + 2.58473945e-2f;
	d = d * s + 4.67077903e-1f;
	d = d * s + 1.0f;
	float y = t * n / d;
	y = y < -1.0f ? -1.0f : y;
	return y > 1.0f ? 1.0f : y;
}

/* Returns log(1 + u) for u in [0, 1] as 2 atanh(u / (2 + u)), a series in at most 1/9. */
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
 * x N(x^2) / D(x^2), both of degree 5, a least squares fit of erf(x) / x with weights that
 * level the relative error, which is at most 1.9e-8 up to 3.92; beyond, 1 in float32. No
 * coefficient is negative, so nothing cancels.
 */
static inline float erf_f32(float x)
{
	float t = x < -3.92f ? -3.92f : x;
	t = t > 3.92f ? 3.92f : t;
	float s = t * t;
	float n = 2.05077559e-6f;
	n = n * s + 2.8477435e-4f;
	n = n * s + 3.76115335e-3f;
	n = n * s + 5.27349525e-2f;
	n = n * s + 1.90303617e-1f;
	n = n * s + 1.12837915f;
	float d = 3.8093175e-5f;
	d = d * s + 1.16143774e-3f;
	d = d * s + 1.49602947e-2f;
	d = d * s + 1.14066442e-1f;
	d = d * s + 5.01984954e-1f;
	d = d * s + 1.0f;
	return t * n / d;
}

/*
 * Returns log x = n log 2 + log m, where x = 2^n m and m is in [sqrt(1/2), sqrt 2), with
 * log m = 2 atanh((m - 1) / (m + 1)).
 */
static inline float log_f32(float x)
{
	float y = x < 1.17549435e-38f ? x * 8388608.0f : x;
	int32_t bits;
	memcpy(&bits, &y, sizeof(bits));
	/* 0x3f3504f3 is sqrt(1/2). */
	int32_t n = (bits - 0x3f3504f3) >> 23;
	bits -= n * (1 << 23);
	float m;
	memcpy(&m, &bits, sizeof(m));
	float t = (m - 1.0f) / (m + 1.0f), s = t * t;
	float p = 1.0f / 11;
	p = p * s + 1.0f / 9;
	p = p * s + 1.0f / 7;
	p = p * s + 1.0f / 5;
	p = p * s + 1.0f / 3;
	float whole = (float)(x < 1.17549435e-38f ? n - 23 : n);
	float log =
	    whole * 0.693359375f + (2.0f * (p * s * t + t) - whole * 2.12194440e-4f);
	log = x > 3.40282347e38f ? x : log;
	log = x == 0 ? -INFINITY : log;
	return x >= 0 ? log : NAN;
}

/* The libm's, one element at a time: few models compute them. */
static inline float sin_f32(float x)
{
	return sinf(x);
}

static inline float cos_f32(float x)
{
	return cosf(x);
}

static inline double sin_f64(double x)
{
	return sin(x);
}

static inline double cos_f64(double x)
{
	return cos(x);
}

static inline double log_f64(double x)
{
	return log(x);
}

static inline double exp_f64(double x)
{
	return exp(x);
}

static inline double exp_below_f64(double x)
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

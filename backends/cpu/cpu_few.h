/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multiplies a few rows by the rows of a matrix, as the next token of a model does. Reading
 * the matrix takes most of the time, so its rows are read one after the other: a core
 * fetches one sequence of lines twice as fast as several that run side by side. A part of
 * cpu_kernels.h.
 */
#include <stdint.h>
#include <string.h>

#include "cpu_isa.h"

typedef float vector_f32
    __attribute__((vector_size(ISA_BITS / 8), aligned(sizeof(float)), may_alias));
typedef double vector_f64
    __attribute__((vector_size(ISA_BITS / 8), aligned(sizeof(double)), may_alias));

#if ISA_BITS == 512
static inline float lanes_sum_f32(vector_f32 x)
{
	return _mm512_reduce_add_ps((__m512)x);
}

static inline double lanes_sum_f64(vector_f64 x)
{
	return _mm512_reduce_add_pd((__m512d)x);
}
#elif ISA_BITS == 256
/* Adds the lanes by halves, in registers. */
static inline float lanes_sum_f32(vector_f32 x)
{
	__m128 half = _mm_add_ps(
	    _mm256_castps256_ps128((__m256)x), _mm256_extractf128_ps((__m256)x, 1));
	half = _mm_add_ps(half, _mm_movehl_ps(half, half));
	return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}

static inline double lanes_sum_f64(vector_f64 x)
{
	__m128d half = _mm_add_pd(
	    _mm256_castpd256_pd128((__m256d)x), _mm256_extractf128_pd((__m256d)x, 1));
	return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}
#else
/* Defines a function that adds the lanes by halves, because a chain of additions takes
 * long. */
#define LANES_SUM(T, suffix)                                    \
	static inline T lanes_sum_##suffix(vector_##suffix x)   \
	{                                                       \
		enum { LANES = sizeof(x) / sizeof(T) };         \
		T part[LANES];                                  \
		memcpy(part, &x, sizeof(part));                 \
		for (int wide = LANES / 2; wide > 0; wide /= 2) \
			for (int i = 0; i < wide; i++)          \
				part[i] += part[i + wide];      \
		return part[0];                                 \
	}
LANES_SUM(float, f32)
LANES_SUM(double, f64)
#undef LANES_SUM
#endif

/* The rows of the matrix that are multiplied together by a single row, so that sums of
 * several overlap, and the most bytes of such a row: they are close to each other, and
 * fetched as one sequence. */
enum { FEW_COLUMNS = 4, FEW_COLUMN_BYTES = 2048 };

/* The rows that are multiplied together, so that their sums stay in registers, and the
 * bytes by which reading runs ahead if there is more than one. */
enum { FEW_TOGETHER = ISA_BITS == 512 ? 8 : 4, FEW_AHEAD = 512 };

/* The case that this many rows remain, fewer than are multiplied together. */
#define FEW_REST(name, rows)                                             \
	case rows:                                                       \
		name##_row(p, i, j, (rows) < FEW_TOGETHER ? (rows) : 1); \
		break

/* Defines name(), the product of rows of type T by rows of type B, of whose elements
 * convert##_load() and convert##_value() make vectors and numbers of T. */
#define FEW_PRODUCT(name, T, suffix, B, convert)                                          \
	/* Returns the product of the last numbers, fewer than two vectors. */            \
	static __attribute__((noinline)) T name##_rest(const T *a, const B *b, int64_t n) \
	{                                                                                 \
		T sum = 0;                                                                \
		for (int64_t l = 0; l < n; l++)                                           \
			sum += a[l] * convert##_value(b[l]);                              \
		return sum;                                                               \
	}                                                                                 \
	/* Multiplies rows [i, i + rows) by row j of b; `rows` is a constant. */          \
	static inline __attribute__((always_inline)) void name##_row(                     \
	    const struct cpu_few *p, int64_t i, int64_t j, int rows)                      \
	{                                                                                 \
		enum { LANES = sizeof(vector_##suffix) / sizeof(T) };                     \
		vector_##suffix sum[FEW_TOGETHER][2] = { 0 };                             \
		const T *a = (const T *)p->a + i * p->lda;                                \
		const B *b = (const B *)p->b + j * p->ldb;                                \
		int64_t l = 0;                                                            \
		for (; l + 2 * LANES <= p->k; l += 2 * LANES) {                           \
			for (size_t at = 0; rows > 1 && at < 2 * LANES * sizeof(B);       \
			    at += 64)                                                     \
				__builtin_prefetch(                                       \
				    (const char *)(b + l) + FEW_AHEAD + at);              \
			_Pragma("GCC unroll 2") for (int part = 0; part < 2; part++)      \
			{                                                                 \
				vector_##suffix y = convert##_load(b + l + part * LANES); \
				_Pragma("GCC unroll 8") for (int r = 0; r < rows; r++)    \
				    sum[r][part] +=                                       \
				    *(const vector_##suffix *)(a + r * p->lda + l +       \
				                               part * LANES) *            \
				    y;                                                    \
			}                                                                 \
		}                                                                         \
		_Pragma("GCC unroll 8") for (int r = 0; r < rows; r++)                    \
		{                                                                         \
			T *c = (T *)p->c + (i + r) * p->ldc + j;                          \
			T result = lanes_sum_##suffix(sum[r][0] + sum[r][1]);             \
			if (l < p->k)                                                     \
				result +=                                                 \
				    name##_rest(a + r * p->lda + l, b + l, p->k - l);     \
			result *= (T)p->alpha;                                            \
			*c = p->add ? *c + result : result;                               \
		}                                                                         \
	}                                                                                 \
	/* Multiplies row 0 by rows [j, j + FEW_COLUMNS) of b. */                         \
	static inline void name##_columns(const struct cpu_few *p, int64_t j)             \
	{                                                                                 \
		enum { LANES = sizeof(vector_##suffix) / sizeof(T) };                     \
		vector_##suffix sum[FEW_COLUMNS][2] = { 0 };                              \
		const T *a = p->a;                                                        \
		const B *b = (const B *)p->b + j * p->ldb;                                \
		int64_t l = 0;                                                            \
		for (; l + 2 * LANES <= p->k; l += 2 * LANES)                             \
			_Pragma("GCC unroll 2") for (int part = 0; part < 2; part++)      \
			{                                                                 \
				const int64_t at = l + part * LANES;                      \
				const vector_##suffix x =                                 \
				    *(const vector_##suffix *)(a + at);                   \
				_Pragma("GCC unroll 4") for (int q = 0; q < FEW_COLUMNS;  \
				    q++) sum[q][part] +=                                  \
				    x * convert##_load(b + q * p->ldb + at);              \
			}                                                                 \
		_Pragma("GCC unroll 4") for (int q = 0; q < FEW_COLUMNS; q++)             \
		{                                                                         \
			T *c = (T *)p->c + j + q;                                         \
			T result = lanes_sum_##suffix(sum[q][0] + sum[q][1]);             \
			if (l < p->k)                                                     \
				result +=                                                 \
				    name##_rest(a + l, b + q * p->ldb + l, p->k - l);     \
			result *= (T)p->alpha;                                            \
			*c = p->add ? *c + result : result;                               \
		}                                                                         \
	}                                                                                 \
	static void name(const struct cpu_few *p)                                         \
	{                                                                                 \
		int64_t j = 0;                                                            \
		if (p->m == 1 && p->k * (int64_t)sizeof(B) <= FEW_COLUMN_BYTES)           \
			for (; j + FEW_COLUMNS <= p->n; j += FEW_COLUMNS)                 \
				name##_columns(p, j);                                     \
		for (; j < p->n; j++) {                                                   \
			int64_t i = 0;                                                    \
			for (; i + FEW_TOGETHER <= p->m; i += FEW_TOGETHER)               \
				name##_row(p, i, j, FEW_TOGETHER);                        \
			switch (p->m - i) {                                               \
				FEW_REST(name, 7);                                        \
				FEW_REST(name, 6);                                        \
				FEW_REST(name, 5);                                        \
				FEW_REST(name, 4);                                        \
				FEW_REST(name, 3);                                        \
				FEW_REST(name, 2);                                        \
				FEW_REST(name, 1);                                        \
			}                                                                 \
		}                                                                         \
	}

static inline vector_f32 f32_load(const float *from)
{
	return *(const vector_f32 *)from;
}

static inline float f32_value(float x)
{
	return x;
}

static inline vector_f64 f64_load(const double *from)
{
	return *(const vector_f64 *)from;
}

static inline double f64_value(double x)
{
	return x;
}

FEW_PRODUCT(few_f32, float, f32, float, f32)
FEW_PRODUCT(few_f64, double, f64, double, f64)

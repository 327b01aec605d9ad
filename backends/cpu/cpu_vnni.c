/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of few rows by VNNI; see cpu_vnni.h. */
#include "cpu_vnni.h"
#include "backends/processor/avx_vnni.h"

#ifdef __x86_64__
#include <immintrin.h>

/* The columns of a tile, whose sums stay in registers, and its most rows. */
enum { TILE = 4 };

static int32_t dot_rest(const uint8_t *a, const int8_t *b, int64_t from, int64_t k)
{
	int32_t sum = 0;
	for (int64_t l = from; l < k; l++)
		sum += a[l] * b[l];
	return sum;
}

/*
 * Defines a product of `rows` rows for vectors of `bytes` bytes. A tile at the edge of the
 * matrix computes its last column several times.
 */
#define VNNI_ROWS(name, rows, isa, bytes, vector, zero, load, add, reduce)              \
	__attribute__((target(isa))) static void name(int64_t n, int64_t k,             \
	    const uint8_t *a, const int8_t *b, int32_t *c, int64_t ldc)                 \
	{                                                                               \
		const int64_t whole = k / (bytes) * (bytes);                            \
		for (int64_t j = 0; j < n; j += TILE) {                                 \
			vector sum[rows][TILE];                                         \
			const int8_t *y[TILE];                                          \
			for (int q = 0; q < TILE; q++)                                  \
				y[q] = b + cpu_min(j + q, n - 1) * k;                   \
			for (int r = 0; r < (rows); r++)                                \
				for (int q = 0; q < TILE; q++)                          \
					sum[r][q] = zero();                             \
			for (int64_t l = 0; l < whole; l += (bytes)) {                  \
				vector w[TILE];                                         \
				for (int q = 0; q < TILE; q++)                          \
					w[q] = load((const void *)(y[q] + l));          \
				for (int r = 0; r < (rows); r++) {                      \
					vector x = load((const void *)(a + r * k + l)); \
					for (int q = 0; q < TILE; q++)                  \
						sum[r][q] = add(sum[r][q], x, w[q]);    \
				}                                                       \
			}                                                               \
			for (int r = 0; r < (rows); r++)                                \
				for (int q = 0; q < TILE && j + q < n; q++)             \
					c[r * ldc + j + q] =                            \
					    reduce(sum[r][q]) +                         \
					    dot_rest(a + r * k, y[q], whole, k);        \
		}                                                                       \
	}

/* Defines a product, whose last rows are computed one by one. */
#define VNNI_PRODUCT(name, ...)                                             \
	VNNI_ROWS(name##_tile, TILE, __VA_ARGS__)                           \
	VNNI_ROWS(name##_row, 1, __VA_ARGS__)                               \
	static void name(int64_t m, int64_t n, int64_t k, const uint8_t *a, \
	    const int8_t *b, int32_t *c, int64_t ldc)                       \
	{                                                                   \
		int64_t i = 0;                                              \
		for (; i + TILE <= m; i += TILE)                            \
			name##_tile(n, k, a + i * k, b, c + i * ldc, ldc);  \
		for (; i < m; i++)                                          \
			name##_row(n, k, a + i * k, b, c + i * ldc, ldc);   \
	}

#define AVX_VNNI "avx2,avxvnni"
__attribute__((target(AVX_VNNI))) static inline int32_t avx_sum(__m256i x)
{
	__m128i y =
	    _mm_add_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
	y = _mm_add_epi32(y, _mm_shuffle_epi32(y, 0x4e));
	y = _mm_add_epi32(y, _mm_shuffle_epi32(y, 0xb1));
	return _mm_cvtsi128_si32(y);
}

VNNI_PRODUCT(vnni_512, "avx512f,avx512bw,avx512vnni", 64, __m512i, _mm512_setzero_si512,
    _mm512_loadu_si512, _mm512_dpbusd_epi32, _mm512_reduce_add_epi32)
VNNI_PRODUCT(vnni_256, AVX_VNNI, 32, __m256i, _mm256_setzero_si256, _mm256_loadu_si256,
    _mm256_dpbusd_avx_epi32, avx_sum)

cpu_vnni *cpu_vnni_of(const struct cpu_isa *isa)
{
	if (isa->bits == 512 && __builtin_cpu_supports("avx512vnni"))
		return vnni_512;
	return isa->bits == 256 && avx_vnni_is_here() ? vnni_256 : NULL;
}
#else
cpu_vnni *cpu_vnni_of(const struct cpu_isa *isa)
{
	(void)isa;
	return NULL;
}
#endif

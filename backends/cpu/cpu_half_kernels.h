/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts rows between float32 and the types of 16 bits, and multiplies float32 by rows of
 * 16 bits. The instruction of AVX512-BF16 that converts is not used, because it flushes
 * subnormal numbers. A part of cpu_kernels.h.
 */

/* These load and store a vector. */
#if ISA_BITS == 512
static inline vector_f32 float16_load(const uint16_t *from)
{
	return (vector_f32)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)from));
}

static inline vector_f32 bfloat16_load(const uint16_t *from)
{
	__m512i x =
	    _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)from));
	return (vector_f32)_mm512_slli_epi32(x, 16);
}

static inline void float16_store(uint16_t *to, vector_f32 x)
{
	_mm256_storeu_si256(
	    (__m256i *)(void *)to, _mm512_cvtps_ph((__m512)x, _MM_FROUND_TO_NEAREST_INT));
}
#elif ISA_BITS == 256
static inline vector_f32 float16_load(const uint16_t *from)
{
	return (vector_f32)_mm256_cvtph_ps(
	    _mm_loadu_si128((const __m128i *)(const void *)from));
}

static inline vector_f32 bfloat16_load(const uint16_t *from)
{
	__m256i x =
	    _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));
	return (vector_f32)_mm256_slli_epi32(x, 16);
}

static inline void float16_store(uint16_t *to, vector_f32 x)
{
	_mm_storeu_si128(
	    (__m128i *)(void *)to, _mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_NEAREST_INT));
}
#else
static inline vector_f32 float16_load(const uint16_t *from)
{
	vector_f32 x;
	for (int i = 0; i < LANES_f32; i++)
		x[i] = float16_value(from[i]);
	return x;
}

static inline vector_f32 bfloat16_load(const uint16_t *from)
{
	vector_f32 x;
	for (int i = 0; i < LANES_f32; i++)
		x[i] = bfloat16_value(from[i]);
	return x;
}

static inline void float16_store(uint16_t *to, vector_f32 x)
{
	for (int i = 0; i < LANES_f32; i++)
		to[i] = float16_of(x[i]);
}
#endif

static inline void bfloat16_store(uint16_t *to, vector_f32 x)
{
	for (int i = 0; i < LANES_f32; i++)
		to[i] = bfloat16_of(x[i]);
}

/* The rows of a matrix that are multiplied together. */
enum { HALF_TILE = 4 };

/* Returns the sum of the lanes, by halves, because a chain of additions takes long. */
static inline float half_sum(vector_f32 x)
{
#if ISA_BITS == 512
	return _mm512_reduce_add_ps((__m512)x);
#else
	float part[LANES_f32];
	memcpy(part, &x, sizeof(part));
	for (int wide = LANES_f32 / 2; wide > 0; wide /= 2)
		for (int i = 0; i < wide; i++)
			part[i] += part[i + wide];
	return part[0];
#endif
}

#define HALF_KERNELS(H)                                                                 \
	static void H##_load_row(float *to, const uint16_t *from, int64_t n)            \
	{                                                                               \
		int64_t i = 0;                                                          \
		for (; i + LANES_f32 <= n; i += LANES_f32) {                            \
			vector_f32 x = H##_load(from + i);                              \
			memcpy(to + i, &x, sizeof(x));                                  \
		}                                                                       \
		for (; i < n; i++)                                                      \
			to[i] = H##_value(from[i]);                                     \
	}                                                                               \
	static void H##_store_row(uint16_t *to, const float *from, int64_t n)           \
	{                                                                               \
		int64_t i = 0;                                                          \
		for (; i + LANES_f32 <= n; i += LANES_f32) {                            \
			vector_f32 x;                                                   \
			memcpy(&x, from + i, sizeof(x));                                \
			H##_store(to + i, x);                                           \
		}                                                                       \
		for (; i < n; i++)                                                      \
			to[i] = H##_of(from[i]);                                        \
	}                                                                               \
	/* Multiplies `rows` rows of a by `wide` rows of b; both are constants. */      \
	static inline __attribute__((always_inline)) void H##_dot(                      \
	    const struct cpu_half_product *p, int64_t i, int64_t j, int rows, int wide) \
	{                                                                               \
		vector_f32 sum[HALF_TILE][HALF_TILE] = { 0 };                           \
		float rest[HALF_TILE][HALF_TILE] = { 0 };                               \
		const float *a = p->a + i * p->lda;                                     \
		const uint16_t *b = p->b + j * p->ldb;                                  \
		int64_t l = 0;                                                          \
		for (; l + LANES_f32 <= p->k; l += LANES_f32) {                         \
			vector_f32 x[HALF_TILE];                                        \
			for (int r = 0; r < rows; r++)                                  \
				memcpy(&x[r], a + r * p->lda + l, sizeof(x[r]));        \
			for (int c = 0; c < wide; c++) {                                \
				const uint16_t *at = b + c * p->ldb + l;                \
				/* The rows after these, which are seldom adjacent. */  \
				__builtin_prefetch(at + HALF_TILE * p->ldb);            \
				vector_f32 y = H##_load(at);                            \
				for (int r = 0; r < rows; r++)                          \
					sum[r][c] += x[r] * y;                          \
			}                                                               \
		}                                                                       \
		for (; l < p->k; l++)                                                   \
			for (int c = 0; c < wide; c++)                                  \
				for (int r = 0; r < rows; r++)                          \
					rest[r][c] += a[r * p->lda + l] *               \
					              H##_value(b[c * p->ldb + l]);     \
		for (int r = 0; r < rows; r++)                                          \
			for (int c = 0; c < wide; c++)                                  \
				p->c[(i + r) * p->ldc + j + c] =                        \
				    half_sum(sum[r][c]) + rest[r][c];                   \
	}                                                                               \
	static void H##_multiply_rows(const struct cpu_half_product *p)                 \
	{                                                                               \
		for (int64_t j = 0; j < p->n;) {                                        \
			int wide = p->n - j >= HALF_TILE ? HALF_TILE : 1;               \
			for (int64_t i = 0; i < p->m;) {                                \
				int64_t left = p->m - i;                                \
				int rows = left >= HALF_TILE ? HALF_TILE                \
				           : left >= 2       ? 2                        \
				                             : 1;                             \
				if (wide == 1)                                          \
					rows = 1;                                       \
				if (rows == HALF_TILE)                                  \
					H##_dot(p, i, j, HALF_TILE, HALF_TILE);         \
				else if (rows == 2)                                     \
					H##_dot(p, i, j, 2, HALF_TILE);                 \
				else if (wide == HALF_TILE)                             \
					H##_dot(p, i, j, 1, HALF_TILE);                 \
				else                                                    \
					H##_dot(p, i, j, 1, 1);                         \
				i += rows;                                              \
			}                                                               \
			j += wide;                                                      \
		}                                                                       \
	}

HALF_KERNELS(float16)
HALF_KERNELS(bfloat16)
#undef HALF_KERNELS

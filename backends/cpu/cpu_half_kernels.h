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

typedef uint32_t vector_u32 __attribute__((vector_size(ISA_BITS / 8)));
typedef uint16_t vector_u16 __attribute__((vector_size(ISA_BITS / 16)));

/* Does what bfloat16_of() does, without a loop, which would not become vectors. */
static inline void bfloat16_store(uint16_t *to, vector_f32 x)
{
	vector_u32 bits = (vector_u32)x, nan = (vector_u32)(x != x);
	vector_u32 near = bits + 0x7fff + (bits >> 16 & 1);
	vector_u32 chosen = (nan & (bits | 0x400000)) | (~nan & near);
	vector_u16 upper = __builtin_convertvector(chosen >> 16, vector_u16);
	memcpy(to, &upper, sizeof(upper));
}

#define HALF_KERNELS(H)                                                       \
	static void H##_load_row(float *to, const uint16_t *from, int64_t n)  \
	{                                                                     \
		int64_t i = 0;                                                \
		for (; i + LANES_f32 <= n; i += LANES_f32) {                  \
			vector_f32 x = H##_load(from + i);                    \
			memcpy(to + i, &x, sizeof(x));                        \
		}                                                             \
		for (; i < n; i++)                                            \
			to[i] = H##_value(from[i]);                           \
	}                                                                     \
	static void H##_store_row(uint16_t *to, const float *from, int64_t n) \
	{                                                                     \
		int64_t i = 0;                                                \
		for (; i + LANES_f32 <= n; i += LANES_f32) {                  \
			vector_f32 x;                                         \
			memcpy(&x, from + i, sizeof(x));                      \
			H##_store(to + i, x);                                 \
		}                                                             \
		for (; i < n; i++)                                            \
			to[i] = H##_of(from[i]);                              \
	}
HALF_KERNELS(float16)
HALF_KERNELS(bfloat16)
#undef HALF_KERNELS
FEW_PRODUCT(float16_few, float, f32, uint16_t, float16)
FEW_PRODUCT(bfloat16_few, float, f32, uint16_t, bfloat16)
FEW_HEADS(float16_few, float, f32, uint16_t, float16)
FEW_HEADS(bfloat16_few, float, f32, uint16_t, bfloat16)

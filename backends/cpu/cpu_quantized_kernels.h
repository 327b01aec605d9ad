/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantizes activations, and finishes the rows of products and the channels of convolutions
 * with quantized weights. The compiler vectorizes these loops. A part of cpu_kernels.h.
 */

/* Numbers whose extremes are kept apart, because the compiler must not change the
 * order in which one extreme is found. */
enum { RANGE_LANES = 64 };

static void quantized_range(
    const float *x, int64_t n, float *low, float *high, float *wrong)
{
	float least[RANGE_LANES], most[RANGE_LANES], nan[RANGE_LANES] = { 0 };
	int64_t i = 0;
	for (int l = 0; l < RANGE_LANES; l++) {
		least[l] = *low;
		most[l] = *high;
	}
	for (; i + RANGE_LANES <= n; i += RANGE_LANES)
		for (int l = 0; l < RANGE_LANES; l++) {
			least[l] = x[i + l] < least[l] ? x[i + l] : least[l];
			most[l] = x[i + l] > most[l] ? x[i + l] : most[l];
			/* 0, or NaN if the number is not finite. */
			nan[l] += x[i + l] - x[i + l];
		}
	for (int l = 0; i < n; i++, l++) {
		least[l] = x[i] < least[l] ? x[i] : least[l];
		most[l] = x[i] > most[l] ? x[i] : most[l];
		nan[l] += x[i] - x[i];
	}
	for (int l = 0; l < RANGE_LANES; l++) {
		*low = least[l] < *low ? least[l] : *low;
		*high = most[l] > *high ? most[l] : *high;
		*wrong += nan[l];
	}
}

static inline int32_t quantized_number(float x, float scale, float zero)
{
	/* The sum of a number below 2^22 and 1.5 2^23 is rounded to a whole number, ties to
	 * even. */
	const float rounding = 12582912;
	float q = (x / scale + rounding) - rounding + zero;
	q = q > 0 ? q : 0;
	q = q < 255 ? q : 255;
	return (int32_t)q;
}

static void quantized_store(uint8_t *to, const float *x, int64_t n, float scale, float zero)
{
	for (int64_t i = 0; i < n; i++)
		to[i] = (uint8_t)quantized_number(x[i], scale, zero);
}

static void quantized_store_wide(
    uint16_t *to, const float *x, int64_t n, float scale, float zero)
{
	for (int64_t i = 0; i < n; i++)
		to[i] = (uint16_t)quantized_number(x[i], scale, zero);
}

static bool quantized_store_quads(
    uint32_t *to, const float *const x[4], int64_t n, float scale, float zero)
{
	const float *a = x[0], *b = x[1], *c = x[2], *d = x[3];
	int32_t wrong = 0;
	for (int64_t i = 0; i < n; i++) {
		wrong |=
		    __builtin_isunordered(a[i], b[i]) | __builtin_isunordered(c[i], d[i]);
		to[i] = (uint32_t)quantized_number(a[i], scale, zero) |
		        (uint32_t)quantized_number(b[i], scale, zero) << 8 |
		        (uint32_t)quantized_number(c[i], scale, zero) << 16 |
		        (uint32_t)quantized_number(d[i], scale, zero) << 24;
	}
	return !wrong;
}

/* Stores numbers that are multiples of a scale. The sum of one and 1.5 2^23 ends in its
 * byte. */
static bool quantized_store_multiples(
    uint32_t *to, const float *const x[4], int64_t n, float inverse, float zero)
{
	const float *rows[4] = { x[0], x[1], x[2], x[3] };
	const float whole = 12582912 + zero;
	int32_t wrong = 0;
	for (int64_t i = 0; i < n; i++) {
		uint32_t quad = 0;
		_Pragma("GCC unroll 4") for (int r = 0; r < 4; r++)
		{
			const float sum = rows[r][i] * inverse + whole;
			uint32_t bits;
			memcpy(&bits, &sum, sizeof(bits));
			quad |= (bits & 255) << 8 * r;
			wrong |= __builtin_isnan(rows[r][i]);
		}
		to[i] = quad;
	}
	return !wrong;
}

/* Bytes that are joined together, and pairs of them. */
typedef uint8_t bytes_16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint16_t pairs_8 __attribute__((vector_size(16), aligned(1), may_alias));

/* Joins 8 elements of two vectors of bytes, or 4 of two vectors of pairs, from an element
 * on. */
#define JOIN_BYTES(a, b, at)                                                          \
	(pairs_8) __builtin_shufflevector(a, b, (at), (at) + 16, (at) + 1, (at) + 17, \
	    (at) + 2, (at) + 18, (at) + 3, (at) + 19, (at) + 4, (at) + 20, (at) + 5,  \
	    (at) + 21, (at) + 6, (at) + 22, (at) + 7, (at) + 23)
#define JOIN_PAIRS(a, b, at)                                                        \
	__builtin_shufflevector(a, b, (at), (at) + 8, (at) + 1, (at) + 9, (at) + 2, \
	    (at) + 10, (at) + 3, (at) + 11)

static void quantized_join_quads(uint32_t *to, const uint8_t *const q[4], int64_t n)
{
	const uint8_t *a = q[0], *b = q[1], *c = q[2], *d = q[3];
	int64_t i = 0;
	for (; i + 16 <= n; i += 16) {
		const bytes_16 x[4] = { *(const bytes_16 *)(a + i),
			*(const bytes_16 *)(b + i), *(const bytes_16 *)(c + i),
			*(const bytes_16 *)(d + i) };
		const pairs_8 ab[2] = { JOIN_BYTES(x[0], x[1], 0),
			JOIN_BYTES(x[0], x[1], 8) };
		const pairs_8 cd[2] = { JOIN_BYTES(x[2], x[3], 0),
			JOIN_BYTES(x[2], x[3], 8) };
		pairs_8 *quads = (pairs_8 *)(void *)(to + i);
		quads[0] = JOIN_PAIRS(ab[0], cd[0], 0);
		quads[1] = JOIN_PAIRS(ab[0], cd[0], 4);
		quads[2] = JOIN_PAIRS(ab[1], cd[1], 0);
		quads[3] = JOIN_PAIRS(ab[1], cd[1], 4);
	}
	for (; i < n; i++)
		to[i] = a[i] | (uint32_t)b[i] << 8 | (uint32_t)c[i] << 16 |
		        (uint32_t)d[i] << 24;
}

static void quantized_load(
    float *to, const uint8_t *q, int64_t n, float alpha, int32_t zero)
{
	for (int64_t i = 0; i < n; i++)
		to[i] = alpha * (float)(q[i] - zero);
}

static void quantized_finish(float *out, int64_t n, const struct cpu_finish *f)
{
	const float *residual = f->residual;
	for (int64_t j = 0; j < n; j++)
		out[j] =
		    f->scale * f->scales[j] * (float)(f->sum[j] - f->zero * f->sums[j]) +
		    (residual ? residual[j] : 0);
	if (f->bias)
		for (int64_t j = 0; j < n; j++)
			out[j] += f->bias[j];
}

static void quantized_finish_channel(
    float *out, int64_t n, const struct cpu_finish_channel *f)
{
	const float *residual = f->residual;
	for (int64_t p = 0; p < n; p++)
		out[p] =
		    f->scale * (float)f->sum[p] + (residual ? residual[p] : 0) + f->bias;
}

#if defined __x86_64__ && ISA_BITS == 256
/* How sums are rounded, in registers. */
struct finish_wide {
	__m256i zero;
	__m256 scale, bias, low, high;
};

/* Rounds 8 sums. */
static inline __m256i finish_eight(const int32_t *sum, struct finish_wide f)
{
	const __m256i all = _mm256_loadu_si256((const void *)sum);
	__m256 x = _mm256_cvtepi32_ps(_mm256_sub_epi32(all, f.zero));
	x = _mm256_fmadd_ps(x, f.scale, f.bias);
	return _mm256_cvtps_epi32(_mm256_min_ps(_mm256_max_ps(x, f.low), f.high));
}

/* Computes as many results as are multiples of 16, and returns their number. GCC 12 would
 * make bytes of 32 bits with more instructions. */
static inline int64_t finish_sixteens(
    uint8_t *out, int64_t n, const struct cpu_finish_bytes *f)
{
	const struct finish_wide by = { .zero = _mm256_set1_epi32(f->zero),
		.scale = _mm256_set1_ps(f->scale),
		.bias = _mm256_set1_ps(f->bias),
		.low = _mm256_set1_ps((float)f->low),
		.high = _mm256_set1_ps((float)f->high) };
	const __m256i base = _mm256_set1_epi16((int16_t)f->base);
	const int32_t *sum = f->sum;
	int64_t p = 0;
	for (; p + 16 <= n; p += 16) {
		const __m256i a = finish_eight(sum + p, by),
		              b = finish_eight(sum + p + 8, by);
		__m256i pairs = _mm256_packs_epi32(a, b);
		/* The halves of a and b alternate. */
		pairs = _mm256_permute4x64_epi64(pairs, _MM_SHUFFLE(3, 1, 2, 0));
		pairs = _mm256_sub_epi16(pairs, base);
		_mm_storeu_si128(
		    (void *)(out + p), _mm_packus_epi16(_mm256_castsi256_si128(pairs),
		                           _mm256_extracti128_si256(pairs, 1)));
	}
	return p;
}
#else
static inline int64_t finish_sixteens(
    uint8_t *out, int64_t n, const struct cpu_finish_bytes *f)
{
	(void)out;
	(void)n;
	(void)f;
	return 0;
}
#endif

static void quantized_finish_bytes(
    uint8_t *restrict out, int64_t n, const struct cpu_finish_bytes *f)
{
	/* The sum of this number and a small one ends in the rounded one. */
	const float whole = 12582912;
	const float low = (float)f->low, high = (float)f->high, scale = f->scale,
	            bias = f->bias;
	const int32_t *sum = f->sum, zero = f->zero, base = f->base;
	for (int64_t p = finish_sixteens(out, n, f); p < n; p++) {
		float x = scale * (float)(sum[p] - zero) + bias;
		x = x < low ? low : x;
		x = x > high ? high : x;
		x += whole;
		int32_t bits;
		memcpy(&bits, &x, sizeof(bits));
		out[p] = (uint8_t)(bits - base);
	}
}

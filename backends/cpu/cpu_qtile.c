/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes tiles of products of bytes by VNNI, and splits weights; see cpu_qtile.h. */
#include <stddef.h>
#include <string.h>

#include "backends/processor/avx_vnni.h"
#include "cpu_isa.h"
#include "cpu_qtile.h"

#ifdef __x86_64__
#include <immintrin.h>

#define UNROLL _Pragma("GCC unroll 8")

/*
 * Defines the sums of `rows` rows of `vectors` vectors of a tile, from a row and a vector
 * on, each in `parts` parts of a register; and finishes them. Each sum stays in a register:
 * with intrinsics, GCC 12 copies sums to other registers and to memory. `add` adds the
 * products of operands 1 and 2 to operand 0.
 */
#define VNNI_TILE(                                                                        \
    name, rows, vectors, isa, parts, vector, load, store, spread, add, finish)            \
	__attribute__((target(isa))) static void name(                                    \
	    const struct cpu_qtile *t, int row, int from)                                 \
	{                                                                                 \
		enum { PARTS = (vectors) * (parts), LANES = QTILE_VECTOR / (parts) };     \
		vector sum[rows][PARTS];                                                  \
		const uint32_t *x[vectors], *w = t->w + row;                              \
		UNROLL for (int v = 0; v < (vectors); v++) x[v] = t->x[from + v];         \
		UNROLL for (int r = 0; r < (rows); r++) UNROLL for (int v = 0; v < PARTS; \
		    v++) sum[r][v] = spread(t->first[row + r]);                           \
		for (int64_t d = 0; d < t->depth; d++, w += QTILE_ROWS) {                 \
			const int64_t at = t->at[d];                                      \
			vector quad[PARTS];                                               \
			UNROLL for (int v = 0; v < PARTS; v++) quad[v] = load(            \
			    (const void *)(x[v / (parts)] + at + v % (parts) * LANES));   \
			UNROLL for (int r = 0; r < (rows); r++)                           \
			{                                                                 \
				const vector weights = spread((int)w[r]);                 \
				UNROLL for (int v = 0; v < PARTS; v++) __asm__(           \
				    add : "+v"(sum[r][v]) : "v"(quad[v]), "v"(weights));  \
			}                                                                 \
		}                                                                         \
		if (finish(t, row, from, rows, PARTS, sum[0]))                            \
			return;                                                           \
		UNROLL for (int r = 0; r < (rows); r++) UNROLL for (int v = 0; v < PARTS; \
		    v++) store((void *)(t->sum + (row + r) * QTILE_PIXELS +               \
		                        from * QTILE_VECTOR + v * LANES),                 \
		    sum[r][v]);                                                           \
	}
#define VNNI_TILE_OF(name, rows, vectors, ...) VNNI_TILE(name, rows, vectors, __VA_ARGS__)

#define AVX512_VNNI "avx512f,avx512bw,avx512vl,avx512vnni"

#define INLINE_512 __attribute__((target(AVX512_VNNI), always_inline)) static inline

/* Returns the pixels of a vector whose results are needed. */
INLINE_512 __mmask16 pixels_512(const struct cpu_qfinish *by, int vector)
{
	const int64_t count = by->count - vector * QTILE_VECTOR;
	return (__mmask16)(count >= QTILE_VECTOR ? UINT16_MAX : (1 << count) - 1);
}

/* Rounds the numbers of a row's vector, and stores them. */
INLINE_512 void bytes_512(const struct cpu_qfinish *by, int row, int vector, __m512 x)
{
	const __m512 low = _mm512_set1_ps((float)by->low),
	             high = _mm512_set1_ps((float)by->high);
	const __mmask16 pixels = pixels_512(by, vector);
	uint8_t *out = by->bytes + row * by->row + vector * QTILE_VECTOR;
	x = _mm512_min_ps(_mm512_max_ps(x, low), high);
	const __m128i q = _mm_sub_epi8(
	    _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(x)), _mm_set1_epi8((char)by->base));
	if (pixels == UINT16_MAX)
		_mm_storeu_si128((void *)out, q);
	else
		_mm_mask_storeu_epi8(out, pixels, q);
}

/* Adds the residual to the numbers of a row's vector, and stores them. */
INLINE_512 void numbers_512(const struct cpu_qfinish *by, int row, int vector, __m512 x)
{
	const int64_t at = row * by->row + vector * QTILE_VECTOR;
	const __mmask16 pixels = pixels_512(by, vector);
	if (by->residual)
		x = _mm512_add_ps(x, _mm512_maskz_loadu_ps(pixels, by->residual + at));
	/* The maximum with a NaN is the second number. */
	if (by->relu)
		x = _mm512_max_ps(_mm512_setzero_ps(), x);
	if (pixels == UINT16_MAX)
		_mm512_storeu_ps(by->numbers + at, x);
	else
		_mm512_mask_storeu_ps(by->numbers + at, pixels, x);
}

/* Finishes the sums of `rows` rows of `vectors` vectors if the tile says how. Returns
 * whether it does. */
INLINE_512 bool finish_512(
    const struct cpu_qtile *t, int row, int from, int rows, int vectors, const __m512i *sum)
{
	const struct cpu_qfinish *by = t->finish;
	if (!by)
		return false;
	UNROLL for (int r = 0; r < rows; r++)
	{
		if (row + r >= t->rows)
			break;
		const __m512 scale = _mm512_set1_ps(by->scale[row + r]),
		             bias = _mm512_set1_ps(by->bias[row + r]);
		UNROLL for (int v = 0; v < vectors; v++)
		{
			const __m512 x = _mm512_fmadd_ps(
			    _mm512_cvtepi32_ps(sum[r * vectors + v]), scale, bias);
			if (by->bytes)
				bytes_512(by, row + r, from + v, x);
			else
				numbers_512(by, row + r, from + v, x);
		}
	}
	return true;
}

#define VNNI_512                                                          \
	AVX512_VNNI, 1, __m512i, _mm512_loadu_si512, _mm512_storeu_si512, \
	    _mm512_set1_epi32, "vpdpbusd %2, %1, %0", finish_512
#define VNNI_256                                                             \
	"avx2,avxvnni", 2, __m256i, _mm256_loadu_si256, _mm256_storeu_si256, \
	    _mm256_set1_epi32, "%{vex%} vpdpbusd %2, %1, %0", SUMS_ONLY
#define SUMS_ONLY(...) false

VNNI_TILE_OF(tile_512_4_1, 4, 1, VNNI_512)
VNNI_TILE_OF(tile_512_4_2, 4, 2, VNNI_512)
VNNI_TILE_OF(tile_512_4_3, 4, 3, VNNI_512)
VNNI_TILE_OF(tile_512_4_4, 4, 4, VNNI_512)
VNNI_TILE_OF(tile_512_8_1, 8, 1, VNNI_512)
VNNI_TILE_OF(tile_512_8_2, 8, 2, VNNI_512)
VNNI_TILE_OF(tile_512_8_3, 8, 3, VNNI_512)
VNNI_TILE_OF(tile_256_4_1, 4, 1, VNNI_256)

static void tiles_512(const struct cpu_qtile *t)
{
	static void (*const of[][QTILE_STRIP])(const struct cpu_qtile *, int,
	    int) = { { tile_512_4_1, tile_512_4_2, tile_512_4_3 },
		{ tile_512_8_1, tile_512_8_2, tile_512_8_3 } };
	if (t->vectors <= QTILE_STRIP) {
		of[t->rows > 4][t->vectors - 1](t, 0, 0);
		return;
	}
	for (int row = 0; row < t->rows; row += 4)
		tile_512_4_4(t, row, 0);
}

static void tiles_256(const struct cpu_qtile *t)
{
	for (int row = 0; row < t->rows; row += 4)
		for (int v = 0; v < t->vectors; v++)
			tile_256_4_1(t, row, v);
}

cpu_qtile_run *cpu_qtile_vnni(const struct cpu_isa *isa, bool *finishes)
{
	*finishes = isa->bits == 512 && __builtin_cpu_supports("avx512vnni");
	if (*finishes)
		return tiles_512;
	return isa->bits == 256 && avx_vnni_is_here() ? tiles_256 : NULL;
}
#else
cpu_qtile_run *cpu_qtile_vnni(const struct cpu_isa *isa, bool *finishes)
{
	(void)isa;
	*finishes = false;
	return NULL;
}
#endif

bool cpu_qtile_split(uint32_t *word, uint32_t *rest)
{
	int8_t w[4], more[4] = { 0 };
	memcpy(w, word, sizeof(w));
	for (int i = 0; i < 4; i += 2) {
		const int sum = w[i] + w[i + 1];
		const int most = sum > QTILE_PAIR_MOST    ? QTILE_PAIR_MOST
		                 : sum < -QTILE_PAIR_MOST ? -QTILE_PAIR_MOST
		                                          : sum;
		more[i] = (int8_t)(sum - most);
		w[i] = (int8_t)(w[i] - more[i]);
	}
	memcpy(word, w, sizeof(w));
	memcpy(rest, more, sizeof(more));
	return *rest != 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes tiles of products of bytes by VNNI, and splits weights; see cpu_qtile.h. */
#include <stddef.h>
#include <string.h>

#include "backends/processor/avx_vnni.h"
#include "cpu_isa.h"
#include "cpu_qtile.h"

#ifdef __x86_64__
#include <immintrin.h>

/*
 * Defines a tile of `vectors` vectors of `lanes` pixels, from pixel `from` on. Each sum
 * stays in a register: with intrinsics, GCC 12 copies sums to other registers and to
 * memory. `add` adds the products of operands 1 and 2 to operand 0.
 */
#define VNNI_TILE(name, vectors, isa, lanes, vector, load, store, spread, add)             \
	__attribute__((target(isa))) static void name(const struct cpu_qtile *t, int from) \
	{                                                                                  \
		vector sum[QTILE_ROWS][vectors] = { 0 };                                   \
		const uint32_t *x = t->x + from, *w = t->w;                                \
		for (int64_t d = 0; d < t->depth; d++, x += t->ldx, w += QTILE_ROWS) {     \
			vector quad[vectors];                                              \
			UNROLL for (int v = 0; v < (vectors); v++) quad[v] =               \
			    load((const void *)(x + v * (lanes)));                         \
			UNROLL for (int r = 0; r < QTILE_ROWS; r++)                        \
			{                                                                  \
				const vector weights = spread((int)w[r]);                  \
				UNROLL for (int v = 0; v < (vectors); v++) __asm__(        \
				    add : "+v"(sum[r][v]) : "v"(quad[v]), "v"(weights));   \
			}                                                                  \
		}                                                                          \
		UNROLL for (int r = 0; r < QTILE_ROWS; r++)                                \
		    UNROLL for (int v = 0; v < (vectors); v++)                             \
		        store((void *)(t->sum + r * QTILE_PIXELS + from + v * (lanes)),    \
		            sum[r][v]);                                                    \
	}

#define UNROLL _Pragma("GCC unroll 8")
#define VNNI_512                                                        \
	"avx512f,avx512bw,avx512vnni", 16, __m512i, _mm512_loadu_si512, \
	    _mm512_storeu_si512, _mm512_set1_epi32, "vpdpbusd %2, %1, %0"
#define VNNI_256                                                             \
	"avx2,avxvnni", 8, __m256i, _mm256_loadu_si256, _mm256_storeu_si256, \
	    _mm256_set1_epi32, "%{vex%} vpdpbusd %2, %1, %0"
#define VNNI_TILE_OF(name, vectors, ...) VNNI_TILE(name, vectors, __VA_ARGS__)

VNNI_TILE_OF(tile_512_1, 1, VNNI_512)
VNNI_TILE_OF(tile_512_2, 2, VNNI_512)
VNNI_TILE_OF(tile_512_3, 3, VNNI_512)
VNNI_TILE_OF(tile_512_4, 4, VNNI_512)
VNNI_TILE_OF(tile_256_2, 2, VNNI_256)

static void tiles_512(const struct cpu_qtile *t)
{
	static void (*const of[])(const struct cpu_qtile *t, int from) = { tile_512_1,
		tile_512_2, tile_512_3, tile_512_4 };
	of[t->vectors - 1](t, 0);
}

static void tiles_256(const struct cpu_qtile *t)
{
	for (int64_t v = 0; v < t->vectors; v++)
		tile_256_2(t, (int)v * QTILE_VECTOR);
}

cpu_qtile_run *cpu_qtile_vnni(const struct cpu_isa *isa)
{
	if (isa->bits == 512 && __builtin_cpu_supports("avx512vnni"))
		return tiles_512;
	return isa->bits == 256 && avx_vnni_is_here() ? tiles_256 : NULL;
}
#else
cpu_qtile_run *cpu_qtile_vnni(const struct cpu_isa *isa)
{
	(void)isa;
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes tiles of products of bytes without VNNI (cpu_qtile.h), by products of 16 bits
 * that are added in pairs. A part of cpu_kernels.h.
 */

typedef int32_t lanes_i32
    __attribute__((vector_size(ISA_BITS / 8), aligned(sizeof(int32_t)), may_alias));
typedef int16_t lanes_i16
    __attribute__((vector_size(ISA_BITS / 8), aligned(sizeof(int32_t)), may_alias));

typedef uint16_t lanes_u16
    __attribute__((vector_size(ISA_BITS / 8), aligned(sizeof(int32_t)), may_alias));

/* The pixels of a vector, and the vectors whose sums stay in registers. */
enum { LANES_PIXELS = ISA_BITS / 32, LANES_VECTORS = 2 };

/* Adds the products of each pair of 16 bits to a sum of 32 bits. */
static inline lanes_i32 lanes_add_pairs(lanes_i32 sum, lanes_i32 a, lanes_i32 b)
{
#if defined __x86_64__ && ISA_BITS == 512
	return sum + (lanes_i32)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined __x86_64__ && ISA_BITS == 256
	return sum + (lanes_i32)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined __x86_64__
	return sum + (lanes_i32)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
	return sum + (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

/*
 * Adds the products to a sum that stays in its register. With intrinsics, GCC 12 keeps
 * products of AVX2 for later, and sums in memory meanwhile.
 */
static inline __attribute__((always_inline)) void lanes_sum_pairs(
    lanes_i32 *sum, lanes_i32 a, lanes_i32 b)
{
#if defined __x86_64__ && ISA_BITS == 256
	lanes_i32 products;
	__asm__("vpmaddwd %3, %2, %1\n\tvpaddd %1, %0, %0"
	    : "+x"(*sum), "=&x"(products)
	    : "x"(a), "x"(b));
#else
	*sum = lanes_add_pairs(*sum, a, b);
#endif
}

/* Computes `rows` rows of a tile, a constant, at the pixels of some vectors. */
static inline __attribute__((always_inline)) void lanes_tile(
    const struct cpu_qtile *t, int64_t pixel, int rows)
{
	const lanes_i32 low = (lanes_i32){ 0 } + 0x00ff00ff;
	lanes_i32 sum[QTILE_ROWS][LANES_VECTORS] = { 0 };
	const uint32_t *w = t->w;
	for (int64_t d = 0; d < t->depth; d++) {
		const lanes_i32 *quad = (const void *)(t->x + d * t->ldx + pixel);
		_Pragma("GCC unroll 2") for (int odd = 0; odd < 2; odd++, w += QTILE_ROWS)
		{
			lanes_i32 x[LANES_VECTORS];
			_Pragma("GCC unroll 2") for (int v = 0; v < LANES_VECTORS; v++)
			{
				x[v] = quad[v];
				if (odd)
					x[v] = (lanes_i32)((lanes_u16)x[v] >> 8);
				else
					x[v] &= low;
			}
			_Pragma("GCC unroll 6") for (int r = 0; r < rows; r++)
			{
				const lanes_i32 pair = (lanes_i32){ 0 } + (int32_t)w[r];
				_Pragma("GCC unroll 2") for (int v = 0; v < LANES_VECTORS;
				    v++) lanes_sum_pairs(&sum[r][v], x[v], pair);
			}
		}
	}
	_Pragma("GCC unroll 6") for (int r = 0; r < rows; r++)
	        _Pragma("GCC unroll 2") for (int v = 0; v < LANES_VECTORS; v++) *
	    (lanes_i32 *)(void *)(t->sum + r * QTILE_PIXELS + pixel + v * LANES_PIXELS) =
	    sum[r][v];
}

/* Defines a tile of a constant number of rows. */
#define LANES_TILE(rows)                                                           \
	static void lanes_tile_##rows(const struct cpu_qtile *t)                   \
	{                                                                          \
		const int64_t pixels = t->vectors * QTILE_VECTOR;                  \
		for (int64_t p = 0; p < pixels; p += LANES_VECTORS * LANES_PIXELS) \
			lanes_tile(t, p, rows);                                    \
	}
LANES_TILE(1)
LANES_TILE(2)
LANES_TILE(3)
LANES_TILE(4)
LANES_TILE(5)
LANES_TILE(6)
#undef LANES_TILE

static void qtile_run(const struct cpu_qtile *t)
{
	static cpu_qtile_run *const of[QTILE_ROWS] = { lanes_tile_1, lanes_tile_2,
		lanes_tile_3, lanes_tile_4, lanes_tile_5, lanes_tile_6 };
	of[t->rows - 1](t);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes tiles of products of bytes without VNNI (cpu_qtile.h), by products of 16 bits
 * that are added in pairs. A part of cpu_kernels.h.
 */

typedef int32_t lanes_i32
    __attribute__((vector_size(ISA_BITS / 8), aligned(sizeof(int32_t)), may_alias));
typedef int16_t lanes_i16
    __attribute__((vector_size(ISA_BITS / 8), aligned(sizeof(int32_t)), may_alias));

/* The pixels of a vector, and the vectors and rows whose sums stay in registers. */
enum { LANES_PIXELS = ISA_BITS / 32, LANES_VECTORS = 2, LANES_ROWS = 3 };

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

/* Computes some rows of a tile at the pixels of some vectors. */
static void lanes_tile(const struct cpu_qtile *t, int row, int64_t pixel)
{
	const lanes_i32 low = (lanes_i32){ 0 } + 0x00ff00ff;
	lanes_i32 sum[LANES_ROWS][LANES_VECTORS] = { 0 };
	for (int64_t d = 0; d < t->depth; d++) {
		const lanes_i32 *x = (const void *)(t->x + d * t->ldx + pixel);
		lanes_i32 even[LANES_VECTORS], odd[LANES_VECTORS];
		for (int v = 0; v < LANES_VECTORS; v++) {
			even[v] = x[v] & low;
			odd[v] = x[v] >> 8 & low;
		}
		for (int r = 0; r < LANES_ROWS; r++) {
			const int32_t quad = (int32_t)t->w[d * QTILE_ROWS + row + r];
			const lanes_i16 w = (lanes_i16)((lanes_i32){ 0 } + quad);
			const lanes_i32 w_even = (lanes_i32)(w << 8 >> 8),
			                w_odd = (lanes_i32)(w >> 8);
			for (int v = 0; v < LANES_VECTORS; v++) {
				sum[r][v] = lanes_add_pairs(sum[r][v], even[v], w_even);
				sum[r][v] = lanes_add_pairs(sum[r][v], odd[v], w_odd);
			}
		}
	}
	for (int r = 0; r < LANES_ROWS; r++)
		memcpy(t->sum + (row + r) * QTILE_PIXELS + pixel, sum[r], sizeof(sum[r]));
}

static void qtile_run(const struct cpu_qtile *t)
{
	const int64_t pixels = t->vectors * QTILE_VECTOR;
	for (int64_t p = 0; p < pixels; p += LANES_VECTORS * LANES_PIXELS)
		for (int r = 0; r < QTILE_ROWS; r += LANES_ROWS)
			lanes_tile(t, r, p);
}

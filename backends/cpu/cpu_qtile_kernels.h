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

static inline __attribute__((always_inline)) void lanes_store(const struct cpu_qtile *t,
    int64_t pixel, lanes_i32 sum[QTILE_ROWS][LANES_VECTORS], int rows)
{
	_Pragma("GCC unroll 6") for (int r = 0; r < rows; r++)
	        _Pragma("GCC unroll 2") for (int v = 0; v < LANES_VECTORS; v++) *
	    (lanes_i32 *)(void *)(t->sum + r * QTILE_PIXELS + pixel + v * LANES_PIXELS) =
	    sum[r][v];
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
	lanes_store(t, pixel, sum, rows);
}

/* Defines a tile of a constant number of rows, and the function for any number. */
#define LANES_ROWS(tile, rows)                                                     \
	static void tile##_##rows(const struct cpu_qtile *t)                       \
	{                                                                          \
		const int64_t pixels = t->vectors * QTILE_VECTOR;                  \
		for (int64_t p = 0; p < pixels; p += LANES_VECTORS * LANES_PIXELS) \
			tile(t, p, rows);                                          \
	}
#define LANES_RUN(name, tile)                                                      \
	LANES_ROWS(tile, 1)                                                        \
	LANES_ROWS(tile, 2)                                                        \
	LANES_ROWS(tile, 3)                                                        \
	LANES_ROWS(tile, 4)                                                        \
	LANES_ROWS(tile, 5)                                                        \
	LANES_ROWS(tile, 6)                                                        \
	static void name(const struct cpu_qtile *t)                                \
	{                                                                          \
		static cpu_qtile_run *const of[QTILE_ROWS] = { tile##_1, tile##_2, \
			tile##_3, tile##_4, tile##_5, tile##_6 };                  \
		of[t->rows - 1](t);                                                \
	}
LANES_RUN(qtile_run, lanes_tile)

#if defined __x86_64__ && ISA_BITS == 256
/* Adds the products of quads, whose sums of two fit in 16 bits, in the way of
 * lanes_sum_pairs(). */
static inline __attribute__((always_inline)) void lanes_sum_quads(
    lanes_i32 *sum, lanes_i32 x, lanes_i32 w, lanes_i16 ones)
{
	lanes_i32 products;
	__asm__("vpmaddubsw %3, %2, %1\n\tvpmaddwd %4, %1, %1\n\tvpaddd %1, %0, %0"
	    : "+x"(*sum), "=&x"(products)
	    : "x"(x), "x"(w), "x"(ones));
}

/* Computes `rows` rows of a tile of bytes, as lanes_tile() does. */
static inline __attribute__((always_inline)) void lanes_byte_tile(
    const struct cpu_qtile *t, int64_t pixel, int rows)
{
	const lanes_i16 ones = (lanes_i16){ 0 } + 1;
	lanes_i32 sum[QTILE_ROWS][LANES_VECTORS] = { 0 };
	const uint32_t *w = t->w;
	for (int64_t d = 0; d < t->depth; d++, w += QTILE_ROWS) {
		const lanes_i32 *quad = (const void *)(t->x + d * t->ldx + pixel);
		lanes_i32 x[LANES_VECTORS];
		_Pragma("GCC unroll 2") for (int v = 0; v < LANES_VECTORS; v++) x[v] =
		    quad[v];
		_Pragma("GCC unroll 6") for (int r = 0; r < rows; r++)
		{
			const lanes_i32 quads = (lanes_i32){ 0 } + (int32_t)w[r];
			_Pragma("GCC unroll 2") for (int v = 0; v < LANES_VECTORS; v++)
			    lanes_sum_quads(&sum[r][v], x[v], quads, ones);
		}
	}
	lanes_store(t, pixel, sum, rows);
}
LANES_RUN(lanes_byte_rows, lanes_byte_tile)

/* Adds what remains of the weights to the sums of `vectors` vectors, a constant. The sums
 * of a row stay in registers. */
static inline __attribute__((always_inline)) void lanes_add_rests(
    const struct cpu_qtile *t, int64_t vectors)
{
	const lanes_i16 ones = (lanes_i16){ 0 } + 1;
	for (int64_t i = 0; i < t->rests;) {
		const int32_t row = t->rest[i].row;
		lanes_i32 *to = (void *)(t->sum + row * QTILE_PIXELS);
		lanes_i32 sum[QTILE_PIXELS / LANES_PIXELS];
		_Pragma("GCC unroll 8") for (int64_t v = 0; v < vectors; v++) sum[v] =
		    to[v];
		for (; i < t->rests && t->rest[i].row == row; i++) {
			const struct cpu_qrest *rest = &t->rest[i];
			const lanes_i32 *x = (const void *)(t->x + rest->quad * t->ldx);
			const lanes_i32 w = (lanes_i32){ 0 } + (int32_t)rest->weights;
			_Pragma("GCC unroll 8") for (int64_t v = 0; v < vectors; v++)
			    lanes_sum_quads(&sum[v], x[v], w, ones);
		}
		_Pragma("GCC unroll 8") for (int64_t v = 0; v < vectors; v++) to[v] =
		    sum[v];
	}
}

static void qtile_byte_run(const struct cpu_qtile *t)
{
	lanes_byte_rows(t);
	_Static_assert(QTILE_PIXELS / QTILE_VECTOR == 4, "each number needs a case");
	enum { EACH = QTILE_VECTOR / LANES_PIXELS };
	switch (t->vectors) {
	case 1:
		lanes_add_rests(t, EACH);
		break;
	case 2:
		lanes_add_rests(t, 2 * EACH);
		break;
	case 3:
		lanes_add_rests(t, 3 * EACH);
		break;
	default:
		lanes_add_rests(t, 4 * EACH);
	}
}
#else
static cpu_qtile_run *const qtile_byte_run = NULL;
#endif
#undef LANES_ROWS
#undef LANES_RUN

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

/* The pixels of a vector, and the most rows, and the vectors, whose sums stay in registers:
 * with 16 registers, 8 sums leave space for the others. The pixels are those of a
 * QTILE_VECTOR, or a part of them. */
enum {
	LANES_PIXELS = ISA_BITS / 32,
	LANES_ROWS = ISA_BITS == 512 ? 8 : 4,
	LANES_VECTORS = ISA_BITS == 512 ? 1 : 2,
	LANES_STEP = LANES_VECTORS * LANES_PIXELS
};

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

/* A part of a tile: some rows of LANES_STEP pixels. */
struct lanes_part {
	const struct cpu_qtile *t;
	const uint32_t *x, *w;
	const int32_t *first;
	int32_t *sum;
};

static inline __attribute__((always_inline)) void lanes_begin(
    const struct lanes_part *p, lanes_i32 sum[LANES_ROWS][LANES_VECTORS], int rows)
{
	_Pragma("GCC unroll 8") for (int r = 0; r < rows; r++)
	    _Pragma("GCC unroll 2") for (int v = 0; v < LANES_VECTORS; v++) sum[r][v] =
	        (lanes_i32){ 0 } + p->first[r];
}

static inline __attribute__((always_inline)) void lanes_store(
    const struct lanes_part *p, lanes_i32 sum[LANES_ROWS][LANES_VECTORS], int rows)
{
	_Pragma("GCC unroll 8") for (int r = 0; r < rows; r++)
	        _Pragma("GCC unroll 2") for (int v = 0; v < LANES_VECTORS; v++) *
	    (lanes_i32 *)(void *)(p->sum + r * QTILE_PIXELS + v * LANES_PIXELS) = sum[r][v];
}

/* Computes `rows` rows of a part, a constant. */
static inline __attribute__((always_inline)) void lanes_tile(
    const struct lanes_part *p, int rows)
{
	const lanes_i32 low = (lanes_i32){ 0 } + 0x00ff00ff;
	lanes_i32 sum[LANES_ROWS][LANES_VECTORS];
	const uint32_t *w = p->w;
	lanes_begin(p, sum, rows);
	for (int64_t d = 0; d < p->t->depth; d++) {
		const lanes_i32 *quad = (const void *)(p->x + p->t->at[d]);
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
			_Pragma("GCC unroll 8") for (int r = 0; r < rows; r++)
			{
				const lanes_i32 pair = (lanes_i32){ 0 } + (int32_t)w[r];
				_Pragma("GCC unroll 2") for (int v = 0; v < LANES_VECTORS;
				    v++) lanes_sum_pairs(&sum[r][v], x[v], pair);
			}
		}
	}
	lanes_store(p, sum, rows);
}

/* Defines the function for a tile of any number of rows, from a function for a constant
 * number. */
#define LANES_RUN(name, tile)                                                              \
	static void name##_##8(const struct lanes_part *p)                                 \
	{                                                                                  \
		tile(p, LANES_ROWS);                                                       \
	}                                                                                  \
	static void name##_##4(const struct lanes_part *p)                                 \
	{                                                                                  \
		tile(p, 4);                                                                \
	}                                                                                  \
	static void name##_##2(const struct lanes_part *p)                                 \
	{                                                                                  \
		tile(p, 2);                                                                \
	}                                                                                  \
	static void name##_##1(const struct lanes_part *p)                                 \
	{                                                                                  \
		tile(p, 1);                                                                \
	}                                                                                  \
	static void name##_part(const struct cpu_qtile *t, int64_t vector, int64_t from)   \
	{                                                                                  \
		for (int64_t r = 0, n = 0; r < t->rows; r += n) {                          \
			const int64_t left = t->rows - r;                                  \
			const struct lanes_part part = { .t = t,                           \
				.x = t->x[vector] + from,                                  \
				.w = t->w + r,                                             \
				.first = t->first + r,                                     \
				.sum = t->sum + r * QTILE_PIXELS + vector * QTILE_VECTOR + \
				       from };                                             \
			n = left >= LANES_ROWS ? LANES_ROWS                                \
			    : left >= 4        ? 4                                         \
			    : left >= 2        ? 2                                         \
			                       : 1;                                        \
			(n == 8      ? name##_##8                                          \
			    : n == 4 ? name##_##4                                          \
			    : n == 2 ? name##_##2                                          \
			             : name##_##1)(&part);                                 \
		}                                                                          \
	}                                                                                  \
	static void name(const struct cpu_qtile *t)                                        \
	{                                                                                  \
		for (int64_t v = 0; v < t->vectors; v++)                                   \
			for (int64_t p = 0; p < QTILE_VECTOR; p += LANES_STEP)             \
				name##_part(t, v, p);                                      \
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

/* Computes `rows` rows of a part of bytes, as lanes_tile() does. */
static inline __attribute__((always_inline)) void lanes_byte_tile(
    const struct lanes_part *p, int rows)
{
	const lanes_i16 ones = (lanes_i16){ 0 } + 1;
	lanes_i32 sum[LANES_ROWS][LANES_VECTORS];
	const uint32_t *w = p->w;
	lanes_begin(p, sum, rows);
	for (int64_t d = 0; d < p->t->depth; d++, w += QTILE_ROWS) {
		const lanes_i32 *quad = (const void *)(p->x + p->t->at[d]);
		lanes_i32 x[LANES_VECTORS];
		_Pragma("GCC unroll 2") for (int v = 0; v < LANES_VECTORS; v++) x[v] =
		    quad[v];
		_Pragma("GCC unroll 8") for (int r = 0; r < rows; r++)
		{
			const lanes_i32 quads = (lanes_i32){ 0 } + (int32_t)w[r];
			_Pragma("GCC unroll 2") for (int v = 0; v < LANES_VECTORS; v++)
			    lanes_sum_quads(&sum[r][v], x[v], quads, ones);
		}
	}
	lanes_store(p, sum, rows);
}
LANES_RUN(lanes_byte_rows, lanes_byte_tile)

/* Adds what remains of the weights to the sums of `vectors` vectors, a constant. The sums
 * of a row stay in registers. */
static inline __attribute__((always_inline)) void lanes_add_rests(
    const struct cpu_qtile *t, int64_t vectors)
{
	enum { EACH = QTILE_VECTOR / LANES_PIXELS };
	const lanes_i16 ones = (lanes_i16){ 0 } + 1;
	for (int64_t i = 0; i < t->rests;) {
		const int32_t row = t->rest[i].row;
		lanes_i32 *to = (void *)(t->sum + row * QTILE_PIXELS);
		lanes_i32 sum[QTILE_PIXELS / LANES_PIXELS];
		_Pragma("GCC unroll 8") for (int64_t v = 0; v < vectors * EACH; v++)
		    sum[v] = to[v];
		for (; i < t->rests && t->rest[i].row == row; i++) {
			const struct cpu_qrest *rest = &t->rest[i];
			const int64_t at = t->at[rest->quad];
			const lanes_i32 w = (lanes_i32){ 0 } + (int32_t)rest->weights;
			_Pragma("GCC unroll 8") for (int64_t v = 0; v < vectors * EACH; v++)
			{
				const lanes_i32 *x = (const void *)(t->x[v / EACH] + at);
				lanes_sum_quads(&sum[v], x[v % EACH], w, ones);
			}
		}
		_Pragma("GCC unroll 8") for (int64_t v = 0; v < vectors * EACH; v++) to[v] =
		    sum[v];
	}
}

static void qtile_byte_run(const struct cpu_qtile *t)
{
	lanes_byte_rows(t);
	_Static_assert(QTILE_VECTORS == 4, "each number needs a case");
	switch (t->vectors) {
	case 1:
		lanes_add_rests(t, 1);
		break;
	case 2:
		lanes_add_rests(t, 2);
		break;
	case 3:
		lanes_add_rests(t, 3);
		break;
	default:
		lanes_add_rests(t, 4);
	}
}
#else
static cpu_qtile_run *const qtile_byte_run = NULL;
#endif
#undef LANES_RUN

static void qtile_gather(uint32_t *restrict to, const uint32_t *restrict from,
    const struct cpu_qcopy *copy, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		memcpy(
		    to + copy[i].to, from + copy[i].from, sizeof(uint32_t[QTILE_VECTOR]));
}

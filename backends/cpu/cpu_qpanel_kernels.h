/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multiplies rows of bytes by packed weights without VNNI (cpu_isa.h), by products of 16
 * bits that are added in pairs. A panel has the weights of some columns of the result, in
 * bytes, of which a load makes 16 bits. A part of cpu_kernels.h.
 */

typedef int8_t lanes_i8
    __attribute__((vector_size(ISA_BITS / 16), aligned(sizeof(int8_t)), may_alias));

/* The rows and vectors of a tile, whose sums stay in registers, the columns of a panel, and
 * the pairs of weights whose part of a panel stays in the first cache. */
enum {
	QPANEL_ROWS = 6,
	QPANEL_VECTORS = 2,
	QPANEL_WIDE = QPANEL_VECTORS * LANES_PIXELS,
	QPANEL_DEPTH = 512
};

/* Returns bytes in 16 bits. GCC 12 would convert each half of a vector. */
static inline lanes_i32 lanes_widen(const int8_t *from)
{
#if defined __x86_64__ && ISA_BITS == 512
	return (lanes_i32)_mm512_cvtepi8_epi16(_mm256_loadu_si256((const void *)from));
#elif defined __x86_64__ && ISA_BITS == 256
	return (lanes_i32)_mm256_cvtepi8_epi16(_mm_loadu_si128((const void *)from));
#else
	return (lanes_i32)__builtin_convertvector(*(const lanes_i8 *)from, lanes_i16);
#endif
}

static void qpanel_pack(int8_t *to, const int8_t *from, int64_t n, int64_t k)
{
	const int64_t pairs = (k + 1) / 2;
	memset(
	    to, 0, (size_t)((n + QPANEL_WIDE - 1) / QPANEL_WIDE * QPANEL_WIDE * pairs * 2));
	for (int64_t j = 0; j < n; j++) {
		int8_t *column =
		    to + (j / QPANEL_WIDE * pairs * QPANEL_WIDE + j % QPANEL_WIDE) * 2;
		for (int64_t l = 0; l < k; l++)
			column[l / 2 * QPANEL_WIDE * 2 + l % 2] = from[j * k + l];
	}
}

/* Stores the sums of a tile, or adds them. */
static inline __attribute__((always_inline)) void qpanel_store(int32_t *to, int64_t ldc,
    lanes_i32 sum[QPANEL_ROWS][QPANEL_VECTORS], int rows, int64_t columns, bool add)
{
	if (columns == QPANEL_WIDE) {
		_Pragma("GCC unroll 6") for (int r = 0; r < rows; r++)
		{
			lanes_i32 *c = (lanes_i32 *)(void *)(to + r * ldc);
			_Pragma("GCC unroll 2") for (int v = 0; v < QPANEL_VECTORS; v++)
			{
				if (add)
					sum[r][v] += c[v];
				c[v] = sum[r][v];
			}
		}
		return;
	}
	for (int r = 0; r < rows; r++)
		for (int64_t j = 0; j < columns; j++)
			to[r * ldc + j] = (add ? to[r * ldc + j] : 0) +
			                  sum[r][j / LANES_PIXELS][j % LANES_PIXELS];
}

/* Multiplies a few rows by a part of a panel; `rows` is a constant. */
static inline __attribute__((always_inline)) void qpanel_tile(const struct cpu_qproduct *p,
    int64_t row, int64_t column, int64_t from, int64_t depth, int rows)
{
	lanes_i32 sum[QPANEL_ROWS][QPANEL_VECTORS] = { 0 };
	const uint16_t *a = p->a + row * p->pairs * 2 + from * 2;
	const int8_t *b = p->b + (column * p->pairs + from * QPANEL_WIDE) * 2;
	for (int64_t d = 0; d < depth; d++, a += 2) {
		lanes_i32 w[QPANEL_VECTORS];
		_Pragma("GCC unroll 2") for (int v = 0; v < QPANEL_VECTORS; v++)
		{
			w[v] = lanes_widen(b);
			b += sizeof(lanes_i8);
		}
		_Pragma("GCC unroll 6") for (int r = 0; r < rows; r++)
		{
			int32_t pair;
			memcpy(&pair, a + r * p->pairs * 2, sizeof(pair));
			const lanes_i32 x = (lanes_i32){ 0 } + pair;
			_Pragma("GCC unroll 2") for (int v = 0; v < QPANEL_VECTORS; v++)
			    sum[r][v] = lanes_add_pairs(sum[r][v], x, w[v]);
		}
	}
	qpanel_store(p->c + row * p->ldc + column, p->ldc, sum, rows,
	    cpu_min(QPANEL_WIDE, p->n - column), from > 0);
}

/* The case that this many rows remain. */
#define QPANEL_REST(rows)                                       \
	case rows:                                              \
		qpanel_tile(p, row, column, from, depth, rows); \
		break

static void qpanel_run(const struct cpu_qproduct *p)
{
	for (int64_t from = 0; from < p->pairs; from += QPANEL_DEPTH) {
		const int64_t depth = cpu_min(QPANEL_DEPTH, p->pairs - from);
		for (int64_t column = 0; column < p->n; column += QPANEL_WIDE) {
			int64_t row = 0;
			for (; row + QPANEL_ROWS <= p->m; row += QPANEL_ROWS)
				qpanel_tile(p, row, column, from, depth, QPANEL_ROWS);
			switch (p->m - row) {
				QPANEL_REST(5);
				QPANEL_REST(4);
				QPANEL_REST(3);
				QPANEL_REST(2);
				QPANEL_REST(1);
			}
		}
	}
}
#undef QPANEL_REST

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tiles of products of bytes, which convolutions consist of: a few channels of the result
 * at some pixels. A quad is the bytes of four channels at a pixel, which VNNI multiplies by
 * four weights and adds up.
 */
#ifndef CPU_CPU_QTILE_H
#define CPU_CPU_QTILE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The channels of a tile, and its most pixels, which are vectors of pixels that follow each
 * other. Tiles of larger planes have QTILE_STRIP vectors: with 8 channels, these are 24
 * sums in registers of 512 bits, for which a depth needs 11 loads, so a processor with one
 * load for each product of VNNI is not slowed down by them; and the channels of most
 * convolutions are multiples of 8. A plane of QTILE_VECTORS is one tile, as those of 7 by 7
 * pixels, whose many weights are then read once.
 */
enum {
	QTILE_ROWS = 8,
	QTILE_VECTORS = 4,
	QTILE_STRIP = 3,
	QTILE_VECTOR = 16,
	QTILE_PIXELS = QTILE_VECTORS * QTILE_VECTOR
};

/* The rest of the weights of a quad and a row, if the sum of two of its products might not
 * fit in 16 bits: the part of each weight that is multiplied on its own. Those of a row
 * follow each other. */
struct cpu_qrest {
	int32_t quad, row;
	uint32_t weights;
};

/* The largest sum of two weights whose products with bytes fit in 16 bits. */
enum { QTILE_PAIR_MOST = 128 };

/* How the sums of a tile are finished: x = scale[r] sum[r][p] + bias[r] is rounded, and
 * bytes[r row + p] = clamp(round(x), low, high) - base; or numbers[r row + p] = x +
 * residual[r row + p], with relu at least 0. */
struct cpu_qfinish {
	const float *scale, *bias; /* [QTILE_ROWS] */
	int64_t row, count;        /* count: of pixels */
	uint8_t *bytes;            /* NULL: numbers */
	int32_t low, high, base;
	float *numbers;
	const float *residual; /* or NULL */
	bool relu;
};

/* A tile: sum[r][p] = first[r] + the sum over d of the four products of the quad of pixel
 * p, whose bytes have no sign, and of w[d][r], whose bytes have one. */
struct cpu_qtile {
	int64_t rows;    /* those that are needed; others may be computed */
	int64_t depth;   /* quads */
	int64_t vectors; /* of QTILE_VECTOR pixels */
	/* The quad of pixel p and depth d is x[p / QTILE_VECTOR][at[d] + p %
	 * QTILE_VECTOR]. */
	const uint32_t *x[QTILE_VECTORS];
	const int64_t *at;
	/* [depth][QTILE_ROWS] bytes of four channels; or [depth][2][QTILE_ROWS] 16 bits of
	 * two, first those of the even channels. */
	const uint32_t *w;
	const int32_t *first; /* [QTILE_ROWS] */
	const struct cpu_qfinish
	    *finish;                  /* only if the function can; NULL: it stores sums */
	int32_t *sum;                 /* [QTILE_ROWS][QTILE_PIXELS] */
	const struct cpu_qrest *rest; /* for the function of bytes without VNNI */
	int64_t rests;
};

/* Computes a tile on the calling thread. */
typedef void cpu_qtile_run(const struct cpu_qtile *t);

/* Quads that are copied together: QTILE_VECTOR of them. */
struct cpu_qcopy {
	int64_t to, from;
};

/* Moves the part of each pair of weights that QTILE_PAIR_MOST does not allow from a word to
 * another. Returns whether there is one. */
bool cpu_qtile_split(uint32_t *word, uint32_t *rest);

struct cpu_isa;
/* Returns the function that uses VNNI, under the conditions of cpu_vnni_of; else NULL. Sets
 * *finishes to whether it can finish the sums. */
cpu_qtile_run *cpu_qtile_vnni(const struct cpu_isa *isa, bool *finishes);

#endif

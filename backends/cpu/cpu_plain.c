/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels for any processor of the architecture. The chain of fused operations is fused
 * here as well, with libm if there is no instruction.
 */
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#define ISA cpu_plain
#define ISA_NAME "baseline"
#define ISA_BITS 128
#define ISA_TILE_ROWS 4
#define ISA_TILE_VECTORS 2
#define ISA_PANEL_BYTES 24576
#define ISA_AHEAD 0
#define ISA_ROWS_MOST 104
#define STORES_PAST false
#define STORE_PAST(to, what) (*(T_(vector) *)(to) = (what))
#define STORE_FENCE() ((void)0)
#ifdef __FP_FAST_FMA
#define FUSED(x, a, b) ((x) * (a) + (b))
#else
#define FUSED(x, a, b) FUSED_EACH(x, a, b)
#define FUSED_EACH(x, a, b)                                                            \
	__extension__({                                                                \
		__typeof__(x) fused;                                                   \
		for (size_t lane = 0; lane < sizeof(x) / sizeof((x)[0]); lane++)       \
			fused[lane] = sizeof((x)[0]) == sizeof(float)                  \
			                  ? (__typeof__((x)[0]))fmaf((float)(x)[lane], \
			                        (float)(a)[lane], (float)(b)[lane])    \
			                  : (__typeof__((x)[0]))fma((double)(x)[lane], \
			                        (double)(a)[lane], (double)(b)[lane]); \
		fused;                                                                 \
	})
#endif
#include "cpu_kernels.h"

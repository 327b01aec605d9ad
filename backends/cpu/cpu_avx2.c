/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels for vectors of 256 bits with fused multiplication and addition;
 * make/backends.mk has the flags of the compiler. */
#ifdef __x86_64__
#include <immintrin.h>

#define ISA cpu_avx2
#define ISA_NAME "avx2"
#define ISA_BITS 256
#define ISA_TILE_ROWS 6
#define ISA_TILE_VECTORS 2
#define ISA_PANEL_BYTES 24576
#define ISA_AHEAD 0
#define ISA_ROWS_MOST 104
#define STORES_PAST true
#define STORE_PAST(to, vector) _mm256_stream_si256((__m256i *)(to), (__m256i)(vector))
#define STORE_FENCE() _mm_sfence()
#define FUSED(x, a, b) ((x) * (a) + (b))
#include "cpu_kernels.h"
#else
typedef int cpu_avx2_absent; /* a file may not be empty */
#endif

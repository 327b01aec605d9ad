/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels for vectors of 512 bits; make/backends.mk has the flags of the compiler. */
#ifdef __x86_64__
#include <immintrin.h>

#define ISA cpu_avx512
#define ISA_NAME "avx512"
#define ISA_BITS 512
#define ISA_TILE_ROWS 8
#define ISA_TILE_VECTORS 3
#define ISA_PANEL_BYTES 49152
#define ISA_AHEAD 8 /* depths of a panel */
#define ISA_ROWS_MOST 200
#define STORES_PAST true
#define STORE_PAST(to, vector) _mm512_stream_si512((__m512i *)(to), (__m512i)(vector))
#define STORE_FENCE() _mm_sfence()
#define FUSED(x, a, b) ((x) * (a) + (b))
#include "cpu_kernels.h"
#else
typedef int cpu_avx512_absent; /* a file may not be empty */
#endif

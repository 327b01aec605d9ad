/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels for one instruction set, for which the including file is compiled, as struct
 * cpu_isa ISA. The headers of cpu_kernels_typed.h are compiled for T = float and T =
 * double; T_(x) is the name x with the type appended.
 *
 * Products with packed operands (cpu_packed.h) have tiles of ISA_TILE_ROWS rows and
 * ISA_TILE_VECTORS vectors, panels of ISA_PANEL_BYTES whose lines are fetched ISA_AHEAD
 * depths ahead (0: they stay in the first cache), and blocks of ISA_ROWS_MOST rows.
 */
#ifndef ISA
#error "define ISA, ISA_NAME and ISA_BITS, and choose the target, before cpu_kernels.h"
#endif

#include <float.h>
#include <omp.h>
#include <stdlib.h>

#include "cpu_blas.h"
#include "cpu_few.h"
#include "cpu_few_heads.h"
#include "cpu_half_math.h"
#include "cpu_math.h"
#include "cpu_session.h"

/* Numbers processed together, so that one pass finds the results of the previous one in the
 * first cache. */
enum { SPAN = 4096 };

/* The numbers of a stream that are processed together, and the size from which a stream is
 * written with stores that bypass the caches. */
enum { STREAM_SPAN = 1 << 16, PAST_CACHES_BYTES = 32 << 20 };

/* Walks through trees that take turns, rows that a thread walks together, and the work of a
 * walk. */
enum { TREES_LANES = 8, TREES_ROWS = 64, TREES_WORK = 32 };

#define PARALLEL_FOR(s, work) \
	_Pragma_omp(omp parallel for num_threads(cpu_team(s, work)) schedule(static))
#define _Pragma_omp(text) _Pragma(#text)

#define T float
#define T_(name) name##_f32
#define BLAS_TYPE CPU_FLOAT32
#define TENSOR(t) cpu_f32(t)
#define T_MAX FLT_MAX
#include "cpu_kernels_typed.h"

#define T double
#define T_(name) name##_f64
#define BLAS_TYPE CPU_FLOAT64
#define TENSOR(t) cpu_f64(t)
#define T_MAX DBL_MAX
#include "cpu_kernels_typed.h"

#include "cpu_half_kernels.h"
#include "cpu_blocks.h"
#include "cpu_half_streams.h"
#include "cpu_qtile_kernels.h"
#include "cpu_qpanel_kernels.h"
#include "cpu_quantized_kernels.h"
#include "cpu_bytes_kernels.h"
#include "cpu_depthwise_kernels.h"

static void gemm_int8(const struct cpu_int8_product *p)
{
	const int64_t m = p->m, n = p->n, k = p->k;
	const int64_t lda = p->lda, ldb = p->ldb, ldc = p->ldc;
	const int8_t *a = p->a, *b = p->b;
	int32_t *c = p->c;
	for (int64_t i = 0; i < m; i++) {
		for (int64_t j = 0; j < n; j++) {
			const int8_t *x = a + i * lda, *y = b + j * ldb;
			int32_t sum = 0;
			for (int64_t l = 0; l < k; l++)
				sum += (int32_t)x[l] * y[l];
			c[i * ldc + j] = sum;
		}
	}
}

#define BOTH(name)                     \
	{                              \
		name##_f32, name##_f64 \
	}

#define PACKING(type, of)                                                           \
	{                                                                           \
		.wide = WIDE##of,                                                   \
		.room_bytes = sizeof(type) * BLOCKS##of * ROWS_MOST##of * STEP##of, \
		.pack = pack##of, .run = packed##of                                 \
	}

const struct cpu_isa ISA = {
	.name = ISA_NAME,
	.bits = ISA_BITS,
	.run = {
		[BACKEND_COPY] = BOTH(copy),
		[BACKEND_SCALE] = BOTH(scale),
		[BACKEND_TRIAD] = BOTH(triad),
		[BACKEND_AXPY] = BOTH(axpy),
		[BACKEND_DOT] = BOTH(dot),
		[BACKEND_FMA] = BOTH(fused),
		[BACKEND_ATTENTION] = BOTH(attention),
		[BACKEND_LAYERNORM] = BOTH(layernorm),
		[BACKEND_RMSNORM] = BOTH(rmsnorm),
		[BACKEND_GROUPNORM] = BOTH(groupnorm),
		[BACKEND_BATCHNORM] = BOTH(batchnorm),
		[BACKEND_SOFTMAX] = BOTH(softmax),
		[BACKEND_UNARY] = BOTH(unary),
		[BACKEND_BINARY] = BOTH(binary),
		[BACKEND_ROUND] = BOTH(round),
		[BACKEND_CELL] = BOTH(cell),
		[BACKEND_GLU] = BOTH(glu),
		[BACKEND_GATHER] = BOTH(gather),
		[BACKEND_POOL] = BOTH(pool),
		[BACKEND_RESIZE] = BOTH(resize),
		[BACKEND_MOVE] = BOTH(move),
		[BACKEND_ROPE] = BOTH(rope),
		[BACKEND_RELATIVE] = BOTH(relative),
		[BACKEND_SINUSOID] = BOTH(sinusoid),
		[BACKEND_SCAN] = BOTH(scan),
		[BACKEND_CAUSAL_CONV] = BOTH(causal_conv),
		[BACKEND_ROUTE] = BOTH(route),
		[BACKEND_COMBINE] = BOTH(combine),
		[BACKEND_TOPK] = BOTH(topk),
		[BACKEND_TREES] = BOTH(trees),
	},
	.act = BOTH(act),
	.few = BOTH(few),
	.few_attention = { { few_f32_scores, few_f32_mix },
	    { few_f64_scores, few_f64_mix } },
	.packing = { PACKING(float, _f32), PACKING(double, _f64) },
	.half = {
		[CPU_FLOAT16] = { float16_load_row, float16_store_row, float16_few,
		    { float16_few_scores, float16_few_mix }, HALF_STREAMS_RUN(float16) },
		[CPU_BFLOAT16] = { bfloat16_load_row, bfloat16_store_row, bfloat16_few,
		    { bfloat16_few_scores, bfloat16_few_mix }, HALF_STREAMS_RUN(bfloat16) },
	},
	.pool_blocks = pool_blocks_f32,
	.pool_blocks_bfloat16 = pool_blocks_bfloat16,
	.quantizing = { .range = quantized_range,
	    .store = quantized_store,
	    .store_wide = quantized_store_wide,
	    .store_quads = quantized_store_quads,
	    .store_multiples = quantized_store_multiples,
	    .join_quads = quantized_join_quads,
	    .load = quantized_load,
	    .finish = quantized_finish,
	    .finish_channel = quantized_finish_channel,
	    .finish_bytes = quantized_finish_bytes,
	    .depthwise = depth_run,
	    .depthwise_vnni = depth_vnni_run,
	    .split_pairs = bytes_split_pairs,
	    .pool_bytes = bytes_pool,
	    .add_bytes = bytes_add,
	    .sum_bytes = bytes_sum,
	    .tile = qtile_run,
	    .byte_tile = qtile_byte_run,
	    .gather = qtile_gather,
	    .packing = { QPANEL_WIDE, qpanel_pack, qpanel_run } },
	.attention_bytes = BOTH(attention_bytes),
	.gemm_int8 = gemm_int8,
};

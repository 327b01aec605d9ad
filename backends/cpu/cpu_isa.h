/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares the kernels of one instruction set. cpu_kernels.h is compiled once for each
 * instruction set and type; cpu_dispatch.h chooses an instruction set.
 */
#ifndef CPU_CPU_ISA_H
#define CPU_CPU_ISA_H

#include "cpu_qtile.h"
#include "cpu_tensor.h"

/* Runs an operation on tensors of one type, with the session's threads. */
typedef void cpu_kernel(struct backend_session *s, const struct backend_op *op);

/* Computes the maxima of windows of tensors whose channels are in blocks. */
typedef void cpu_pool_blocks(
    struct backend_session *s, const struct backend_op *op, int64_t block);

/* The product c[m,n] = a[m,k] b[k,n], or b[n,k]' if transposed, of int8 into int32. The
 * rows of each matrix are contiguous. */
struct cpu_int8_product {
	int64_t m, n, k;
	const int8_t *a, *b;
	int64_t lda, ldb;
	bool transpose;
	int32_t *c;
	int64_t ldc;
};

/* Computes x = act(x) for n numbers in place. */
typedef void cpu_act(void *x, int64_t n, enum backend_act act);

/* The product c[m,n] = act(a[m,k] b + bias[n] + residual[m,n]), where b was packed, on the
 * calling thread only. Bias and residual may be NULL. */
struct cpu_packed {
	int64_t m, n, k;
	const void *a;
	int64_t lda;
	const void *b; /* the first panel of the n columns */
	void *c;
	int64_t ldc;
	const void *bias, *residual;
	int64_t residual_row;
	enum backend_act act;
	void *room; /* scratch memory of room_bytes */
};

/* How an instruction set packs the second matrix of a product. */
struct cpu_packing {
	int64_t wide; /* the columns of a panel, which has wide k numbers if it is k deep */
	size_t room_bytes;
	void (*pack)(
	    void *packed, const void *b, int64_t ldb, bool transpose, int64_t n, int64_t k);
	void (*run)(const struct cpu_packed *p);
};

/* The most rows for which a product with a transposed matrix reads it row by row. */
enum { CPU_FEW_ROWS = 7 };

/* The product c[m,n] = alpha a[m,k] b[n,k]' of a few rows, on the calling thread only. */
struct cpu_few {
	int64_t m, n, k;
	const void *a;
	int64_t lda;
	const void *b; /* of the type of a, or of 16 bits */
	int64_t ldb;
	void *c;
	int64_t ldc;
	double alpha;
	bool add; /* whether the product is added to c */
};

/* The products of attention with a few queries, for query heads that share keys and values
 * with each other: query head h uses those of h / share. On the calling thread only. */
struct cpu_few_heads {
	int64_t kv_heads, share; /* and how many query heads share each of them */
	int64_t rows;            /* of each query head */
	int64_t keys, d, dv;
	const void *q, *k, *v; /* k and v of the type of q, or of 16 bits */
	const void *mask;      /* or NULL */
	void *scores, *out;    /* scores: [kv_heads share rows, scores_row] */
	/* Strides of heads and rows. */
	int64_t q_head, q_row, k_row, v_row, mask_head, mask_row, scores_row;
	int64_t out_head, out_row;
	int64_t seen, seen_more; /* see cpu_few_seen() */
	double scale;
};

/* Returns the number of keys that row i of a head uses. */
static inline int64_t cpu_few_seen(const struct cpu_few_heads *p, int64_t i)
{
	return cpu_min(p->keys, p->seen + i * p->seen_more);
}

struct cpu_few_attention {
	void (*scores)(const struct cpu_few_heads *p);
	void (*mix)(const struct cpu_few_heads *p);
};

/* Returns whether an operation is an attention with so few queries that its kernel reads
 * keys and values where they are, including those of 16 bits. */
static inline bool cpu_attention_is_few(const struct backend_op *op)
{
	return op->kind == BACKEND_ATTENTION && cpu_size(op->in[0], 2) < 8;
}

/* The functions of an instruction set for a type of 16 bits. */
struct cpu_half_kernels {
	/* These convert n numbers. */
	void (*load)(float *to, const uint16_t *from, int64_t n);
	void (*store)(uint16_t *to, const float *from, int64_t n);
	/* Computes a product with rows of b in 16 bits, in float32. */
	void (*few)(const struct cpu_few *p);
	struct cpu_few_attention attention;
	/* The streams, which convert in registers; NULL for other kinds. */
	cpu_kernel *stream[BACKEND_KINDS];
};

/* The sums c[m,n] of the products of bytes without a sign, a[m,k], and packed weights, on
 * the calling thread only. Rows of a have 16 bits for each byte, and a zero at the end if k
 * is odd. */
struct cpu_qproduct {
	int64_t m, n, pairs; /* pairs: k / 2, rounded up */
	const uint16_t *a;
	const int8_t *b; /* the first panel of the n columns */
	int32_t *c;
	int64_t ldc;
};

/* How an instruction set multiplies bytes without VNNI. */
struct cpu_qpacking {
	int64_t wide; /* the columns of a panel, which has 2 wide bytes for each pair */
	void (*pack)(int8_t *packed, const int8_t *b, int64_t n, int64_t k);
	void (*run)(const struct cpu_qproduct *p);
};

/* How a row of a product with quantized weights is finished: out[j] = act(scale
 * scales[j] (sum[j] - zero sums[j]) + bias[j] + residual[j]). Bias and residual may be
 * NULL. */
struct cpu_finish {
	const int32_t *sum, *sums; /* sums: of the rows of the weight */
	int32_t zero;
	float scale;
	const float *scales, *bias, *residual;
};

/* The same for pixels of one channel: out[p] = scale sum[p] + bias + residual[p], where the
 * sum began with that of the zeros. Residual may be NULL. */
struct cpu_finish_channel {
	const int32_t *sum;
	float scale, bias;
	const float *residual;
};

/* The same without residual, rounded: out[p] = clamp(round(scale (sum[p] - zero) + bias),
 * low, high) - base, a byte. */
struct cpu_finish_bytes {
	const int32_t *sum;
	int32_t zero, low, high, base;
	float scale, bias;
};

/* Some weights of a channel: their products with the four bytes that begin at `at`, counted
 * from a pixel on, are a part of its sum. The sums of two weights, the first two and the
 * last two, have a magnitude of at most QTILE_PAIR_MOST. */
struct cpu_depth_term {
	int64_t at;
	uint32_t weights;
};

/* The rounded results of a convolution of a channel. */
struct cpu_depth {
	const uint8_t *x; /* the first pixel; those beyond n are read up to a vector */
	int64_t n;
	const struct cpu_depth_term *term;
	int64_t terms;
	struct cpu_finish_bytes by; /* without sums */
};

/* Computes n results, and some beyond them, up to four vectors. */
typedef void cpu_depthwise(uint8_t *out, const struct cpu_depth *d);

/* Lines of n bytes, which begin `apart` bytes apart, and rows of their bytes with even and
 * odd numbers, which begin `pitch` bytes apart. */
struct cpu_split {
	uint8_t *even, *odd;
	const uint8_t *x;
	int64_t n, lines, apart, pitch;
};

/* The maxima of windows of a plane of bytes. */
struct cpu_pool_bytes {
	int64_t height, width; /* width: at most CPU_POOL_WIDTH_MOST */
	int64_t to_height, to_width;
	int64_t kernel[2], stride[2], before[2];
};
enum { CPU_POOL_WIDTH_MOST = 4096 };

/* The rounded sums of two tensors of bytes: out[i] = clamp(round(by[0] x[0][i] + by[1]
 * x[1][i] + bias), low, high) - base. */
struct cpu_sum_bytes {
	const uint8_t *x[2];
	float by[2], bias;
	int32_t low, high, base;
};

/* The functions of an instruction set that quantize activations. */
struct cpu_quantizing {
	/* Extends [*low, *high] to n numbers, and makes *wrong NaN if one is not finite. */
	void (*range)(const float *x, int64_t n, float *low, float *high, float *wrong);
	/* Stores clamp(round(x / scale) + zero, 0, 255) of n numbers in bytes. */
	void (*store)(uint8_t *to, const float *x, int64_t n, float scale, float zero);
	/* Stores the same in 16 bits. */
	void (*store_wide)(
	    uint16_t *to, const float *x, int64_t n, float scale, float zero);
	/* Stores the same of n numbers of each of four rows, as quads (cpu_qtile.h).
	 * Returns false if one is NaN. */
	bool (*store_quads)(
	    uint32_t *to, const float *const x[4], int64_t n, float scale, float zero);
	/* Stores the same of numbers that are multiples of a scale by whole numbers, of
	 * which `inverse` is the inverse. */
	bool (*store_multiples)(
	    uint32_t *to, const float *const x[4], int64_t n, float inverse, float zero);
	/* Joins n bytes of each of four rows to quads. */
	void (*join_quads)(uint32_t *to, const uint8_t *const q[4], int64_t n);
	/* Stores alpha (q[i] - zero) of n bytes. */
	void (*load)(float *to, const uint8_t *q, int64_t n, float alpha, int32_t zero);
	/* Computes n numbers, without the activation. */
	void (*finish)(float *out, int64_t n, const struct cpu_finish *f);
	/* Computes n numbers of one channel, without the activation. */
	void (*finish_channel)(float *out, int64_t n, const struct cpu_finish_channel *f);
	void (*finish_bytes)(uint8_t *out, int64_t n, const struct cpu_finish_bytes *f);
	/* Convolve a channel; depthwise_vnni is NULL without vectors of 256 bits. */
	cpu_depthwise *depthwise, *depthwise_vnni;
	/* Stores the bytes of lines with even and odd numbers, and some beyond them, up to
	 * 16, line after line. */
	void (*split_pairs)(const struct cpu_split *p);
	/* Computes the maxima of a plane. Each window has a byte. */
	void (*pool_bytes)(uint8_t *out, const uint8_t *x, const struct cpu_pool_bytes *p);
	/* Returns the sum of n bytes. */
	int64_t (*add_bytes)(const uint8_t *x, int64_t n);
	/* Computes n sums. */
	void (*sum_bytes)(uint8_t *out, int64_t n, const struct cpu_sum_bytes *f);
	/* The functions for tiles whose weights have 16 bits, and bytes; byte_tile may be
	 * NULL. */
	cpu_qtile_run *tile, *byte_tile;
	/* Copies n times QTILE_VECTOR quads, in this order. */
	void (*gather)(uint32_t *restrict to, const uint32_t *restrict from,
	    const struct cpu_qcopy *copy, int64_t n);
	struct cpu_qpacking packing;
};

/* An instruction set for which the kernels are compiled. */
struct cpu_isa {
	const char *name;
	uint32_t bits; /* of a vector register */
	cpu_kernel *run[BACKEND_KINDS][CPU_TYPES];
	cpu_act *act[CPU_TYPES];
	struct cpu_packing packing[CPU_TYPES];
	void (*few[CPU_TYPES])(const struct cpu_few *p);
	struct cpu_few_attention few_attention[CPU_TYPES];
	struct cpu_half_kernels half[CPU_HALVES];
	cpu_pool_blocks *pool_blocks, *pool_blocks_bfloat16;
	struct cpu_quantizing quantizing;
	/* Returns the bytes of scratch memory that an attention needs for each thread. */
	size_t (*attention_bytes[CPU_TYPES])(const struct backend_op *op);
	/* Computes a product whose b is transposed, on the calling thread only. */
	void (*gemm_int8)(const struct cpu_int8_product *p);
};

extern const struct cpu_isa cpu_plain;
#ifdef __x86_64__
extern const struct cpu_isa cpu_avx2, cpu_avx512;
#endif

#endif

/* SPDX-License-Identifier: MIT-0 */
/*
 * Declares tensors and the operations on them that benchutils asks a backend to run. The
 * formula of each operation is at its name in `enum backend_kind`, and its parameters are
 * in `struct backend_op`. bench-backend.h includes this header and declares the hooks that
 * run operations.
 *
 * Shapes are row-major, with the last dimension innermost. Sizes, strides and offsets are
 * in elements. The program owns all operations and tensors, and a backend changes none of
 * them but the members that are marked "for the backend".
 */
#ifndef BENCH_OPERATION_H
#define BENCH_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The maximum numbers of dimensions of a tensor, and of inputs and outputs of an operation.
 */
enum { BACKEND_DIMS = 4, BACKEND_INS = 8, BACKEND_OUTS = 2 };

/* The type of the elements of a tensor. */
enum backend_dtype {
	BACKEND_FLOAT32,
	BACKEND_FLOAT64,
	BACKEND_FLOAT16,  /* IEEE 754 binary16 */
	BACKEND_BFLOAT16, /* the upper half of a binary32 */
	BACKEND_TF32,     /* a binary32; products may read 10 bits of fraction */
	BACKEND_INT8,
	BACKEND_INT32,
	BACKEND_UINT8,
	BACKEND_DTYPES
};

/* The role of a tensor in a list of operations. */
enum backend_role {
	BACKEND_ACTIVATION, /* written by one operation of the list, read by later ones */
	BACKEND_WEIGHT,     /* written before prepare, then constant: it may be packed */
	BACKEND_INPUT,      /* written by the host between runs */
	BACKEND_OUTPUT,     /* read by the host */
	BACKEND_STATE       /* kept from one run of the list to the next, such as a cache */
};

/* A tensor: a view of elements in a buffer. */
struct backend_tensor {
	enum backend_dtype dtype;
	enum backend_role role;
	uint32_t dims;
	int64_t size[BACKEND_DIMS];
	/* Contiguous, except where an operation below allows strided rows. */
	int64_t stride[BACKEND_DIMS];
	void *buffer;   /* from alloc */
	int64_t offset; /* of the first element from the start of the buffer */
	/*
	 * Whether no other tensor is a view of these elements. If so, the backend may
	 * choose the layout of an ACTIVATION between the operations that write and read
	 * it, in the same number of bytes. It may also do so for a tensor with views, if it
	 * can find their elements in that layout.
	 */
	bool whole;
	/* The tensor that this one is a view of; NULL if it has its own elements. */
	struct backend_tensor *of;
	/* For the backend, such as the chosen layout and packed weights; zero before
	 * prepare. */
	uint32_t layout;
	void *own;
};

/* The activation applied to each element at the end of an operation. */
enum backend_act {
	BACKEND_LINEAR,     /* x */
	BACKEND_RELU,       /* max(x, 0); NaN stays NaN, or is 0 after a product */
	BACKEND_GELU,       /* x/2 (1 + erf(x / sqrt 2)) */
	BACKEND_GELU_TANH,  /* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) */
	BACKEND_QUICK_GELU, /* x / (1 + exp(-1.702 x)) */
	BACKEND_SILU,       /* x / (1 + exp(-x)) */
	BACKEND_TANH,
	BACKEND_SIGMOID,      /* 1 / (1 + exp(-x)) */
	BACKEND_SOFTPLUS,     /* log(1 + exp(x)) */
	BACKEND_RELU6,        /* min(max(x, 0), 6); NaN as in RELU */
	BACKEND_HARD_SIGMOID, /* min(max(x / 6 + 1/2, 0), 1) */
	BACKEND_HARD_SWISH,   /* x min(max(x / 6 + 1/2, 0), 1) */
	/* Only UNARY and BINARY end in the following. */
	BACKEND_EXP,
	BACKEND_LOG,
	BACKEND_SQRT,
	BACKEND_RECIPROCAL, /* 1 / x */
	BACKEND_ERF,
	BACKEND_SIN,
	BACKEND_COS,
	BACKEND_ACTS
};

/*
 * The operations. In their formulas, in0, in1 ... are in[0], in[1] ..., and out is out[0].
 * "[in2]" at the end of a comment means that in2 may be NULL. "p.gemm" names the member of
 * backend_op's union that has the parameters. Adjacent factors are multiplied.
 *
 * All tensors of an operation, including gains, shifts and biases, have the same dtype
 * unless stated otherwise. Sums are accumulated in at least float32 (int32 for int8).
 *
 * [rows] after a tensor means that its rows may be strided: the innermost stride is 1, and
 * the others may be larger than those of a contiguous tensor. All other tensors are
 * contiguous unless stated otherwise.
 */
enum backend_kind {
	/* Does nothing. */
	BACKEND_NOP,

	/* Streams over n elements. */
	BACKEND_COPY,  /* out = in0 */
	BACKEND_SCALE, /* out = p.stream.alpha in0 */
	BACKEND_TRIAD, /* out = in0 + alpha in1 */
	BACKEND_AXPY,  /* out = out + alpha in0 */
	BACKEND_DOT,   /* out[1] = sum in0 in1, in float64 for float64, else float32 */
	/* out[i] = x, which begins as in0[i]: repeat times x = x alpha + beta, fused */
	BACKEND_FMA,

	/* out[m] = in0[m,k] in1[k] */
	BACKEND_GEMV,

	/*
	 * out[b,m,n] [rows] = act(alpha in0[b,m,k] [rows] in1[b,k,n] [rows] + bias in2[n] +
	 * in3[b,m,n] [rows]); p.gemm. With transpose, in1 is [b,n,k]. If in1 has one batch
	 * (b = 1), it is used for all. The tensors may have 2 dimensions (no b). For int8,
	 * out is int32, alpha is 1, and act, in2 and in3 are absent. out and in3 may be
	 * the same tensor. [in2], [in3].
	 */
	BACKEND_GEMM,

	/*
	 * out[N,O,H',W'] = act(in0[N,C,H,W] * in1[O,C/groups,KH,KW] + bias in2[O] +
	 * in3[N,O,H',W']), where * is a cross-correlation; p.conv. A convolution in one
	 * dimension has H = KH = 1. [in2], [in3].
	 */
	BACKEND_CONV,

	/*
	 * out[b,t,heads dv] [rows] = softmax(scale q k' + in3[heads,t,s] [rows]) v for each
	 * head, where q is in0[b,t,heads d] [rows], k is in1[b,s,kv_heads d] [rows] and v
	 * is in2[b,s,kv_heads dv] [rows]; p.attention. Head h of q uses head h
	 * kv_heads/heads of k and v. With cached, only the first past + t keys are used;
	 * with causal, query i uses the keys up to past + i. Elements of in3 beyond the
	 * keys used are not read. [in3].
	 */
	BACKEND_ATTENTION,

	/* Over the last dimension: out = (x - mean) / sqrt(var + eps) gain in1 + shift in2;
	 * p.norm. [in1], [in2]. */
	BACKEND_LAYERNORM,
	/* out = alpha x / sqrt(mean(x^2) + eps) gain in1; p.norm. [in1]. */
	BACKEND_RMSNORM,
	/* The layernorm of in0[N,C,...] over groups of channels, with gain in1[C] and shift
	 * in2[C], then act; p.norm. */
	BACKEND_GROUPNORM,
	/* out = act((x - mean in3[C]) / sqrt(var in4[C] + eps) gain in1[C] + shift in2[C])
	 * of x = in0[N,C,...]; p.norm. The program folds it into a preceding CONV where it
	 * can. */
	BACKEND_BATCHNORM,
	/* out = softmax(in0) over the last dimension. */
	BACKEND_SOFTMAX,

	/* out = act(alpha in0); p.element. */
	BACKEND_UNARY,
	/*
	 * out[i] = act(in0[i] + alpha in1[(i / inner) mod count]); p.element. With
	 * multiply, it is the product instead of the sum. With multiply and select, the
	 * product is 0 where the element of in1 is 0, even if that of in0 is infinite or
	 * NaN. count is the number of elements of in1: inner = 1 adds a row to every row,
	 * and inner = H W adds a number to every channel.
	 */
	BACKEND_BINARY,
	/* out[..., d] = act(first half) second half of in0[..., 2 d] [rows], or with
	 * gate_last first half act(second half); p.element. */
	BACKEND_GLU,

	/*
	 * out[b,t,d] = alpha times the row in1[b,t] (int32) of in0[V,d]; p.gather. Without
	 * in1, the row first + past + i for token i. For a number beyond the table, the
	 * nearest row is taken. The tensors may have one dimension fewer (no b). [in1].
	 */
	BACKEND_GATHER,
	/* out = the maximum, or with average the mean, of the elements of in0[N,C,H,W]
	 * inside each window; p.pool. If one of them is NaN, so is the result. */
	BACKEND_POOL,
	/* out = in0[N,C,H,W] scaled to the H and W of out: the nearest element (floor), or
	 * with bilinear interpolated between pixel centers, with edges repeated;
	 * p.resize. */
	BACKEND_RESIZE,
	/*
	 * out = alpha in0, element by element; p.move. Both have the same sizes and any
	 * strides, and their dtypes may differ. Integers are rounded to nearest, ties to
	 * even, and clamped. Writing begins at element past * advance of out, by which a
	 * cache grows.
	 */
	BACKEND_MOVE,

	/* out[b,t,heads d] [rows] = in0 [rows] with the pairs (i, i + d/2) of each head
	 * rotated by (past + token) base^(-2i/d); p.rope. out may be in0. */
	BACKEND_ROPE,
	/*
	 * out[heads,t,s] [rows] = the row bucket(j - (past + i)) of in0[buckets,heads];
	 * p.relative. Buckets are those of T5 (Raffel et al. 2020, Mesh TensorFlow's
	 * _relative_position_bucket), except for distances whose logarithm is an integer,
	 * which float32 may miss: they begin a bucket. With cached, only the first past + t
	 * columns are written.
	 */
	BACKEND_RELATIVE,
	/* out[N,d] = cos(x f_i) in the first half and sin(x f_i) in the second, of x =
	 * in0[N] (float32), where f_i = 10000^(-i/(d/2)). */
	BACKEND_SINUSOID,

	/*
	 * The selective scan of Mamba (Gu, Dao 2023): for token t, channel c, state s
	 *   dt = softplus(in1[b,t,c] + in6[c]);
	 *   h[b,c,s] = exp(-exp(in2[c,s]) dt) h + dt in3[b,t,s] in0[b,t,c];
	 *   out[b,t,c] = sum_s h in4[b,t,s] + in5[c] in0[b,t,c].
	 * in3 and in4 may have strided rows. in7[b,c,s], of role STATE and in float32,
	 * holds h before and after. With past = 0, h is zero before.
	 */
	BACKEND_SCAN,
	/*
	 * A causal depthwise convolution over tokens: out[b,t,c] = act(sum_k in1[c,k]
	 * in0[b, past + t + k, c] + in2[c]), where in0[b,s,c] begins with kernel - 1 rows
	 * of zeros; p.element. [in2].
	 */
	BACKEND_CAUSAL_CONV,

	/*
	 * out0[t,k] = the weights and out1[t,k] (int32) = the numbers of the k best experts
	 * by the scores in0[t,E], the best first, and the lower number first among equal
	 * ones; p.route. NaN come before all numbers. The weights are a softmax over all E,
	 * or with renormalise over the k chosen.
	 */
	BACKEND_ROUTE,
	/*
	 * out[t k,N] = act(in0[r,K] in1[E,N,K]' of the expert that in2[t,k] (int32) names
	 * for that row); p.route. r is t k; or r is t, and row i of out comes from row i /
	 * k of in0.
	 */
	BACKEND_EXPERTS,
	/* out[t,d] = sum_j in1[t,j] in0[t k + j,d] + in2[t,d]; p.route. [in2]. */
	BACKEND_COMBINE,
	/* out0[n,k] = the k largest elements of each row of in0[n,N], the largest first,
	 * and out1[n,k] (int32) = their positions, the lower one first among equal
	 * elements; p.route. NaN come before all numbers. [out0]. */
	BACKEND_TOPK,

	/*
	 * The next three have weights from -127 to 127, with scales of rows in float32
	 * (in4). Sums are exact, and of at most 66311 products, so that they fit in 32
	 * bits. q in uint8, a and z are ONNX's DynamicQuantizeLinear of in0 as a whole,
	 * computed in float32: with low = min(0, min in0) and high = max(0, max in0), a =
	 * (high - low) / 255, or 1 if that is 0; z = clamp(round(0 - low / a), 0, 255); and
	 * q = clamp(round(in0 / a) + z, 0, 255). round goes to the nearest whole number,
	 * ties to even. If a number of in0 is NaN or infinite, a is NaN, so that all
	 * results are.
	 */
	/* out[b,m,n] [rows] = act(alpha a in4[n] sum_k (q[b,m,k] [rows] - z) in1[n,k] +
	 * bias in2[n] + in3[b,m,n] [rows]); p.gemm, with transpose. Tensors may have 2
	 * dimensions (no b). out and in3 may be the same tensor. [in2], [in3]. */
	BACKEND_QGEMM,
	/* out is that of CONV with the input a in4[O] (q - z) and the weights in1; in the
	 * padding, q is z; p.conv. [in2], [in3]. */
	BACKEND_QCONV,
	/* out is that of EXPERTS with the input a in4[E,N] (q - z) and the weights in1;
	 * p.route. */
	BACKEND_QEXPERTS,

	/* out = alpha clamp(round(in0 / scale), low, high) + beta; p.round. round goes to
	 * the nearest whole number, ties to even. low and high are whole numbers from -2^20
	 * to 2^20. NaN stays NaN. */
	BACKEND_ROUND,
	/*
	 * A step of a recurrent network, from the products of its gates with the input,
	 * in0[b,gates h], and with the state, in1[b,gates h]; p.cell. s is the logistic
	 * function. With 4 gates an LSTM (Hochreiter, Schmidhuber 1997) with the gates
	 * input, output, forget and cell, where in2[b,h] and out1[b,h] are its cell before
	 * and after:
	 *   i, o, f = s(in0 + in1); c = tanh(in0 + in1);
	 *   out1 = f in2 + i c; out0[b,h] = o tanh(out1).
	 * With 3 gates a GRU (Cho et al. 2014; its reset follows the product) with the
	 * gates update, reset and hidden, where in2 is the state before: z, r = s(in0 +
	 * in1); c = tanh(in0 + r in1); out0 = (1 - z) c + z in2. [out1] with 3 gates.
	 */
	BACKEND_CELL,
	/*
	 * Decision trees: out[n,t] = alpha times the sum of the entries for target t of the
	 * leaves that in0[n,features] reaches, one leaf of each tree. in5[trees] (int32)
	 * are the roots, which are rows of in1[nodes,2] (int32). A row (8 f + 4 m + test,
	 * no), with f >= 0, is a branch: if x = in0[n,f] and y = in2[node] pass the test,
	 * the next node follows in in1, otherwise it is node `no`. The tests are x <= y
	 * (0), x < y (1) and x == y (2). A NaN passes if m is 1, and fails if m is 0. A row
	 * (-1 - count, first) is a leaf with the entries from `first` on. Entry e adds
	 * in4[e] to target in3[e] (int32). p.trees.
	 */
	BACKEND_TREES,

	BACKEND_KINDS
};

/* One operation of a list. */
struct backend_op {
	enum backend_kind kind;
	struct backend_tensor *in[BACKEND_INS];
	struct backend_tensor *out[BACKEND_OUTS];
	enum backend_act act;
	/* The number of earlier tokens, for the operations that read it. It is not known
	 * in prepare, and may change before each run. */
	int64_t past;
	union {
		struct {
			double alpha, beta;
			int64_t repeat;
		} stream;
		struct {
			double alpha;
			bool transpose;
		} gemm;
		struct {
			int64_t stride[2], before[2], after[2], dilation[2], groups;
		} conv;
		struct {
			int64_t heads, kv_heads;
			double scale;
			bool causal, cached;
		} attention;
		struct {
			double eps, alpha;
			int64_t groups;
		} norm;
		struct {
			double alpha;
			int64_t inner;
			bool multiply, gate_last, select;
		} element;
		struct {
			double alpha;
			int64_t first;
		} gather;
		struct {
			int64_t kernel[2], stride[2], before[2], after[2];
			bool average;
		} pool;
		struct {
			bool bilinear;
		} resize;
		struct {
			double alpha;
			int64_t advance;
		} move;
		struct {
			int64_t heads;
			double base;
		} rope;
		struct {
			int64_t buckets, distance; /* the largest distinguished distance */
			bool both_ways, cached;
		} relative;
		struct {
			int64_t k;
			bool renormalise;
		} route;
		struct {
			double scale, low, high, alpha, beta;
		} round;
		struct {
			int64_t gates;
		} cell;
		struct {
			double alpha;
			int32_t
			    test; /* the 4 m + test of all branches; -1 if they differ */
		} trees;
	} p;
	/* For the backend, zero before prepare. */
	void *own;
};

#ifdef __cplusplus
}
#endif

#endif

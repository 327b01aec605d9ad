/* SPDX-License-Identifier: MIT-0 */
/*
 * The interface that a family of devices implements so that benchutils can run kernels and
 * models on it. A backend is a shared object with one symbol, `const struct backend
 * bench_backend`; bench-backend(7) describes where it is searched for, and
 * share/examples/backend has a skeleton.
 *
 * Shapes are row-major, the last dimension innermost, all sizes and strides in elements.
 * Every hook is called from one thread at a time, though not always the same one, and a
 * session is never used by two threads at once. A hook that fails returns -1 (or NULL) and
 * leaves its reason in `why`, one line without a newline; it never prints and never exits.
 *
 * The order of calls: probe; open; alloc and write for weights and inputs; prepare, once
 * for each list of operations; then, any number of times, the operations of the list in
 * order and sync; read; release; free; close. Nothing may be allocated between prepare and
 * release, so that only the work is timed.
 */
#ifndef BENCH_BACKEND_H
#define BENCH_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with every change of the declarations below. */
#define BACKEND_ABI 1u

enum { BACKEND_DIMS = 4, BACKEND_INS = 8, BACKEND_OUTS = 2, BACKEND_WHY = 256 };

enum backend_dtype {
	BACKEND_FLOAT32,
	BACKEND_FLOAT64,
	BACKEND_FLOAT16,  /* IEEE 754 binary16 */
	BACKEND_BFLOAT16, /* the upper half of a binary32 */
	BACKEND_INT8,
	BACKEND_INT32,
	BACKEND_UINT8,
	BACKEND_DTYPES
};

/* The role of a tensor in a list of operations. */
enum backend_role {
	BACKEND_ACTIVATION, /* written by one operation of the list, read by later ones */
	BACKEND_WEIGHT,     /* written before prepare, then constant: may be packed */
	BACKEND_INPUT,      /* written by the host between runs */
	BACKEND_OUTPUT,     /* read by the host */
	BACKEND_STATE /* kept from one run of the list to the next, as keys and values */
};

struct backend_tensor {
	enum backend_dtype dtype;
	enum backend_role role;
	uint32_t dims;
	int64_t size[BACKEND_DIMS];
	/* In elements. Contiguous, except where an operation below allows strided rows. */
	int64_t stride[BACKEND_DIMS];
	void *buffer;   /* from alloc */
	int64_t offset; /* of its first element in the buffer, in elements */
	/*
	 * No other tensor is a view of its elements: the backend may choose the layout of
	 * an ACTIVATION between the operations that write and read it, in the same number
	 * of bytes.
	 */
	bool whole;
	/* For the backend, zero before prepare: the layout chosen, packed weights. */
	uint32_t layout;
	void *own;
};

/* The activation applied to each element at the end of an operation. */
enum backend_act {
	BACKEND_LINEAR,     /* nothing */
	BACKEND_RELU,       /* max(x, 0) */
	BACKEND_GELU,       /* x/2 (1 + erf(x / sqrt 2)) */
	BACKEND_GELU_TANH,  /* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) */
	BACKEND_QUICK_GELU, /* x / (1 + exp(-1.702 x)) */
	BACKEND_SILU,       /* x / (1 + exp(-x)) */
	BACKEND_TANH,
	BACKEND_SIGMOID,  /* 1 / (1 + exp(-x)) */
	BACKEND_SOFTPLUS, /* log(1 + exp(x)) */
	BACKEND_ACTS
};

/*
 * The operations. Tensors are named in0, in1 ... for in[0], in[1] ...; one in brackets may
 * be NULL. "p" is the member of backend_op's union that has the parameters. All tensors of
 * an operation, also gains, shifts and biases, have the same dtype unless stated otherwise.
 * Sums are accumulated in at least float32 (int32 for int8).
 *
 * Strided rows: where [rows] follows a tensor, its innermost stride is 1 and the others may
 * be larger than contiguous ones.
 */
enum backend_kind {
	/* Does nothing. */
	BACKEND_NOP,

	/* Streams over n elements. */
	BACKEND_COPY,  /* out = in0 */
	BACKEND_SCALE, /* out = p.stream.alpha in0 */
	BACKEND_TRIAD, /* out = in0 + alpha in1 */
	BACKEND_AXPY,  /* out = out + alpha in0 */
	BACKEND_DOT,   /* out[1] = sum in0 in1; out in float32, or float64 of float64 */
	/* out[i] = in0[i] after p.stream.repeat times x = x alpha + beta, each fused */
	BACKEND_FMA,

	/* out[m] = in0[m,k] in1[k] */
	BACKEND_GEMV,

	/*
	 * out[b,m,n] [rows] = act(alpha in0[b,m,k] [rows] in1[b,k,n] [rows] + bias in2[n] +
	 * in3[b,m,n] [rows]), p.gemm. in1 is [b,n,k] with transpose; with one batch (in1's
	 * b = 1) it is used for all. Dims may be 2 (no b). [in2], [in3]. int8: out is
	 * int32, with alpha 1 and without act, in2 and in3. out and in3 may be the same
	 * tensor.
	 */
	BACKEND_GEMM,

	/*
	 * out[N,O,H',W'] = act(in0[N,C,H,W] * in1[O,C/groups,KH,KW] + bias in2[O] +
	 * in3[N,O,H',W']), a cross-correlation, p.conv. [in2], [in3]. One dimension: H = KH
	 * = 1.
	 */
	BACKEND_CONV,

	/*
	 * out[b,t,heads dv] [rows] of in0 q[b,t,heads d] [rows], in1 k[b,s,kv_heads d]
	 * [rows], in2 v[b,s,kv_heads dv] [rows], p.attention: head h of q reads head h
	 * kv_heads/heads of k and v; softmax(scale q k' + in3[heads,t,s]) v. [in3], which
	 * may have strided rows and has no batch. With cached, only the first past + t
	 * keys are used; with causal, query i sees the keys up to past + i. Elements of
	 * in3 beyond the keys used are not read.
	 */
	BACKEND_ATTENTION,

	/* Over the last dimension: out = (x - mean) / sqrt(var + eps) gain in1 + shift in2;
	 * p.norm. [in1], [in2]. */
	BACKEND_LAYERNORM,
	/* out = alpha x / sqrt(mean(x^2) + eps) gain in1; p.norm. [in1]. */
	BACKEND_RMSNORM,
	/* in0[N,C,...]: over groups of channels, then act; gain in1[C], shift in2[C];
	   p.norm. */
	BACKEND_GROUPNORM,
	/* in0[N,C,...]: act((x - mean in3[C]) / sqrt(var in4[C] + eps) gain in1[C] + shift
	 * in2[C]); p.norm. Folded into the previous operation wherever that is a CONV. */
	BACKEND_BATCHNORM,
	/* Over the last dimension. */
	BACKEND_SOFTMAX,

	/* out = act(alpha in0), p.element. */
	BACKEND_UNARY,
	/*
	 * out[i] = act(in0[i] o alpha in1[(i / inner) mod count]), p.element, where count
	 * is in1's number of elements: inner = 1 adds a row to every row, inner = H W a
	 * number to every channel. o is + or, with multiply, the product.
	 */
	BACKEND_BINARY,
	/* out[..., d] of in0[..., 2 d] [rows]: act(first half) second half, or with
	 * gate_last first half act(second half); p.element. */
	BACKEND_GLU,

	/*
	 * out[b,t,d] = alpha in0[V,d] row in1[b,t] (int32), p.gather. Without in1, row
	 * first + past + i for token i. Dims may be one fewer (no b).
	 */
	BACKEND_GATHER,
	/* in0[N,C,H,W], p.pool: the maximum, or with average the mean, of the elements
	   inside. */
	BACKEND_POOL,
	/* in0[N,C,H,W] to out's H and W: nearest (floor), or with bilinear between
	 * pixel centers, with edges repeated; p.resize. */
	BACKEND_RESIZE,
	/*
	 * out = alpha in0, element by element of the same sizes, both with any strides;
	 * dtypes may differ, p.move; integers are rounded to nearest, ties to even, and
	 * clamped. Writing begins at element past * advance of out: this is how a cache
	 * grows.
	 */
	BACKEND_MOVE,

	/* out[b,t,heads d] [rows]: in0 [rows] with pairs (i, i + d/2) of each head rotated
	 * by (past + token) base^(-2i/d); p.rope. out may be in0. */
	BACKEND_ROPE,
	/*
	 * out[heads,t,s] [rows] = in0[buckets,heads] row bucket(j - (past + i)),
	 * p.relative: as in T5 (Raffel et al. 2020, Mesh TensorFlow's
	 * _relative_position_bucket), except for distances where the logarithm is an
	 * integer, which float32 may miss: they begin a bucket. With cached, only the first
	 * past + t columns are written.
	 */
	BACKEND_RELATIVE,
	/* out[N,d] of in0[N] (float32): cos(x f_i) in the first half and sin(x f_i) in the
	 * second, f_i = 10000^(-i/(d/2)). */
	BACKEND_SINUSOID,

	/*
	 * The selective scan of Mamba (Gu, Dao 2023): for token t, channel c, state s
	 *   dt = softplus(in1[b,t,c] + in6[c]);
	 *   h[b,c,s] = exp(-exp(in2[c,s]) dt) h + dt in3[b,t,s] in0[b,t,c];
	 *   out[b,t,c] = sum_s h in4[b,t,s] + in5[c] in0[b,t,c].
	 * in3 and in4 [rows]. in7[b,c,s], of role STATE, in float32, has h before and
	 * after; with past = 0 it is zero before.
	 */
	BACKEND_SCAN,
	/*
	 * A causal depthwise convolution over tokens: out[b,t,c] = act(sum_k in1[c,k]
	 * in0[b, past + t + k, c] + in2[c]), where in0[b,s,c] begins with kernel - 1 rows
	 * of zeros; p.element for act. [in2].
	 */
	BACKEND_CAUSAL_CONV,

	/*
	 * in0[t,E] to weights out0[t,k] and experts out1[t,k] (int32), best first, the
	 * lower number first among equals: softmax over all E, or with renormalise over the
	 * k chosen; p.route.
	 */
	BACKEND_ROUTE,
	/*
	 * out[t k,N] = act(in0[r,K] in1[E,N,K]' of the expert in2[t,k] (int32) of that
	 * row), p.route for k and act; r is t k, or t when row i of out is of row i / k of
	 * in0.
	 */
	BACKEND_EXPERTS,
	/* out[t,d] = sum_j in1[t,j] in0[t k + j,d] + in2[t,d]; p.route for k. [in2]. */
	BACKEND_COMBINE,
	/* in0[n,N] to the k largest of each row, best first, the lower place first among
	 * equals: out0[n,k] and places out1[n,k] (int32), [out0]; p.route for k. */
	BACKEND_TOPK,

	BACKEND_KINDS
};

struct backend_op {
	enum backend_kind kind;
	struct backend_tensor *in[BACKEND_INS];
	struct backend_tensor *out[BACKEND_OUTS];
	enum backend_act act;
	/* The number of earlier tokens, where an operation reads it. Not known in prepare,
	 * and may change before each run. */
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
			bool multiply, gate_last;
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
	} p;
	/* For the backend, zero before prepare. */
	void *own;
};

/* The description of a device. Unknown texts are empty, unknown numbers 0. */
struct backend_device {
	char name[128];        /* as its vendor names it: "NVIDIA H200" */
	char type[16];         /* cpu, gpu, accelerator */
	char detail[128];      /* platform, core type, compute capability */
	char version[64];      /* of the driver or library */
	char warning[256];     /* what makes it slow, and the remedy */
	uint64_t memory_bytes; /* total */
	uint32_t units;        /* cores, compute units, multiprocessors */
	bool threads;          /* it honors backend_config's threads */
	uint32_t dtypes;       /* 1 << enum backend_dtype of those it computes in */
};

struct backend_config {
	uint32_t abi;     /* BACKEND_ABI of the host */
	uint32_t device;  /* its index in probe's list */
	uint32_t threads; /* of a CPU; 0: one for each available processor */
	const char
	    *share_dir; /* benchutils' files; those of backends are in share_dir/backends */
	const char
	    *cache_dir; /* for compiled programs; NULL: none. It may not exist yet. */
};

/* A backend's state for one open device; each backend defines its own. */
struct backend_session;

struct backend {
	/* First member: a backend with another ABI than the host's is rejected. */
	uint32_t abi;
	const char *name;    /* for -b: lower case */
	const char *summary; /* one line */

	/*
	 * Describes the devices, at most max of them, and returns their number; 0 and the
	 * reason when there is none, -1 on failure. Runs in a process of its own, which may
	 * be killed after some seconds.
	 */
	int (*probe)(struct backend_device *list, size_t max, char *why);

	struct backend_session *(*open)(const struct backend_config *config, char *why);
	void (*close)(struct backend_session *s);

	/* Returns a handle of `bytes` bytes on the device, aligned to at least 64. */
	void *(*alloc)(struct backend_session *s, size_t bytes, char *why);
	void (*free)(struct backend_session *s, void *buffer);
	/* Copy between the host and byte `at` of a buffer; complete when they return. */
	int (*write)(struct backend_session *s, void *buffer, size_t at, const void *from,
	    size_t bytes, char *why);
	int (*read)(struct backend_session *s, void *buffer, size_t at, void *to,
	    size_t bytes, char *why);

	/*
	 * Optional. Checks that it can run this operation, whose hook is present, on these
	 * shapes and dtypes: 0, or -1 and why, and the subject is unsupported.
	 */
	int (*supports)(struct backend_session *s, const struct backend_op *op, char *why);
	/*
	 * Optional. Prepares a list that will be run in this order: compiles, chooses
	 * layouts, packs weights, reserves memory. All tensors have buffers, and weights
	 * and inputs have their values. Several lists may be prepared; a tensor may be in
	 * several.
	 */
	int (*prepare)(
	    struct backend_session *s, struct backend_op *op, size_t count, char *why);
	/* Required with prepare. */
	void (*release)(struct backend_session *s, struct backend_op *op, size_t count);

	/* Run an operation, or start it; the next one may read its results. NULL:
	 * unsupported. */
	int (*run[BACKEND_KINDS])(
	    struct backend_session *s, const struct backend_op *op, char *why);
	/* Waits until all operations are complete; 0, or -1 and why if one failed. */
	int (*sync)(struct backend_session *s, char *why);

	/* Optional. Returns the device memory that this session uses, in bytes. */
	uint64_t (*memory)(struct backend_session *s);
};

#ifdef __cplusplus
}
#endif

#endif

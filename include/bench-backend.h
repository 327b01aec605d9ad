/* SPDX-License-Identifier: MIT-0 */
/*
 * Declares the interface of a backend, through which benchutils runs kernels and models on
 * a family of devices. A backend is a shared object that exports one symbol, `const struct
 * backend bench_backend`. bench-backend(7) describes how to write one and where it is
 * searched for; share/examples/backend has a skeleton.
 *
 * Shapes are row-major, with the last dimension innermost. Sizes, strides and offsets are
 * in elements.
 *
 * Several threads may use different sessions at the same time. A session is used by one at
 * a time, but not always by the same. A hook that fails returns -1 or NULL and writes one
 * line, without a newline, to `why`. Hooks neither print nor exit.
 *
 * The hooks are called in this order: probe; open; alloc, and write for weights and inputs;
 * prepare, once for each list of operations; any number of times run[kind] for each
 * operation in order, then sync; read; release; free; close. Allocate nothing between
 * prepare and release, so that only the work is timed.
 */
#ifndef BENCH_BACKEND_H
#define BENCH_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench-engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the declarations below; every change of them changes it. */
#define BACKEND_ABI 10u

/* The limits of dimensions, inputs and outputs, and the bytes of a `why`. */
enum { BACKEND_DIMS = 4, BACKEND_INS = 8, BACKEND_OUTS = 2, BACKEND_WHY = 256 };
/* The number of elements of the table of `draw`. */
enum { BACKEND_DRAWN = 4 * 65535 + 1 };

/* The type of the elements of a tensor. */
enum backend_dtype {
	BACKEND_FLOAT32,
	BACKEND_FLOAT64,
	BACKEND_FLOAT16,  /* IEEE 754 binary16 */
	BACKEND_BFLOAT16, /* the upper half of a binary32 */
	BACKEND_TF32,     /* a binary32, of which products may read 10 bits of fraction */
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
	 * it, in the same number of bytes. It may also choose the layout of a tensor with
	 * views whose elements it finds in that layout.
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
	BACKEND_RELU,       /* max(x, 0); of a NaN a NaN, or 0 after a product */
	BACKEND_GELU,       /* x/2 (1 + erf(x / sqrt 2)) */
	BACKEND_GELU_TANH,  /* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) */
	BACKEND_QUICK_GELU, /* x / (1 + exp(-1.702 x)) */
	BACKEND_SILU,       /* x / (1 + exp(-x)) */
	BACKEND_TANH,
	BACKEND_SIGMOID,      /* 1 / (1 + exp(-x)) */
	BACKEND_SOFTPLUS,     /* log(1 + exp(x)) */
	BACKEND_RELU6,        /* min(max(x, 0), 6); of a NaN as RELU */
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
	 * multiply, it is the product instead of the sum. count is the number of elements
	 * of in1: inner = 1 adds a row to every row, and inner = H W adds a number to every
	 * channel.
	 */
	BACKEND_BINARY,
	/* out[..., d] = act(first half) second half of in0[..., 2 d] [rows], or with
	 * gate_last first half act(second half); p.element. */
	BACKEND_GLU,

	/*
	 * out[b,t,d] = alpha times the row in1[b,t] (int32) of in0[V,d]; p.gather. Without
	 * in1, the row first + past + i for token i. The tensors may have one dimension
	 * fewer (no b). [in1].
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
	/* out as that of CONV, of a in4[O] (q - z) and in1; q is z in the padding; p.conv.
	 * [in2], [in3]. */
	BACKEND_QCONV,
	/* out as that of EXPERTS, of a in4[E,N] (q - z) and in1; p.route. */
	BACKEND_QEXPERTS,

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

/* The description of a device. Unknown texts are empty, and unknown numbers are 0. */
struct backend_device {
	char name[128];        /* the vendor's name for it, such as "NVIDIA H200" */
	char type[16];         /* "cpu", "gpu" or "accelerator" */
	char word[32];         /* for -b NAME:WORD, in lower case, if it has a short name */
	char unusable[256];    /* why it cannot be used; empty if it can */
	char detail[128];      /* the platform, core type or compute capability */
	char version[64];      /* of the driver or library */
	char pci[16];          /* its PCI address, such as "0000:3b:00.0" */
	char warning[256];     /* why it is slow, and the remedy; "emulated ..." if it is */
	uint64_t memory_bytes; /* in total */
	uint32_t units;        /* the number of cores, compute units or multiprocessors */
	bool threads;          /* whether the device uses the threads of backend_config */
	/* A bit, 1 << dtype, for each dtype on whose tensors it computes. `detail` says if
	 * it computes those of 16 bits in float32. */
	uint32_t dtypes;
};

/* How to open a device. */
struct backend_config {
	uint32_t abi;     /* BACKEND_ABI of the program */
	uint32_t device;  /* the index of the device in probe's list */
	uint32_t threads; /* of a CPU; 0 means one for each available processor */
	/* The directory of benchutils' files; files of backends are in
	 * share_dir/backends. */
	const char *share_dir;
	/* The directory for compiled programs, which may not exist yet; NULL if there is
	 * none. */
	const char *cache_dir;
};

/* The state of one open device. Each backend defines its own. */
struct backend_session;

/*
 * A backend: its texts and hooks. Members are required unless marked as optional. With
 * `engine`, the hooks for buffers and operations, from alloc on, are optional.
 */
struct backend {
	/* BACKEND_ABI. Always the first member: a backend with another ABI than the
	 * program's is rejected. */
	uint32_t abi;
	const char *name;    /* for -b, in lower case; the file is backend-NAME.so */
	const char *summary; /* one line */

	/*
	 * Writes the descriptions of at most max devices to list and returns their number.
	 * Returns 0 and the reason if there is no device, and -1 if the search fails. Runs
	 * in a process of its own, which may be killed after some seconds.
	 */
	int (*probe)(struct backend_device *list, size_t max, char *why);

	/* Returns a new session for a device, which the backend owns until close. */
	struct backend_session *(*open)(const struct backend_config *config, char *why);
	/* Frees a session, whose buffers are freed and whose lists are released. */
	void (*close)(struct backend_session *s);

	/* Returns a handle for `bytes` bytes on the device, aligned to at least 64 bytes.
	 * Only the backend interprets the handle. */
	void *(*alloc)(struct backend_session *s, size_t bytes, char *why);
	/* Frees a buffer that alloc returned. */
	void (*free)(struct backend_session *s, void *buffer);
	/* Copies bytes from the host to byte `at` of a buffer; complete when it returns. */
	int (*write)(struct backend_session *s, void *buffer, size_t at, const void *from,
	    size_t bytes, char *why);
	/* Copies bytes from byte `at` of a buffer to the host; complete when it returns. */
	int (*read)(struct backend_session *s, void *buffer, size_t at, void *to,
	    size_t bytes, char *why);

	/*
	 * Optional. Returns 0 if the backend can run this operation, whose hook is present,
	 * on these shapes and dtypes; otherwise -1, and the subject gets the status
	 * unsupported. The tensors may not have buffers yet. Without this hook, every
	 * operation that has a hook is tried.
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
	/* Frees what prepare stored in a list. Required if prepare is present. */
	void (*release)(struct backend_session *s, struct backend_op *op, size_t count);

	/* Each runs an operation, or starts it. The next operation may read the results.
	 * NULL means that the backend lacks the operation. */
	int (*run[BACKEND_KINDS])(
	    struct backend_session *s, const struct backend_op *op, char *why);
	/*
	 * Optional. Runs all operations of a prepared list in order, or starts them, as
	 * their hooks in run would. A backend with this hook may do so in one step, such as
	 * by replaying a graph that it recorded.
	 */
	int (*run_list)(struct backend_session *s, const struct backend_op *op,
	    size_t count, char *why);
	/* Optional. Returns whether run_list runs a list in one step. */
	bool (*is_graph)(
	    struct backend_session *s, const struct backend_op *op, size_t count);
	/*
	 * Optional. Runs a prepared list, and stores in span when each operation ran, by
	 * the clock of the device. The start of the first operation is the time at which
	 * the host started the list. Returns 1 if the device cannot measure times.
	 */
	int (*time_list)(struct backend_session *s, const struct backend_op *op,
	    size_t count, struct backend_op_span *span, char *why);
	/* Waits until all started operations are complete. Returns 0, or -1 if one
	 * failed. */
	int (*sync)(struct backend_session *s, char *why);

	/* Optional. Returns the device memory that the session uses, in bytes. */
	uint64_t (*memory)(struct backend_session *s);
	/* Optional. Returns the device memory that opening the session took, which `memory`
	 * does not include, in bytes; 0 if unknown. */
	uint64_t (*memory_context)(struct backend_session *s);
	/* Optional. Returns the free memory of the device, in bytes; 0 if unknown. */
	uint64_t (*memory_free)(struct backend_session *s);
	/*
	 * Optional. Draws the first `count` elements of a buffer, of `size` bytes each (1,
	 * 2, 4 or 8), on the device, so that large weights are not copied to it.
	 * Element i is table[(z & 0xffff) + (z >> 16 & 0xffff) + (z >> 32 & 0xffff) +
	 * (z >> 48)], where
	 *   x = key + (i + 1) 0x9e3779b97f4a7c15;
	 *   y = (x ^ x >> 30) 0xbf58476d1ce4e5b9;
	 *   w = (y ^ y >> 27) 0x94d049bb133111eb;
	 *   z = w ^ w >> 31,
	 * all modulo 2^64. The table has BACKEND_DRAWN elements in the host's memory.
	 * Complete when it returns. Without this hook, the program draws the same elements
	 * and writes them.
	 */
	int (*draw)(struct backend_session *s, void *buffer, size_t size, const void *table,
	    uint64_t key, uint64_t count, char *why);

	/* Optional. The hooks of an engine, which runs whole models. */
	const struct backend_engine *engine;
};

#ifdef __cplusplus
}
#endif

#endif

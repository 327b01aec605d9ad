/*
 * What the files of the cpu backend share: the session, tensors as pointers and strides,
 * and the kernels, which are compiled once for each width of vector and each type.
 */
#ifndef CPU_H
#define CPU_H

#include "bench-backend.h"

enum { CPU_FLOAT32, CPU_FLOAT64, CPU_TYPES };

struct backend_session;

/* An operation on tensors of one type, with the session's threads. */
typedef void cpu_kernel(struct backend_session *s, const struct backend_op *op);

/* x = act(x) for n numbers, in place. */
typedef void cpu_act(void *x, int64_t n, enum backend_act act);

/* c[m,n] = act(a[m,k] b + bias[n] + residual[m,n]), where b was packed, on the calling
 * thread alone. Bias and residual may be NULL. */
struct cpu_packed {
	int64_t m, n, k;
	const void *a;
	int64_t lda;
	const void *b; /* from the first panel of the n columns on */
	void *c;
	int64_t ldc;
	const void *bias, *residual;
	int64_t residual_row;
	enum backend_act act;
	void *room; /* of room_bytes */
};

/* How an instruction set packs. */
struct cpu_packing {
	int64_t wide; /* columns of a panel; k deep it takes wide k numbers */
	size_t room_bytes;
	void (*pack)(
	    void *packed, const void *b, int64_t ldb, bool transpose, int64_t n, int64_t k);
	void (*run)(const struct cpu_packed *p);
};

/* One for each instruction set that the kernels are compiled for. */
struct cpu_isa {
	const char *name;
	uint32_t bits; /* of a vector register */
	cpu_kernel *run[BACKEND_KINDS][CPU_TYPES];
	cpu_act *act[CPU_TYPES];
	struct cpu_packing packing[CPU_TYPES];
	/* Scratch memory that each thread needs of an attention. */
	size_t (*attention_bytes[CPU_TYPES])(const struct backend_op *op);
	/* c[m,n] = a[m,k] b[n,k]' of int8 into int32; all rows contiguous in k and n. */
	void (*gemm_int8)(int64_t m, int64_t n, int64_t k, const int8_t *a, int64_t lda,
	    const int8_t *b, int64_t ldb, int32_t *c, int64_t ldc);
};

extern const struct cpu_isa cpu_plain;
#ifdef __x86_64__
extern const struct cpu_isa cpu_avx2, cpu_avx512;
#endif

/* The widest of them that this processor has, or of those up to the one that the
 * environment's BENCH_CPU_ISA names. */
const struct cpu_isa *cpu_isa_best(void);

struct backend_session {
	int threads;
	const struct cpu_isa *isa;
	uint64_t bytes; /* allocated */
	void *scratch;  /* of the operation that runs */
	size_t scratch_bytes;
	struct cpu_dnn *dnn; /* NULL: without oneDNN */
	bool dnn_products;   /* of float32, with it: cpu_dnn_products */
};

/* -1 and the reason, so that a hook can `return cpu_fail(...)`. */
int cpu_fail(char *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Memory of the session, aligned to a page; NULL when there is none. Counted. */
void *cpu_alloc(struct backend_session *s, size_t bytes);
void cpu_free(struct backend_session *s, void *ptr);
/* Make sure that the scratch memory has so many bytes. */
int cpu_scratch(struct backend_session *s, size_t bytes, char *why);

/* What gemm, gemv and experts need of it, in bytes. */
size_t cpu_gemm_scratch(const struct backend_session *s, const struct backend_op *op);
/* Weights of a gemm are packed, once for all that use them. */
int cpu_gemm_prepare(struct backend_session *s, struct backend_op *op, char *why);
void cpu_gemm_release(struct backend_session *s, struct backend_op *op);
int cpu_gemm(struct backend_session *s, const struct backend_op *op, char *why);
int cpu_gemv(struct backend_session *s, const struct backend_op *op, char *why);
int cpu_experts(struct backend_session *s, const struct backend_op *op, char *why);

/* Convolution without oneDNN: windows as the rows of a matrix product. */
size_t cpu_im2col_scratch(const struct backend_session *s, const struct backend_op *op);
int cpu_im2col(struct backend_session *s, const struct backend_op *op, char *why);

/* Moves between dtypes, of those that it knows. */
bool cpu_converts(enum backend_dtype dtype);
int cpu_convert(struct backend_session *s, const struct backend_op *op, char *why);

/* The devices and what hinders them: for probe. */
int cpu_probe(struct backend_device *list, size_t max, char *why);
/* Processors that this process may use. */
int cpu_processors(void);

/* How many threads are worth waking for so much work: `work` in vectorised operations on
 * an element, below some ten thousand of which waking costs more than it saves. */
static inline int cpu_team(const struct backend_session *s, int64_t work)
{
	int64_t most = work / 16384;
	return most < 1 ? 1 : most < s->threads ? (int)most : s->threads;
}

static inline int64_t cpu_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t cpu_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t cpu_count(const struct backend_tensor *t)
{
	int64_t n = 1;
	for (uint32_t i = 0; i < t->dims; i++)
		n *= t->size[i];
	return n;
}

/* Its innermost size; and how many such rows it has. */
static inline int64_t cpu_columns(const struct backend_tensor *t)
{
	return t->dims ? t->size[t->dims - 1] : 1;
}

static inline int64_t cpu_row_count(const struct backend_tensor *t)
{
	int64_t n = 1;
	for (uint32_t i = 0; i + 1 < t->dims; i++)
		n *= t->size[i];
	return n;
}

/* Where row r begins, in elements from the tensor's first. */
static inline int64_t cpu_row(const struct backend_tensor *t, int64_t r)
{
	int64_t at = 0;
	for (uint32_t i = t->dims < 2 ? 0 : t->dims - 1; i-- > 0;) {
		at += r % t->size[i] * t->stride[i];
		r /= t->size[i];
	}
	return at;
}

/* Sizes and strides counted from the last dimension, 1 the innermost; absent ones are 1 and
 * 0. */
static inline int64_t cpu_size(const struct backend_tensor *t, uint32_t from_end)
{
	return from_end > t->dims ? 1 : t->size[t->dims - from_end];
}

static inline int64_t cpu_stride(const struct backend_tensor *t, uint32_t from_end)
{
	return from_end > t->dims ? 0 : t->stride[t->dims - from_end];
}

static inline float *cpu_f32(const struct backend_tensor *t)
{
	return (float *)t->buffer + t->offset;
}

static inline double *cpu_f64(const struct backend_tensor *t)
{
	return (double *)t->buffer + t->offset;
}

static inline int32_t *cpu_i32(const struct backend_tensor *t)
{
	return (int32_t *)t->buffer + t->offset;
}

static inline int8_t *cpu_i8(const struct backend_tensor *t)
{
	return (int8_t *)t->buffer + t->offset;
}

#endif

/*
 * The call of a kernel, put together argument by argument, and what the operations of the
 * GPU backends need besides.
 */
#ifndef GPU_CALL_H
#define GPU_CALL_H

#include "gpu.h"

/* Where a kernel is: a file of backends/gpu/kernels, without its suffix, and a name in it. */
struct gpu_source {
	const char *file, *name;
};

struct gpu_call {
	struct gpu *gpu;
	void *kernel;
	bool wide_real; /* R is double */
	int64_t count;
	uint32_t group_size;
	struct gpu_arg arg[GPU_ARGS];
	size_t args;
};

/*
 * Begin a call of a kernel built for tensors of types dtype (T) and other (U), and with
 * STATES where states is not 0, on `count` things; it goes in groups of gpu->group or
 * row_group work-items. A failure is kept until call_go.
 */
struct gpu_call call_begin(struct gpu *g, const char *file, const char *name,
    enum backend_dtype dtype, enum backend_dtype other, int64_t states, int64_t count,
    char *why);
void call_tensor(struct gpu_call *c, const struct backend_tensor *t); /* or NULL */
/* A driver's buffer, from its element `at` on. */
void call_buffer(struct gpu_call *c, void *buffer, int64_t at);
void call_int(struct gpu_call *c, int64_t value);
void call_ints(struct gpu_call *c, size_t count, const int64_t *value);
void call_long(struct gpu_call *c, int64_t value);
void call_real(struct gpu_call *c, double value);
/* Set it going: so many groups of so many work-items. */
int call_go(struct gpu_call *c, int64_t groups, uint32_t group_size, char *why);
/* The same for kernels that go element by element, each work-item having `each`. */
int call_each(struct gpu_call *c, int64_t each, char *why);
/* The same for those whose groups have a row each. */
int call_rows(struct gpu_call *c, char *why);

#define INTS(c, ...)                                                       \
	call_ints(c, sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), \
	    (int64_t[]){ __VA_ARGS__ })

uint32_t gpu_group(const struct gpu *g);
uint32_t gpu_row_group(const struct gpu *g);
int64_t gpu_chains(const struct gpu *g, enum backend_dtype dtype);
size_t gpu_dtype_bytes(enum backend_dtype dtype);
const char *gpu_dtype_name(enum backend_dtype dtype);

/* The driver's handle of a tensor's buffer; NULL of NULL. */
void *tensor_handle(const struct backend_tensor *t);
int64_t tensor_elements(const struct backend_tensor *t);
/* The innermost size; the number of rows. */
int64_t tensor_columns(const struct backend_tensor *t);
int64_t tensor_rows(const struct backend_tensor *t);

/*
 * Rows apart, in two levels: row r begins at r / inner outer_stride + r % inner
 * inner_stride. False: a tensor of four dimensions whose first two make no one step.
 */
struct tensor_steps {
	int64_t inner, outer_stride, inner_stride;
};
bool tensor_steps(const struct backend_tensor *t, struct tensor_steps *s);

/* Room of so many bytes for the moment, from *at on, which grows; its handle is gpu->room.
 */
void room_take(struct gpu *g, size_t bytes, size_t *at, size_t *used);

/* a b with up to three dimensions of batches, of which the longest is the library's. */
struct product_batch {
	int64_t count, a, b, c;
};
int product_run(
    struct gpu *g, struct gpu_product *p, const struct product_batch batch[3], char *why);

/* One operation each, or a few alike: 0, or -1 and why. */
typedef int gpu_operation(struct gpu *g, const struct backend_op *op, char *why);
gpu_operation op_nop, op_stream, op_chain, op_dot, op_gemv;
gpu_operation op_gemm, op_conv, op_attention, op_experts;
gpu_operation op_layernorm, op_rmsnorm, op_groupnorm, op_batchnorm, op_softmax;
gpu_operation op_unary, op_binary, op_glu, op_gather, op_move;
gpu_operation op_pool, op_resize;
gpu_operation op_rope, op_relative, op_sinusoid, op_scan, op_causal_conv;
gpu_operation op_route, op_combine, op_topk;

/* Tables that an operation reads: made when it is prepared, freed with it. */
int table_rope(struct gpu *g, struct backend_op *op, char *why);
int table_sinusoid(struct gpu *g, struct backend_op *op, char *why);
int table_relative(struct gpu *g, struct backend_op *op, char *why);

#endif

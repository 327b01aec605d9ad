/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans of oneDNN's primitives, shared by the files cpu_dnn*.c. The only header that
 * includes oneDNN's. */
#ifndef CPU_CPU_DNN_PRIV_H
#define CPU_CPU_DNN_PRIV_H

#include <oneapi/dnnl/dnnl.h>

#include "cpu_dnn.h"
#include "cpu_op.h"

struct cpu_dnn {
	dnnl_engine_t engine;
	dnnl_stream_t stream;
	int64_t block; /* channels */
	dnnl_format_tag_t blocked;
	bool bfloat16; /* whether the processor multiplies bfloat16 */
	char version[32];
};

enum { STEPS = 4, ARGS = 8 };

/* A memory object and where its bytes are: in a buffer, or at an offset in the scratch. */
struct dnn_place {
	dnnl_memory_t memory;
	bool in_scratch;
	size_t scratch;
};

/* One primitive and its arguments. */
struct dnn_step {
	dnnl_primitive_t primitive;
	dnnl_exec_arg_t arg[ARGS];
	struct dnn_place place[ARGS];
	int args;
};

/* The `own` of an operation. */
struct dnn_plan {
	struct cpu_own head;
	struct dnn_step step[STEPS];
	int steps;
	bool maxima; /* whether it is a pooling by a kernel of ours, without steps */
	bool single; /* whether one thread runs it */
	size_t scratch_bytes;
	void *weights;
	void *padded; /* the source of a convolution with a channel of zeros; or NULL */
	struct dnn_shared *shared; /* weights that other plans also use; or NULL */
};

/* The `own` of a weight: its elements in the layout of a primitive. */
struct dnn_shared {
	size_t users;
	struct backend_tensor *of;
	bool transpose; /* whether the products with it are with transpose */
	dnnl_memory_desc_t md;
	void *bytes;
};

/* Returns whether oneDNN computes on tensors of this dtype. */
bool cpu_dnn_takes(const struct cpu_dnn *d, enum backend_dtype dtype);
/* Returns the type of float32 or bfloat16. */
dnnl_data_type_t cpu_dnn_type(const struct backend_tensor *t);
/* Returns the first element of a tensor of these types. */
void *cpu_dnn_first(const struct backend_tensor *t);
/* Appends an activation to post-operations, unless it is linear. */
void cpu_dnn_append_act(dnnl_post_ops_t post, enum backend_act act);
/* Releases weights after their last user; NULL is allowed. */
void cpu_dnn_shared_release(struct backend_session *s, struct dnn_shared *shared);

/* Returns whether a tensor is marked as blocked. Tensors are marked blocked or plain while
 * a list is prepared. */
bool cpu_dnn_is_blocked(const struct backend_tensor *t);
/* Returns whether a tensor has one pixel for each channel, so that both layouts are equal.
 */
bool cpu_dnn_is_pixel(const struct backend_tensor *t);
/* Returns whether a convolution has weights that can be reordered once: constant ones. */
bool cpu_dnn_takes_weights(const struct backend_op *op);
/* Returns whether blocks hold whole groups, or each channel is a group. */
bool cpu_dnn_groups_fit(const struct cpu_dnn *d, const struct backend_op *op);
/* Marks as blocked every tensor for which all its operations support it. */
void cpu_dnn_mark(const struct cpu_dnn *d, struct backend_op *op, size_t count);
/* Marks all tensors of an operation as plain; returns whether any mark changed. */
bool cpu_dnn_make_plain(const struct backend_op *op);
/* Marks as plain the tensors that an operation does not support as blocked; returns whether
 * any mark changed. */
bool cpu_dnn_settle(const struct cpu_dnn *d, const struct backend_op *op);

/* Describes a tensor in blocks or plain. */
dnnl_memory_desc_t cpu_dnn_describe(
    const struct cpu_dnn *d, const struct backend_tensor *t, bool blocked);
/* Creates attributes with a scratchpad that the caller provides. Returns NULL if there is
 * no memory. */
dnnl_primitive_attr_t cpu_dnn_attributes_create(void);
/* Binds a step's argument to bytes, or with NULL to this offset of the scratch. */
bool cpu_dnn_step_bind(const struct cpu_dnn *d, struct dnn_step *st, int name,
    const dnnl_memory_desc_t *md, void *bytes, size_t scratch);
/* Reserves scratch memory of a plan and returns its offset. */
size_t cpu_dnn_scratch_take(struct dnn_plan *p, const dnnl_memory_desc_t *md);
/* Creates the primitive of a step and binds its scratchpad. Takes ownership of pd. */
bool cpu_dnn_step_create(const struct cpu_dnn *d, struct dnn_plan *p, struct dnn_step *st,
    dnnl_primitive_desc_t pd);
/* A memory of a plan; NULL bytes are in the scratch, at this offset. */
struct dnn_memory {
	const dnnl_memory_desc_t *md;
	void *bytes;
	size_t scratch;
};
/* Adds a reorder between two memories to a plan. */
bool cpu_dnn_plan_reorder(const struct cpu_dnn *d, struct dnn_plan *p,
    struct dnn_memory from, struct dnn_memory to);
/* Runs a step. */
bool cpu_dnn_step_run(const struct backend_session *s, const struct dnn_step *st);
/* These free a step, and a plan with its steps. */
void cpu_dnn_step_free(struct dnn_step *st);
void cpu_dnn_plan_free(struct backend_session *s, struct dnn_plan *p);

/* A convolution and the layouts of its tensors. */
struct dnn_conv {
	const struct backend_op *op;
	dnnl_memory_desc_t src, weights, dst; /* weights describes them as in the list */
	dnnl_memory_desc_t plain_src, plain_dst;
	bool src_turned, dst_turned; /* reordered from, or to, the layout of the list */
	bool sum; /* the residual is in dst; otherwise it is a binary post-operation */
	/*
	 * Whether source and weights get a channel of zeros. oneDNN multiplies bfloat16 in
	 * pairs of channels. For the last one of an odd number it takes the next pixel,
	 * times 0, which is NaN if that is infinite.
	 */
	bool extra;
};

/* Chooses the layouts: blocked if the list is, else by reorders if the channels allow it.
 * The few channels of an image are used without a change. */
struct dnn_conv cpu_dnn_conv_of(const struct cpu_dnn *d, const struct backend_op *op);
/* Describes the primitive. Returns NULL if there is none, or none that is faster than a
 * matrix product. */
dnnl_primitive_desc_t cpu_dnn_conv_describe(
    const struct cpu_dnn *d, const struct dnn_conv *c);
/* Fills a plan: reorders, the convolution, a reorder. Takes ownership of pd. Returns false
 * if there is no memory. */
bool cpu_dnn_conv_fill(struct backend_session *s, struct dnn_plan *p,
    const struct dnn_conv *c, dnnl_primitive_desc_t pd);

#endif

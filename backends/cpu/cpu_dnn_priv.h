/* What the files of cpu_dnn.c share: plans of oneDNN's primitives. The only includer of its
 * headers. */
#ifndef CPU_DNN_PARTS_H
#define CPU_DNN_PARTS_H

#include <oneapi/dnnl/dnnl.h>

#include "cpu_dnn.h"

struct cpu_dnn {
	dnnl_engine_t engine;
	dnnl_stream_t stream;
	int64_t block; /* channels */
	dnnl_format_tag_t blocked;
	char version[32];
};

enum { STEPS = 4, ARGS = 8 };

/* A memory object and where its bytes are: in a buffer, or at a place in the scratch. */
struct place {
	dnnl_memory_t memory;
	bool in_scratch;
	size_t scratch;
};

/* One primitive and what it is called with. */
struct step {
	dnnl_primitive_t primitive;
	dnnl_exec_arg_t arg[ARGS];
	struct place place[ARGS];
	int args;
};

/* What an operation has as its `own`. */
struct plan {
	struct step step[STEPS];
	int steps;
	size_t scratch_bytes;
	void *weights;
};

/* Tensors are marked blocked or plain while a list is prepared. */
bool cpu_dnn_is_blocked(const struct backend_tensor *t);
/* One pixel a channel: the same in both layouts. */
bool cpu_dnn_is_pixel(const struct backend_tensor *t);
/* Groups fall between blocks, or each channel is its own. */
bool cpu_dnn_groups_fit(const struct cpu_dnn *d, const struct backend_op *op);
/* Mark all that may be blocked and that every operation can do with. */
void cpu_dnn_mark(const struct cpu_dnn *d, struct backend_op *op, size_t count);
/* Take back marks: all of an operation's, or those that it cannot do with. Whether there
 * were any. */
bool cpu_dnn_all_plain(const struct backend_op *op);
bool cpu_dnn_settle(const struct cpu_dnn *d, const struct backend_op *op);

dnnl_memory_desc_t cpu_dnn_described(
    const struct cpu_dnn *d, const struct backend_tensor *t, bool blocked);
/* With a scratchpad of the caller's; NULL when there is no memory. */
dnnl_primitive_attr_t cpu_dnn_attributes(void);
/* A step's argument: a buffer of the list, or with NULL the next bytes of the scratch. */
bool cpu_dnn_argue(const struct cpu_dnn *d, struct step *st, int name,
    const dnnl_memory_desc_t *md, void *bytes, size_t scratch);
/* Where in the scratch there is room for it now. */
size_t cpu_dnn_place(struct plan *p, const dnnl_memory_desc_t *md);
/* The primitive of a step, and its scratchpad. Takes the descriptor over. */
bool cpu_dnn_step_create(
    const struct cpu_dnn *d, struct plan *p, struct step *st, dnnl_primitive_desc_t pd);
/* A reorder between two places; NULL bytes are in scratch. */
bool cpu_dnn_reorder_add(const struct cpu_dnn *d, struct plan *p,
    const dnnl_memory_desc_t *from, void *from_bytes, size_t from_scratch,
    const dnnl_memory_desc_t *to, void *to_bytes, size_t to_scratch);
bool cpu_dnn_step_run(const struct backend_session *s, const struct step *st);
void cpu_dnn_step_free(struct step *st);
void cpu_dnn_plan_free(struct backend_session *s, struct plan *p);

/* How a convolution is to be made. */
struct conv {
	const struct backend_op *op;
	dnnl_memory_desc_t src, weights, dst; /* the weights' as the list has them */
	dnnl_memory_desc_t plain_src, plain_dst;
	bool src_turned, dst_turned; /* to be reordered from, or to, what the list has */
	bool sum; /* the residual stands in dst; else it is a binary post-operation */
};

struct conv cpu_dnn_conv_of(const struct cpu_dnn *d, const struct backend_op *op);
/* NULL when there is none, or only one that is slower than a matrix product. */
dnnl_primitive_desc_t cpu_dnn_conv_described(const struct cpu_dnn *d, const struct conv *c);
/* Fill a plan: reorders, the convolution, a reorder. Takes the descriptor over. False when
 * there was no memory. */
bool cpu_dnn_conv_fill(struct backend_session *s, struct plan *p, const struct conv *c,
    dnnl_primitive_desc_t pd);

#endif

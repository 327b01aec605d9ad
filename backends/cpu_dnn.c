/*
 * Convolutions by oneDNN, and the layouts of what lies between them.
 *
 * Its convolutions are at their best on channels in blocks of a vector's width, innermost.
 * A tensor is laid out so when it is whole, of this list alone, and touched only by
 * operations that know of it: convolutions, poolings, and element-wise operations on equal
 * sizes, to which the order of elements is all one. As its channels are a multiple of the
 * block, it takes as many bytes as before. Elsewhere a convolution reorders what it reads
 * and writes. Residual and activation are post-operations; weights are reordered once.
 *
 * The layouts are kept in the plans of the operations, not in the tensors, as the same
 * tensor may be laid out in another way in another list.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const char *cpu_dnn_version(void)
{
	static char text[32];
	const dnnl_version_t *v = dnnl_version();
	snprintf(text, sizeof(text), "%d.%d.%d", v->major, v->minor, v->patch);
	return text;
}

struct cpu_dnn *cpu_dnn_open(const struct backend_session *s)
{
	const char *wanted = getenv("BENCH_CPU_DNN");
	if (wanted && strcmp(wanted, "no") == 0)
		return NULL;
	struct cpu_dnn *d = calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	d->block = s->isa->bits == 512 ? 16 : 8;
	d->blocked = d->block == 16 ? dnnl_nChw16c : dnnl_nChw8c;
	if (dnnl_engine_create(&d->engine, dnnl_cpu, 0) != dnnl_success ||
	    dnnl_stream_create(&d->stream, d->engine, dnnl_stream_default_flags) !=
	        dnnl_success) {
		cpu_dnn_close(d);
		return NULL;
	}
	return d;
}

void cpu_dnn_close(struct cpu_dnn *d)
{
	if (!d)
		return;
	dnnl_stream_destroy(d->stream);
	dnnl_engine_destroy(d->engine);
	free(d);
}

/* Tensor marks, in their `layout` while a list is prepared. */
enum { UNSEEN, PLAIN, BLOCKED };

static bool may_block(const struct cpu_dnn *d, const struct backend_tensor *t)
{
	return t->role == BACKEND_ACTIVATION && t->whole && t->dtype == BACKEND_FLOAT32 &&
	       t->dims == 4 && t->size[1] % d->block == 0;
}

/* One pixel a channel: the same in both layouts. */
static bool is_pixel(const struct backend_tensor *t)
{
	return t->dims == 4 && t->size[2] == 1 && t->size[3] == 1;
}

static bool same_sizes(const struct backend_tensor *a, const struct backend_tensor *b)
{
	return a->dims == b->dims &&
	       memcmp(a->size, b->size, a->dims * sizeof(*a->size)) == 0;
}

/* Groups fall between blocks, or each channel is its own. */
static bool groups_fit(const struct cpu_dnn *d, const struct backend_op *op)
{
	int64_t groups = op->p.conv.groups, in = op->in[0]->size[1],
	        out = op->out[0]->size[1];
	return groups == 1 || (groups == in && groups == out) ||
	       (in / groups % d->block == 0 && out / groups % d->block == 0);
}

/* What an operation can do with the marks of its tensors. */
enum demand { ALL_PLAIN, ALL_ALIKE, EACH, OUT_FOLLOWS_IN };

static enum demand demand_of(const struct cpu_dnn *d, const struct backend_op *op)
{
	switch (op->kind) {
	case BACKEND_CONV:
		return groups_fit(d, op) ? EACH : ALL_PLAIN;
	case BACKEND_POOL:
		return OUT_FOLLOWS_IN;
	case BACKEND_UNARY:
		return ALL_ALIKE;
	case BACKEND_BINARY:
		return same_sizes(op->in[0], op->in[1]) && op->p.element.inner == 1
		           ? ALL_ALIKE
		           : ALL_PLAIN;
	default:
		return ALL_PLAIN;
	}
}

static bool make_plain(struct backend_tensor *t)
{
	bool changed = t && t->layout == BLOCKED;
	if (changed)
		t->layout = PLAIN;
	return changed;
}

static bool is_blocked(const struct backend_tensor *t)
{
	return t && t->layout == BLOCKED;
}

/* The tensors of an operation, one after the other; NULLs among them. */
static struct backend_tensor *tensor_of(const struct backend_op *op, int i)
{
	return i < BACKEND_INS ? op->in[i] : op->out[i - BACKEND_INS];
}

enum { TENSORS = BACKEND_INS + BACKEND_OUTS };

static bool all_plain(const struct backend_op *op)
{
	bool changed = false;
	for (int i = 0; i < TENSORS; i++)
		changed = make_plain(tensor_of(op, i)) || changed;
	return changed;
}

/* Take back the marks that this operation cannot do with. Whether there were any. */
static bool settle(const struct cpu_dnn *d, const struct backend_op *op)
{
	switch (demand_of(d, op)) {
	case ALL_PLAIN:
		return all_plain(op);
	case ALL_ALIKE:
		for (int i = 0; i < TENSORS; i++)
			if (tensor_of(op, i) && !is_blocked(tensor_of(op, i)))
				return all_plain(op);
		return false;
	case EACH:
		/* The residual is as the result is. */
		if (op->in[3] && is_blocked(op->in[3]) != is_blocked(op->out[0]))
			return make_plain(op->in[3]) || make_plain(op->out[0]);
		return false;
	case OUT_FOLLOWS_IN:
		if (is_blocked(op->in[0]) &&
		    (is_blocked(op->out[0]) || is_pixel(op->out[0])))
			return false;
		return all_plain(op);
	}
	return false;
}

static void mark(const struct cpu_dnn *d, struct backend_op *op, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (int j = 0; j < TENSORS; j++) {
			struct backend_tensor *t = tensor_of(&op[i], j);
			if (t)
				t->layout = may_block(d, t) ? BLOCKED : PLAIN;
		}
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < count; i++)
			changed = settle(d, &op[i]) || changed;
	}
}

static dnnl_memory_desc_t described(
    const struct cpu_dnn *d, const struct backend_tensor *t, bool blocked)
{
	dnnl_memory_desc_t md;
	dnnl_dims_t dims = { t->size[0], t->size[1], t->size[2], t->size[3] };
	dnnl_memory_desc_init_by_tag(
	    &md, 4, dims, dnnl_f32, blocked ? d->blocked : dnnl_nchw);
	return md;
}

/* A step's argument: a buffer of the list, or with NULL the next bytes of the scratch. */
static bool argue(const struct cpu_dnn *d, struct step *st, int name,
    const dnnl_memory_desc_t *md, void *bytes, size_t scratch)
{
	struct place *p = &st->place[st->args];
	p->in_scratch = bytes == NULL;
	p->scratch = scratch;
	if (dnnl_memory_create(&p->memory, md, d->engine,
	        bytes ? bytes : DNNL_MEMORY_NONE) != dnnl_success)
		return false;
	st->arg[st->args++] = (dnnl_exec_arg_t){ name, p->memory };
	return true;
}

static size_t place_in_scratch(struct plan *p, const dnnl_memory_desc_t *md)
{
	size_t at = p->scratch_bytes;
	p->scratch_bytes += (dnnl_memory_desc_get_size(md) + 63) / 64 * 64;
	return at;
}

static dnnl_primitive_attr_t attributes(void)
{
	dnnl_primitive_attr_t attr;
	if (dnnl_primitive_attr_create(&attr) != dnnl_success)
		return NULL;
	dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user);
	return attr;
}

/* The primitive of a step, and its scratchpad. Takes the descriptor over. */
static bool step_create(
    const struct cpu_dnn *d, struct plan *p, struct step *st, dnnl_primitive_desc_t pd)
{
	const dnnl_memory_desc_t *pad =
	    dnnl_primitive_desc_query_md(pd, dnnl_query_scratchpad_md, 0);
	bool fine =
	    dnnl_primitive_create(&st->primitive, pd) == dnnl_success &&
	    (dnnl_memory_desc_get_size(pad) == 0 ||
	        argue(d, st, DNNL_ARG_SCRATCHPAD, pad, NULL, place_in_scratch(p, pad)));
	dnnl_primitive_desc_destroy(pd);
	return fine;
}

/* A reorder between two places; NULL bytes are in scratch. */
static bool reorder_add(const struct cpu_dnn *d, struct plan *p,
    const dnnl_memory_desc_t *from, void *from_bytes, size_t from_scratch,
    const dnnl_memory_desc_t *to, void *to_bytes, size_t to_scratch)
{
	struct step *st = &p->step[p->steps++];
	dnnl_primitive_attr_t attr = attributes();
	dnnl_primitive_desc_t pd;
	bool fine = attr &&
	            dnnl_reorder_primitive_desc_create(
	                &pd, from, d->engine, to, d->engine, attr) == dnnl_success &&
	            step_create(d, p, st, pd) &&
	            argue(d, st, DNNL_ARG_FROM, from, from_bytes, from_scratch) &&
	            argue(d, st, DNNL_ARG_TO, to, to_bytes, to_scratch);
	dnnl_primitive_attr_destroy(attr);
	return fine;
}

static void step_free(struct step *st)
{
	for (int i = 0; i < st->args; i++)
		dnnl_memory_destroy(st->place[i].memory);
	dnnl_primitive_destroy(st->primitive);
}

static void plan_free(struct backend_session *s, struct plan *p)
{
	for (int i = 0; i < p->steps; i++)
		step_free(&p->step[i]);
	cpu_free(s, p->weights);
	free(p);
}

static bool step_run(const struct backend_session *s, const struct step *st)
{
	for (int i = 0; i < st->args; i++)
		if (st->place[i].in_scratch &&
		    dnnl_memory_set_data_handle(st->place[i].memory,
		        (char *)s->scratch + st->place[i].scratch) != dnnl_success)
			return false;
	return dnnl_primitive_execute(st->primitive, s->dnn->stream, st->args, st->arg) ==
	       dnnl_success;
}

int cpu_dnn_run(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct plan *p = op->own;
	omp_set_num_threads(s->threads);
	for (int i = 0; i < p->steps; i++)
		if (!step_run(s, &p->step[i]))
			return cpu_fail(why, "oneDNN: a primitive failed");
	return 0;
}

/* Activations as post-operations, with oneDNN's first parameter. */
static const struct {
	dnnl_alg_kind_t alg;
	float alpha;
} eltwises[BACKEND_ACTS] = {
	[BACKEND_RELU] = { dnnl_eltwise_relu, 0 },
	[BACKEND_GELU] = { dnnl_eltwise_gelu_erf, 0 },
	[BACKEND_GELU_TANH] = { dnnl_eltwise_gelu_tanh, 0 },
	[BACKEND_QUICK_GELU] = { dnnl_eltwise_swish, 1.702f },
	[BACKEND_SILU] = { dnnl_eltwise_swish, 1 },
	[BACKEND_TANH] = { dnnl_eltwise_tanh, 0 },
	[BACKEND_SIGMOID] = { dnnl_eltwise_logistic, 0 },
	[BACKEND_SOFTPLUS] = { dnnl_eltwise_soft_relu, 0 },
};

/* How a convolution is to be made. */
struct conv {
	const struct backend_op *op;
	dnnl_memory_desc_t src, weights, dst; /* the weights' as the list has them */
	dnnl_memory_desc_t plain_src, plain_dst;
	bool src_turned, dst_turned; /* to be reordered from, or to, what the list has */
	bool sum; /* the residual stands in dst; else it is a binary post-operation */
};

static dnnl_primitive_attr_t conv_attributes(const struct conv *c)
{
	dnnl_primitive_attr_t attr = attributes();
	dnnl_post_ops_t post = NULL;
	if (!attr || dnnl_post_ops_create(&post) != dnnl_success)
		return attr;
	if (c->op->in[3] && c->sum)
		dnnl_post_ops_append_sum(post, 1);
	else if (c->op->in[3])
		dnnl_post_ops_append_binary(post, dnnl_binary_add, &c->dst);
	if (c->op->act != BACKEND_LINEAR)
		dnnl_post_ops_append_eltwise(
		    post, 1, eltwises[c->op->act].alg, eltwises[c->op->act].alpha, 0);
	dnnl_primitive_attr_set_post_ops(attr, post);
	dnnl_post_ops_destroy(post);
	return attr;
}

static dnnl_memory_desc_t weights_described(const struct backend_op *op, bool any)
{
	const struct backend_tensor *w = op->in[1];
	int64_t groups = op->p.conv.groups;
	dnnl_memory_desc_t md;
	dnnl_dims_t dims = { w->size[0], w->size[1], w->size[2], w->size[3] };
	dnnl_dims_t grouped = { groups, w->size[0] / groups, w->size[1], w->size[2],
		w->size[3] };
	if (groups == 1)
		dnnl_memory_desc_init_by_tag(
		    &md, 4, dims, dnnl_f32, any ? dnnl_format_tag_any : dnnl_oihw);
	else
		dnnl_memory_desc_init_by_tag(
		    &md, 5, grouped, dnnl_f32, any ? dnnl_format_tag_any : dnnl_goihw);
	return md;
}

/* NULL when there is none, or only one that is slower than a matrix product. */
static dnnl_primitive_desc_t conv_described(const struct cpu_dnn *d, const struct conv *c)
{
	const struct backend_op *op = c->op;
	dnnl_memory_desc_t bias, weights = weights_described(op, true);
	if (op->in[2]) {
		dnnl_dims_t size = { op->in[2]->size[0] };
		dnnl_memory_desc_init_by_tag(&bias, 1, size, dnnl_f32, dnnl_x);
	}
	const int64_t *step = op->p.conv.stride, *before = op->p.conv.before;
	dnnl_dims_t strides = { step[0], step[1] }, left = { before[0], before[1] }, right;
	dnnl_dims_t apart;
	for (int i = 0; i < 2; i++) {
		apart[i] = op->p.conv.dilation[i] - 1;
		/* As much as the windows reach, which may be less than the list says. */
		int64_t reach = (op->in[1]->size[2 + i] - 1) * op->p.conv.dilation[i] + 1;
		right[i] = (op->out[0]->size[2 + i] - 1) * step[i] + reach -
		           op->in[0]->size[2 + i] - before[i];
	}
	dnnl_convolution_desc_t desc;
	dnnl_primitive_attr_t attr = conv_attributes(c);
	dnnl_primitive_desc_t pd = NULL;
	const char *how = "";
	if (dnnl_dilated_convolution_forward_desc_init(&desc, dnnl_forward_inference,
	        dnnl_convolution_direct, &c->src, &weights, op->in[2] ? &bias : NULL,
	        &c->dst, strides, apart, left, right) != dnnl_success ||
	    dnnl_primitive_desc_create(&pd, &desc, attr, d->engine, NULL) != dnnl_success)
		pd = NULL;
	dnnl_primitive_attr_destroy(attr);
	if (pd)
		dnnl_primitive_desc_query(pd, dnnl_query_impl_info_str, 0, &how);
	if (pd && (strstr(how, "ref") || strstr(how, "gemm"))) {
		dnnl_primitive_desc_destroy(pd);
		return NULL;
	}
	return pd;
}

/* The weights as the primitive wants them, made once. */
static bool weights_place(struct backend_session *s, struct plan *p, struct step *st,
    const struct conv *c, const dnnl_memory_desc_t *wanted)
{
	const struct backend_tensor *w = c->op->in[1];
	const struct cpu_dnn *d = s->dnn;
	struct plan once = { 0 };
	p->weights = cpu_alloc(s, dnnl_memory_desc_get_size(wanted));
	if (!p->weights)
		return false;
	char why[BACKEND_WHY];
	bool fine =
	    reorder_add(d, &once, &c->weights, cpu_f32(w), 0, wanted, p->weights, 0) &&
	    cpu_scratch(s, once.scratch_bytes, why) == 0 && step_run(s, &once.step[0]);
	step_free(&once.step[0]);
	return fine && argue(d, st, DNNL_ARG_WEIGHTS, wanted, p->weights, 0);
}

/* Fill a plan: reorders, the convolution, a reorder. False when there was no memory. */
static bool conv_fill(struct backend_session *s, struct plan *p, const struct conv *c,
    dnnl_primitive_desc_t pd)
{
	const struct cpu_dnn *d = s->dnn;
	const struct backend_op *op = c->op;
	void *src = c->src_turned ? NULL : cpu_f32(op->in[0]);
	void *dst = c->dst_turned ? NULL : cpu_f32(op->out[0]);
	size_t src_at = c->src_turned ? place_in_scratch(p, &c->src) : 0;
	size_t dst_at = c->dst_turned ? place_in_scratch(p, &c->dst) : 0;
	const dnnl_memory_desc_t *wanted =
	    dnnl_primitive_desc_query_md(pd, dnnl_query_weights_md, 0);
	dnnl_memory_desc_t weights = *wanted;
	bool fine = true;
	if (src == NULL)
		fine = reorder_add(
		    d, p, &c->plain_src, cpu_f32(op->in[0]), 0, &c->src, NULL, src_at);
	if (fine && op->in[3] && c->sum)
		fine = reorder_add(
		    d, p, &c->plain_dst, cpu_f32(op->in[3]), 0, &c->dst, dst, dst_at);
	struct step *st = &p->step[p->steps++];
	fine = step_create(d, p, st, pd) && fine &&
	       argue(d, st, DNNL_ARG_SRC, &c->src, src, src_at) &&
	       argue(d, st, DNNL_ARG_DST, &c->dst, dst, dst_at) &&
	       weights_place(s, p, st, c, &weights);
	if (fine && op->in[2]) {
		dnnl_memory_desc_t bias;
		dnnl_dims_t size = { op->in[2]->size[0] };
		dnnl_memory_desc_init_by_tag(&bias, 1, size, dnnl_f32, dnnl_x);
		fine = argue(d, st, DNNL_ARG_BIAS, &bias, cpu_f32(op->in[2]), 0);
	}
	if (fine && op->in[3] && !c->sum)
		fine = argue(d, st, DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1,
		    &c->dst, cpu_f32(op->in[3]), 0);
	if (fine && dst == NULL)
		fine = reorder_add(
		    d, p, &c->dst, NULL, dst_at, &c->plain_dst, cpu_f32(op->out[0]), 0);
	return fine;
}

/* Blocked where the list is, else by reorders where the channels allow; few channels of
 * an image are taken as they are. */
static struct conv conv_of(const struct cpu_dnn *d, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	bool fit = groups_fit(d, op);
	bool src = is_blocked(in) || (fit && in->size[1] % d->block == 0);
	bool dst = is_blocked(out) || (fit && out->size[1] % d->block == 0);
	struct conv c = { .op = op };
	c.src_turned = src && !is_blocked(in);
	c.dst_turned = dst && !is_blocked(out) && !is_pixel(out);
	c.src = described(d, in, src);
	c.dst = described(d, out, dst);
	c.plain_src = described(d, in, false);
	c.plain_dst = described(d, out, false);
	c.weights = weights_described(op, false);
	c.sum = c.dst_turned;
	return c;
}

static int plan_add(
    struct backend_session *s, struct backend_op *op, struct plan *p, bool fine, char *why)
{
	if (!fine) {
		plan_free(s, p);
		return cpu_fail(why, "oneDNN: a primitive could not be made");
	}
	op->own = p;
	return cpu_scratch(s, p->scratch_bytes, why);
}

static int conv_prepare(struct backend_session *s, struct backend_op *op, char *why)
{
	if (op->out[0]->dtype != BACKEND_FLOAT32 || op->out[0]->dims != 4)
		return 0;
	struct conv c = conv_of(s->dnn, op);
	dnnl_primitive_desc_t pd = conv_described(s->dnn, &c);
	if (!pd)
		return 0;
	struct plan *p = calloc(1, sizeof(*p));
	if (!p) {
		dnnl_primitive_desc_destroy(pd);
		return cpu_fail(why, "no memory");
	}
	return plan_add(s, op, p, conv_fill(s, p, &c, pd), why);
}

/* Only what is blocked: the other poolings are a kernel's. */
static dnnl_primitive_desc_t pool_described(const struct cpu_dnn *d,
    const struct backend_op *op, dnnl_memory_desc_t *src, dnnl_memory_desc_t *dst)
{
	*src = described(d, op->in[0], true);
	*dst = described(d, op->out[0], true);
	const int64_t *step = op->p.pool.stride, *before = op->p.pool.before;
	dnnl_dims_t strides = { step[0], step[1] }, left = { before[0], before[1] }, right;
	dnnl_dims_t kernel = { op->p.pool.kernel[0], op->p.pool.kernel[1] };
	for (int i = 0; i < 2; i++)
		right[i] = (op->out[0]->size[2 + i] - 1) * step[i] + kernel[i] -
		           op->in[0]->size[2 + i] - before[i];
	dnnl_pooling_desc_t desc;
	dnnl_primitive_attr_t attr = attributes();
	dnnl_primitive_desc_t pd = NULL;
	if (dnnl_pooling_forward_desc_init(&desc, dnnl_forward_inference,
	        op->p.pool.average ? dnnl_pooling_avg_exclude_padding : dnnl_pooling_max,
	        src, dst, strides, kernel, left, right) != dnnl_success ||
	    dnnl_primitive_desc_create(&pd, &desc, attr, d->engine, NULL) != dnnl_success)
		pd = NULL;
	dnnl_primitive_attr_destroy(attr);
	return pd;
}

static int pool_prepare(struct backend_session *s, struct backend_op *op, char *why)
{
	dnnl_memory_desc_t src, dst;
	dnnl_primitive_desc_t pd = pool_described(s->dnn, op, &src, &dst);
	struct plan *p = calloc(1, sizeof(*p));
	if (!pd || !p) {
		free(p);
		return cpu_fail(why, "oneDNN: no pooling of these sizes");
	}
	struct step *st = &p->step[p->steps++];
	return plan_add(s, op, p,
	    step_create(s->dnn, p, st, pd) &&
	        argue(s->dnn, st, DNNL_ARG_SRC, &src, cpu_f32(op->in[0]), 0) &&
	        argue(s->dnn, st, DNNL_ARG_DST, &dst, cpu_f32(op->out[0]), 0),
	    why);
}

/* Take back the marks of what oneDNN has no fast convolution, or no pooling, for; then
 * others may have to follow. Whether there were any. */
static bool refuse(const struct cpu_dnn *d, const struct backend_op *op)
{
	dnnl_memory_desc_t src, dst;
	dnnl_primitive_desc_t pd = NULL;
	if (op->kind == BACKEND_POOL && is_blocked(op->in[0])) {
		pd = pool_described(d, op, &src, &dst);
	} else if (op->kind == BACKEND_CONV &&
	           (is_blocked(op->in[0]) || is_blocked(op->out[0]))) {
		struct conv c = conv_of(d, op);
		pd = conv_described(d, &c);
	} else {
		return false;
	}
	if (!pd)
		return all_plain(op);
	dnnl_primitive_desc_destroy(pd);
	return false;
}

int cpu_dnn_prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	omp_set_num_threads(s->threads);
	mark(s->dnn, op, count);
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < count; i++)
			changed = refuse(s->dnn, &op[i]) || changed;
		for (bool more = changed; more;) {
			more = false;
			for (size_t i = 0; i < count; i++)
				more = settle(s->dnn, &op[i]) || more;
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (op[i].kind == BACKEND_CONV && conv_prepare(s, &op[i], why) < 0)
			return -1;
		if (op[i].kind == BACKEND_POOL && is_blocked(op[i].in[0]) &&
		    pool_prepare(s, &op[i], why) < 0)
			return -1;
	}
	return 0;
}

void cpu_dnn_release(struct backend_session *s, struct backend_op *op)
{
	plan_free(s, op->own);
	op->own = NULL;
}

int cpu_dnn_gemm_int8(struct backend_session *s, bool transpose, int64_t m, int64_t n,
    int64_t k, const int8_t *a, int64_t lda, const int8_t *b, int64_t ldb, int32_t *c,
    int64_t ldc)
{
	/* Without VNNI its sums of two products saturate at 16 bits. */
#ifdef __x86_64__
	if (!s->dnn || !__builtin_cpu_supports("avx512vnni"))
		return -1;
#endif
	const int32_t zero = 0;
	omp_set_num_threads(s->threads);
	return dnnl_gemm_s8s8s32('N', transpose ? 'T' : 'N', 'F', m, n, k, 1, a, lda, 0, b,
	           ldb, 0, 0, c, ldc, &zero) == dnnl_success
	           ? 0
	           : -1;
}

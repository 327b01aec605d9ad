/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans convolutions: reorders if needed, the primitive, and weights that are reordered
 * once. */
#include <string.h>

#include "cpu_dnn_priv.h"

static dnnl_primitive_attr_t conv_attributes_create(const struct dnn_conv *c)
{
	dnnl_primitive_attr_t attr = cpu_dnn_attributes_create();
	dnnl_post_ops_t post = NULL;
	if (!attr || dnnl_post_ops_create(&post) != dnnl_success)
		return attr;
	if (c->op->in[3] && c->sum)
		dnnl_post_ops_append_sum(post, 1);
	else if (c->op->in[3])
		dnnl_post_ops_append_binary(post, dnnl_binary_add, &c->dst);
	cpu_dnn_append_act(post, c->op->act);
	dnnl_primitive_attr_set_post_ops(attr, post);
	dnnl_post_ops_destroy(post);
	return attr;
}

/* Describes the weights, with a channel of zeros if `extra` is set. */
static dnnl_memory_desc_t weights_describe(
    const struct backend_op *op, bool extra, bool any)
{
	const struct backend_tensor *w = op->in[1];
	int64_t groups = op->p.conv.groups;
	dnnl_data_type_t type = cpu_dnn_type(w);
	dnnl_memory_desc_t md;
	dnnl_dims_t dims = { w->size[0], w->size[1] + extra, w->size[2], w->size[3] };
	dnnl_dims_t grouped = { groups, w->size[0] / groups, w->size[1], w->size[2],
		w->size[3] };
	if (groups == 1)
		dnnl_memory_desc_init_by_tag(
		    &md, 4, dims, type, any ? dnnl_format_tag_any : dnnl_oihw);
	else
		dnnl_memory_desc_init_by_tag(
		    &md, 5, grouped, type, any ? dnnl_format_tag_any : dnnl_goihw);
	return md;
}

dnnl_primitive_desc_t cpu_dnn_conv_describe(
    const struct cpu_dnn *d, const struct dnn_conv *c)
{
	const struct backend_op *op = c->op;
	dnnl_memory_desc_t bias, weights = weights_describe(op, c->extra, true);
	if (op->in[2]) {
		dnnl_dims_t size = { op->in[2]->size[0] };
		dnnl_memory_desc_init_by_tag(
		    &bias, 1, size, cpu_dnn_type(op->in[2]), dnnl_x);
	}
	const int64_t *step = op->p.conv.stride, *before = op->p.conv.before;
	dnnl_dims_t strides = { step[0], step[1] }, left = { before[0], before[1] }, right;
	dnnl_dims_t apart;
	for (int i = 0; i < 2; i++) {
		apart[i] = op->p.conv.dilation[i] - 1;
		/* The padding that the windows reach, which may be less than that of the
		 * list. */
		int64_t reach = (op->in[1]->size[2 + i] - 1) * op->p.conv.dilation[i] + 1;
		right[i] = (op->out[0]->size[2 + i] - 1) * step[i] + reach -
		           op->in[0]->size[2 + i] - before[i];
	}
	dnnl_convolution_desc_t desc;
	dnnl_primitive_attr_t attr = conv_attributes_create(c);
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

/* Returns a copy of the weights with a channel of zeros; NULL if there is no memory. */
static uint16_t *weights_widen(struct backend_session *s, const struct backend_tensor *w)
{
	int64_t each = w->size[1] * w->size[2] * w->size[3],
	        wide = each + w->size[2] * w->size[3];
	size_t bytes = (size_t)(w->size[0] * wide) * sizeof(uint16_t);
	uint16_t *copy = cpu_alloc(s, bytes);
	if (!copy)
		return NULL;
	memset(copy, 0, bytes);
	for (int64_t o = 0; o < w->size[0]; o++)
		memcpy(copy + o * wide, cpu_u16(w) + o * each,
		    (size_t)each * sizeof(uint16_t));
	return copy;
}

/* Adds a step that copies the source to one with a channel of zeros, which is `padded`. */
static bool source_widen(
    struct backend_session *s, struct dnn_plan *p, const struct dnn_conv *c)
{
	const struct backend_tensor *in = c->op->in[0];
	int64_t plane = in->size[2] * in->size[3];
	size_t bytes = dnnl_memory_desc_get_size(&c->src);
	dnnl_memory_desc_t part;
	dnnl_dims_t size = { in->size[0], in->size[1], in->size[2], in->size[3] };
	dnnl_dims_t apart = { (in->size[1] + 1) * plane, plane, in->size[3], 1 };
	p->padded = cpu_alloc(s, bytes);
	if (!p->padded || dnnl_memory_desc_init_by_strides(
	                      &part, 4, size, cpu_dnn_type(in), apart) != dnnl_success)
		return false;
	memset(p->padded, 0, bytes);
	return cpu_dnn_plan_reorder(s->dnn, p,
	    (struct dnn_memory){ &c->plain_src, cpu_dnn_first(in), 0 },
	    (struct dnn_memory){ &part, p->padded, 0 });
}

/* Reorders the weights once into the layout of the primitive. */
static bool weights_reorder(struct backend_session *s, struct dnn_plan *p,
    struct dnn_step *st, const struct dnn_conv *c, const dnnl_memory_desc_t *wanted)
{
	const struct backend_tensor *w = c->op->in[1];
	const struct cpu_dnn *d = s->dnn;
	struct dnn_plan once = { 0 };
	p->weights = cpu_alloc(s, dnnl_memory_desc_get_size(wanted));
	if (!p->weights)
		return false;
	char why[BACKEND_WHY];
	void *wide = c->extra ? weights_widen(s, w) : NULL;
	if (c->extra && !wide)
		return false;
	bool fine =
	    cpu_dnn_plan_reorder(d, &once,
	        (struct dnn_memory){ &c->weights, wide ? wide : cpu_dnn_first(w), 0 },
	        (struct dnn_memory){ wanted, p->weights, 0 }) &&
	    cpu_scratch(s, once.scratch_bytes, why) == 0 &&
	    cpu_dnn_step_run(s, &once.step[0]);
	cpu_dnn_step_free(&once.step[0]);
	cpu_free(s, wide);
	return fine && cpu_dnn_step_bind(d, st, DNNL_ARG_WEIGHTS, wanted, p->weights, 0);
}

bool cpu_dnn_conv_fill(struct backend_session *s, struct dnn_plan *p,
    const struct dnn_conv *c, dnnl_primitive_desc_t pd)
{
	const struct cpu_dnn *d = s->dnn;
	const struct backend_op *op = c->op;
	void *src = c->src_turned ? NULL : cpu_dnn_first(op->in[0]);
	void *dst = c->dst_turned ? NULL : cpu_dnn_first(op->out[0]);
	size_t src_at = c->src_turned ? cpu_dnn_scratch_take(p, &c->src) : 0;
	size_t dst_at = c->dst_turned ? cpu_dnn_scratch_take(p, &c->dst) : 0;
	const dnnl_memory_desc_t *wanted =
	    dnnl_primitive_desc_query_md(pd, dnnl_query_weights_md, 0);
	dnnl_memory_desc_t weights = *wanted;
	bool fine = !c->extra || source_widen(s, p, c);
	src = c->extra ? p->padded : src;
	if (fine && src == NULL)
		fine = cpu_dnn_plan_reorder(d, p,
		    (struct dnn_memory){ &c->plain_src, cpu_dnn_first(op->in[0]), 0 },
		    (struct dnn_memory){ &c->src, NULL, src_at });
	if (fine && op->in[3] && c->sum)
		fine = cpu_dnn_plan_reorder(d, p,
		    (struct dnn_memory){ &c->plain_dst, cpu_dnn_first(op->in[3]), 0 },
		    (struct dnn_memory){ &c->dst, dst, dst_at });
	struct dnn_step *st = &p->step[p->steps++];
	fine = cpu_dnn_step_create(d, p, st, pd) && fine &&
	       cpu_dnn_step_bind(d, st, DNNL_ARG_SRC, &c->src, src, src_at) &&
	       cpu_dnn_step_bind(d, st, DNNL_ARG_DST, &c->dst, dst, dst_at) &&
	       weights_reorder(s, p, st, c, &weights);
	if (fine && op->in[2]) {
		dnnl_memory_desc_t bias;
		dnnl_dims_t size = { op->in[2]->size[0] };
		dnnl_memory_desc_init_by_tag(
		    &bias, 1, size, cpu_dnn_type(op->in[2]), dnnl_x);
		fine = cpu_dnn_step_bind(
		    d, st, DNNL_ARG_BIAS, &bias, cpu_dnn_first(op->in[2]), 0);
	}
	if (fine && op->in[3] && !c->sum)
		fine = cpu_dnn_step_bind(d, st,
		    DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, &c->dst,
		    cpu_dnn_first(op->in[3]), 0);
	if (fine && dst == NULL)
		fine =
		    cpu_dnn_plan_reorder(d, p, (struct dnn_memory){ &c->dst, NULL, dst_at },
		        (struct dnn_memory){ &c->plain_dst, cpu_dnn_first(op->out[0]), 0 });
	return fine;
}

struct dnn_conv cpu_dnn_conv_of(const struct cpu_dnn *d, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	bool fit = cpu_dnn_groups_fit(d, op);
	bool src = cpu_dnn_is_blocked(in) || (fit && in->size[1] % d->block == 0);
	bool dst = cpu_dnn_is_blocked(out) || (fit && out->size[1] % d->block == 0);
	struct dnn_conv c = { .op = op };
	c.src_turned = src && !cpu_dnn_is_blocked(in);
	c.dst_turned = dst && !cpu_dnn_is_blocked(out) && !cpu_dnn_is_pixel(out);
	c.src = cpu_dnn_describe(d, in, src);
	c.dst = cpu_dnn_describe(d, out, dst);
	c.plain_src = cpu_dnn_describe(d, in, false);
	c.plain_dst = cpu_dnn_describe(d, out, false);
	c.extra = !src && in->dtype == BACKEND_BFLOAT16 && op->p.conv.groups == 1 &&
	          in->size[1] % 2;
	if (c.extra) {
		dnnl_dims_t wide = { in->size[0], in->size[1] + 1, in->size[2],
			in->size[3] };
		dnnl_memory_desc_init_by_tag(&c.src, 4, wide, cpu_dnn_type(in), dnnl_nchw);
	}
	c.weights = weights_describe(op, c.extra, false);
	c.sum = c.dst_turned;
	return c;
}

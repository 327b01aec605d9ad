/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the operators of attention share; see onnx_import_priv.h. Most attention is one
 * operation, whose mask is a constant that is the same for all batches. With another mask,
 * or a limit of the scores, it is two products and what is between them.
 */
#include <math.h>
#include <stdlib.h>

#include "translate/onnx_import_priv.h"

/* The largest number of elements of a mask that is made. */
enum { MASK_MAX = 1 << 24 };

struct import_view import_heads_view(
    struct import *im, const struct trace_node *n, struct import_view v, int64_t heads)
{
	static const uint32_t order[] = { 0, 2, 1, 3 };
	const int64_t *s = v.shape.size;

	if (v.shape.dims == 4 || im->t.failed)
		return v;
	if (v.shape.dims != 3 || heads < 1 || s[2] % heads) {
		trace_fail(&im->t, n, "an operand cannot be split into heads");
		return v;
	}
	return import_permute(
	    import_reshaped(im, v, IMPORT_SHAPE(s[0], s[1], heads, s[2] / heads)), order);
}

struct import_view import_attention_mask(
    struct import *im, const struct trace_node *n, uint32_t i, double hidden)
{
	const struct import_view given = import_see(im, n->in[i]);
	const struct onnx_fact *x = trace_constant(&im->t, n->in[i]);
	const int64_t count = x ? onnx_fact_elements(x) : 0;
	double *bias;

	if (im->t.failed || onnx_type_is_float(im->t.value[n->in[i]].fact->type))
		return given;
	if (!x || count > MASK_MAX) {
		trace_lack(&im->t, n, "its mask is computed");
		return given;
	}
	bias = mem_zero((size_t)count + 1, sizeof(*bias));
	for (int64_t k = 0; k < count; k++)
		bias[k] = x->integer[k] ? 0 : hidden;
	return import_whole(
	    im, import_constant(im, bias, import_shortened(given.shape)), given.shape);
}

struct import_view import_cached(struct import *im, const struct trace_node *n,
    struct import_view cache, int64_t past, struct import_view present)
{
	const int64_t tokens = present.shape.size[2], *s = cache.shape.size;
	struct trace_shape all = present.shape;
	struct import_view whole, part;

	if (im->t.failed || !cache.made || past == 0)
		return present;
	if (cache.shape.dims != 4 || present.shape.dims != 4 || s[0] != all.size[0] ||
	    s[1] != all.size[1] || s[2] < past || s[3] != all.size[3]) {
		trace_fail(&im->t, n,
		    "its cache does not fit its keys of %lld batches, %lld heads and %lld "
		    "elements",
		    (long long)all.size[0], (long long)all.size[1], (long long)all.size[3]);
		return present;
	}
	all.size[2] = past + tokens;
	whole = part = import_whole(im, import_new(im, all), all);
	cache.shape.size[2] = part.shape.size[2] = past;
	import_move(im, cache, part);
	part.offset += past * whole.stride[2];
	part.shape.size[2] = tokens;
	import_move(im, present, part);
	return whole;
}

/* Returns whether a query uses a key. */
static bool uses_key(const struct import_heads *h, int64_t query, int64_t key)
{
	const int64_t at = h->past + query;

	return (!h->causal || key <= at) && (!h->window || key > at - h->window);
}

/* Returns whether the order of tokens hides exactly the later keys. */
static bool hides_later(const struct import_heads *h)
{
	const int64_t queries = h->q.shape.size[2], keys = h->k.shape.size[2];

	return h->causal && h->past == 0 && queries == keys &&
	       (!h->window || h->window >= keys);
}

/* Returns the mask of the keys that the order of tokens hides [1,1,queries,keys]; not made:
 * it hides none. */
static struct import_view order_mask(
    struct import *im, const struct trace_node *n, const struct import_heads *h)
{
	const int64_t queries = h->q.shape.size[2], keys = h->k.shape.size[2];
	const struct trace_shape shape = IMPORT_SHAPE(1, 1, queries, keys);
	bool hides = false;
	double *bias;

	if (!h->causal && !h->window)
		return (struct import_view){ 0 };
	if (queries > MASK_MAX / keys) {
		trace_lack(&im->t, n, "its mask would have more than 2^24 elements");
		return (struct import_view){ 0 };
	}
	bias = mem_zero((size_t)(queries * keys), sizeof(*bias));
	for (int64_t i = 0; i < queries; i++)
		for (int64_t k = 0; k < keys; k++)
			if (!uses_key(h, i, k)) {
				bias[i * keys + k] = (double)-INFINITY;
				hides = true;
			}
	if (!hides) {
		free(bias);
		return (struct import_view){ 0 };
	}
	return import_whole(im, import_constant(im, bias, shape), shape);
}

/* Returns a mask with four dimensions; fails if it does not fit the scores. */
static struct import_view full_mask(struct import *im, const struct trace_node *n,
    struct import_view mask, const struct trace_shape *scores)
{
	const uint32_t missing = 4 - (mask.shape.dims < 4 ? mask.shape.dims : 4);
	struct import_view v = mask;
	bool fits = mask.shape.dims <= 4 && mask.shape.dims > 0;

	for (uint32_t i = 0; i < 4 && fits; i++) {
		v.shape.size[i] = i < missing ? 1 : mask.shape.size[i - missing];
		v.stride[i] = i < missing ? 0 : mask.stride[i - missing];
		fits = v.shape.size[i] == 1 || v.shape.size[i] == scores->size[i];
	}
	v.shape.dims = 4;
	if (!fits)
		trace_lack(&im->t, n, "its mask does not fit the scores");
	return fits ? v : mask;
}

/* Returns [batch,heads,tokens,width] as a view whose order of elements is that of
 * [batch groups,tokens,heads/groups width]. Stores the latter sizes. */
static struct import_view group_view(
    struct import_view v, int64_t groups, struct trace_shape *rows)
{
	static const uint32_t order[] = { 0, 1, 3, 2, 4 };
	const struct trace_shape s = v.shape;
	const int64_t share = s.size[1] / groups;

	*rows = IMPORT_SHAPE(s.size[0] * groups, s.size[2], share * s.size[3]);
	(void)import_reshape(
	    &v, IMPORT_SHAPE(s.size[0], groups, share, s.size[2], s.size[3]));
	return import_permute(v, order);
}

/* Returns [batch,heads,tokens,width] as rows [batch groups,tokens,heads/groups width]. */
static uint32_t group_rows(struct import *im, struct import_view v, int64_t groups)
{
	struct trace_shape rows;
	const struct import_view turned = group_view(v, groups, &rows);

	return import_operand(im, turned, rows, IMPORT_ROWS);
}

/* Returns the number of elements that group_rows() copies. */
static int64_t copied_elements(struct import_view v, int64_t groups)
{
	struct trace_shape rows;
	struct import_view turned = group_view(v, groups, &rows);
	const bool is_rows =
	    v.is_constant || (import_reshape(&turned, rows) && import_in_rows(&turned));

	return is_rows ? 0 : import_count(&v.shape);
}

/*
 * Returns into how many groups to divide the heads of an attention, each of which becomes a
 * batch: one, or as many as there are heads of keys. The latter copies less if the heads of
 * keys come before the tokens, as in a cache.
 */
static int64_t choose_groups(const struct import_heads *h, const struct import_view *mask)
{
	const int64_t kv_heads = h->k.shape.size[1], heads = h->q.shape.size[1],
	              queries = h->q.shape.size[2];
	const bool is_same =
	    !mask->made || mask->shape.size[1] == 1 || mask->stride[1] == 0;
	const struct import_view *const operand[] = { &h->q, &h->k, &h->v };
	int64_t more = 0;

	/* The heads of the result could not be one dimension of a view. */
	if (!is_same || (queries > 1 && heads != kv_heads))
		return 1;
	for (size_t i = 0; i < COUNT(operand); i++)
		more += copied_elements(*operand[i], kv_heads) -
		        copied_elements(*operand[i], 1);
	if (queries > 1)
		more += import_count(&h->q.shape) / h->q.shape.size[3] * h->v.shape.size[3];
	return more < 0 ? kv_heads : 1;
}

/* Returns the mask of all batches as [heads,queries,keys], or GRAPH_NONE. */
static uint32_t shared_mask(struct import *im, struct import_view mask,
    const struct trace_shape *scores, int64_t heads)
{
	const struct trace_shape shape =
	    IMPORT_SHAPE(heads, scores->size[2], scores->size[3]);

	if (!mask.made)
		return GRAPH_NONE;
	mask.shape.size[0] = 1;
	(void)import_reshape(&mask, import_shape(3, mask.shape.size + 1));
	return import_operand(im, import_broadcast(mask, shape), shape, IMPORT_ROWS);
}

/* Adds a product of matrices [batch,rows,columns]. Returns its result. */
static uint32_t head_product(struct import *im, uint32_t a, uint32_t b, int64_t columns,
    double alpha, bool transpose, enum backend_act act)
{
	const int64_t *s = im->g->value[a].size;
	const uint32_t out = import_new(im, IMPORT_SHAPE(s[0], s[1], columns));
	struct backend_op *op =
	    import_node(im, BACKEND_GEMM, out, a, b, GRAPH_NONE, GRAPH_NONE);

	op->p.gemm.alpha = alpha;
	op->p.gemm.transpose = transpose;
	op->act = act;
	return out;
}

/* Adds attention step by step. The queries of the heads that share keys are the rows of one
 * product. */
static struct import_view attend_in_steps(struct import *im, const struct import_heads *h,
    const struct import_view mask[2], const struct trace_shape *scores, double scale)
{
	const int64_t *k = h->k.shape.size, batches = k[0] * k[1], keys = k[2],
	              width = k[3], rows = scores->size[1] / k[1] * scores->size[2],
	              value_width = h->v.shape.size[3];
	const bool caps = h->cap != 0;
	const uint32_t q = import_operand(
	                   im, h->q, IMPORT_SHAPE(batches, rows, width), IMPORT_ROWS),
	               key = import_operand(
	                   im, h->k, IMPORT_SHAPE(batches, keys, width), IMPORT_ROWS),
	               value = import_operand(
	                   im, h->v, IMPORT_SHAPE(batches, keys, value_width), IMPORT_ROWS);
	uint32_t x = head_product(im, q, key, keys, caps ? scale / h->cap : scale, true,
	             caps ? BACKEND_TANH : BACKEND_LINEAR),
	         out;

	if (caps)
		x = import_unary(im, x, h->cap, BACKEND_LINEAR);
	for (int i = 0; i < 2; i++)
		if (mask[i].made && !im->t.failed)
			x = import_operand(im,
			    import_combined_as(im, *scores, import_whole(im, x, *scores),
			        mask[i], 1, false),
			    IMPORT_SHAPE(batches, rows, keys), IMPORT_WHOLE);
	out = import_like(im, x);
	import_node(im, BACKEND_SOFTMAX, out, x, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE);
	out = head_product(im, out, value, value_width, 1, false, BACKEND_LINEAR);
	return import_whole(im, out,
	    IMPORT_SHAPE(scores->size[0], scores->size[1], scores->size[2], value_width));
}

/* Adds attention as one operation. */
static struct import_view attend_at_once(struct import *im, const struct import_heads *h,
    struct import_view mask, const struct trace_shape *scores, double scale, bool causal)
{
	static const uint32_t back[] = { 0, 1, 3, 2, 4 };
	const int64_t groups = choose_groups(h, &mask), *s = scores->size,
	              heads = s[1] / groups, width = h->v.shape.size[3];
	const uint32_t q = group_rows(im, h->q, groups), k = group_rows(im, h->k, groups),
	               v = group_rows(im, h->v, groups),
	               bias = shared_mask(im, mask, scores, heads),
	               out =
	                   import_new(im, IMPORT_SHAPE(s[0] * groups, s[2], heads * width));
	struct backend_op *op = import_node(im, BACKEND_ATTENTION, out, q, k, v, bias);

	op->p.attention.heads = heads;
	op->p.attention.kv_heads = h->k.shape.size[1] / groups;
	op->p.attention.scale = scale;
	op->p.attention.causal = causal;
	return import_reshaped(im,
	    import_permute(
	        import_whole(im, out, IMPORT_SHAPE(s[0], groups, s[2], heads, width)),
	        back),
	    IMPORT_SHAPE(s[0], s[1], s[2], width));
}

/* Returns whether the operands fit each other. */
static bool heads_fit(const struct import_heads *h)
{
	const struct trace_shape *q = &h->q.shape, *k = &h->k.shape, *v = &h->v.shape;

	return q->dims == 4 && k->dims == 4 && v->dims == 4 && q->size[0] == k->size[0] &&
	       q->size[0] == v->size[0] && k->size[1] == v->size[1] && k->size[1] > 0 &&
	       q->size[1] % k->size[1] == 0 && q->size[3] == k->size[3] &&
	       k->size[2] == v->size[2];
}

struct import_view import_attend(
    struct import *im, const struct trace_node *n, const struct import_heads *h)
{
	const int64_t *q = h->q.shape.size;
	struct trace_shape scores;
	struct import_view mask[2] = { { 0 } };

	if (!im->t.failed && !heads_fit(h))
		trace_fail(&im->t, n, "its queries, keys and values do not fit each other");
	if (im->t.failed)
		return h->q;
	const double scale = h->scale != 0 ? h->scale : 1 / sqrt((double)q[3]);
	scores = IMPORT_SHAPE(q[0], q[1], q[2], h->k.shape.size[2]);
	if (h->mask.made)
		mask[0] = full_mask(im, n, h->mask, &scores);
	const bool shared =
	    !mask[0].made || mask[0].shape.size[0] == 1 || mask[0].stride[0] == 0;
	const bool in_steps = h->cap != 0 || !shared, later = !in_steps && hides_later(h);
	if (!later && !im->t.failed)
		mask[1] = order_mask(im, n, h);
	if (im->t.failed)
		return h->q;
	if (in_steps)
		return attend_in_steps(im, h, mask, &scores, scale);
	if (mask[0].made && mask[1].made)
		mask[0] = import_combined_as(im,
		    IMPORT_SHAPE(1, mask[0].shape.size[1], scores.size[2], scores.size[3]),
		    mask[1], mask[0], 1, false);
	else if (mask[1].made)
		mask[0] = mask[1];
	return attend_at_once(im, h, mask[0], &scores, scale, later);
}

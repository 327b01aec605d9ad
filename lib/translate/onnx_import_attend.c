/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operators of attention: Attention of the standard domain, and MultiHeadAttention and
 * GroupQueryAttention of ONNX Runtime; see onnx_import_priv.h. Queries, keys and values are
 * views [batch,heads,tokens,width], in any layout of the model.
 */
#include <math.h>
#include <stdlib.h>

#include "translate/onnx_import_priv.h"

/* Lets output 0 be a result [batch,heads,tokens,width], in the form of the output. */
static void attention_done(
    struct import *im, const struct trace_node *n, struct import_view whole)
{
	static const uint32_t back[] = { 0, 2, 1, 3 };
	const uint32_t out = trace_out(n, 0);

	if (im->t.failed || out == TRACE_NONE)
		return;
	if (im->t.value[out].shape.dims == 3)
		whole = import_reshaped(
		    im, import_permute(whole, back), im->t.value[out].shape);
	import_output(im, n, 0, whole);
}

/* Lets an output be a cache, if it is wanted. */
static void cache_done(
    struct import *im, const struct trace_node *n, uint32_t i, struct import_view cache)
{
	if (!im->t.failed && trace_out(n, i) != TRACE_NONE)
		import_output(im, n, i, cache);
}

/* Returns the cache that is input i of a node; not made: there is none. */
static struct import_view cache_of(
    struct import *im, const struct trace_node *n, uint32_t i)
{
	return trace_in(n, i) == TRACE_NONE ? (struct import_view){ 0 }
	                                    : import_input(im, n, i);
}

/* Puts the keys and values of a cache before the present ones, and lets outputs 1 and 2 be
 * both. */
static void extend_caches(struct import *im, const struct trace_node *n,
    struct import_heads *h, uint32_t key, int64_t past)
{
	h->k = import_cached(im, n, cache_of(im, n, key), past, h->k);
	h->v = import_cached(im, n, cache_of(im, n, key + 1), past, h->v);
	cache_done(im, n, 1, h->k);
	cache_done(im, n, 2, h->v);
}

/* Returns the tokens of the cache that is input i of a node. */
static int64_t cached_tokens(
    const struct import *im, const struct trace_node *n, uint32_t i)
{
	const struct trace_shape *s =
	    trace_in(n, i) == TRACE_NONE ? NULL : &im->t.value[n->in[i]].shape;

	return s && s->dims == 4 ? s->size[2] : 0;
}

/* Fails if a constant mask of truth values hides all keys of a query: their softmax is NaN
 * here, and 0 in ONNX Runtime. */
static void check_hidden(
    struct import *im, const struct trace_node *n, uint32_t i, const struct import_heads *h)
{
	const struct onnx_fact *x = trace_constant(&im->t, n->in[i]);
	const int64_t keys = x && x->integer && x->dims ? x->dim[x->dims - 1] : 0,
	              queries = keys && x->dims > 1 ? x->dim[x->dims - 2] : 1;

	for (int64_t row = 0; keys > 0 && row < onnx_fact_elements(x) / keys; row++) {
		const int64_t last = h->causal ? h->past + row % queries : keys - 1;
		bool used = false;

		for (int64_t k = 0; k < keys && k <= last && !used; k++)
			used = x->integer[row * keys + k] != 0;
		if (!used)
			trace_lack(&im->t, n, "its mask hides all keys of a query");
	}
}

void import_attention(IMPORT_PARAMS)
{
	const int64_t heads = rule_int(&n->call, "q_num_heads", 0),
	              kv_heads = rule_int(&n->call, "kv_num_heads", 0),
	              past = cached_tokens(im, n, 4);
	struct import_heads h = { .scale = trace_float(n, "scale", 0),
		.cap = trace_float(n, "softcap", 0),
		.causal = rule_int(&n->call, "is_causal", 0) != 0,
		.past = past };

	(void)m;
	if (trace_in(n, 6) != TRACE_NONE)
		trace_lack(&im->t, n, "its keys have lengths");
	if (rule_int(&n->call, "left_window_size", -1) >= 0 ||
	    rule_int(&n->call, "right_window_size", -1) >= 0)
		trace_lack(&im->t, n, "it uses a window of keys");
	if (trace_out(n, 3) != TRACE_NONE)
		trace_lack(&im->t, n, "its scores are a result");
	h.q = import_heads_view(im, n, import_input(im, n, 0), heads);
	h.k = import_heads_view(im, n, import_input(im, n, 1), kv_heads);
	h.v = import_heads_view(im, n, import_input(im, n, 2), kv_heads);
	if (im->t.failed)
		return;
	extend_caches(im, n, &h, 4, past);
	if (trace_in(n, 3) != TRACE_NONE && !im->t.failed)
		h.mask = import_attention_mask(im, n, 3, (double)-INFINITY);
	if (h.mask.made && !im->t.failed)
		check_hidden(im, n, 3, &h);
	attention_done(im, n, import_attend(im, n, &h));
}

/* Adds to an operand of MultiHeadAttention its part of the bias. */
static struct import_view biased(
    struct import *im, const struct trace_node *n, struct import_view v, int64_t from)
{
	struct import_view part;
	const uint32_t last = v.shape.dims - 1;

	if (im->t.failed || trace_in(n, 3) == TRACE_NONE)
		return v;
	part = import_input(im, n, 3);
	if (part.shape.dims != 1 || v.shape.dims != 3 ||
	    part.shape.size[0] < from + v.shape.size[last]) {
		trace_fail(&im->t, n, "its bias does not fit its operands");
		return v;
	}
	part.offset += from * part.stride[0];
	part.shape.size[0] = v.shape.size[last];
	return import_combined_as(im, v.shape, v, part, 1, false);
}

/* The number that hides a key, unless a node has another one. */
static const double hiding = -10000;

/* Returns the mask of keys that is input 4 of a MultiHeadAttention: [batch,keys], or
 * [batch,queries,keys], or the number of keys of each batch. */
static struct import_view key_mask(
    struct import *im, const struct trace_node *n, int64_t batch, int64_t keys)
{
	const struct onnx_fact *x = trace_constant(&im->t, trace_in(n, 4));
	const int64_t count = x ? onnx_fact_elements(x) : 0,
	              rows = count / (batch * keys > 0 ? batch * keys : 1);
	const double hides = trace_float(n, "mask_filter_value", hiding);
	const bool is_length = x && x->dims == 1 && count == batch && x->integer;
	bool all = true;
	double *bias;

	if (!is_length && (!x || !x->integer || x->dims < 2 || x->dims > 3 || rows < 1 ||
	                      rows * batch * keys != count)) {
		trace_lack(&im->t, n, "its mask is computed, or is not of keys");
		return (struct import_view){ 0 };
	}
	const int64_t each = is_length ? 1 : rows;
	bias = mem_zero((size_t)(batch * each * keys), sizeof(*bias));
	for (int64_t i = 0; i < batch * each * keys; i++) {
		const bool used =
		    is_length ? i % keys < x->integer[i / keys] : x->integer[i] != 0;

		bias[i] = used ? 0 : hides;
		all &= used;
	}
	if (all) {
		free(bias);
		return (struct import_view){ 0 };
	}
	const struct trace_shape shape = IMPORT_SHAPE(batch, 1, each, keys);
	return import_whole(im, import_constant(im, bias, shape), shape);
}

void import_multi_head(IMPORT_PARAMS)
{
	const int64_t heads = rule_int(&n->call, "num_heads", 0),
	              past = cached_tokens(im, n, 6);
	const double scale = trace_float(n, "scale", 0);
	struct import_heads h = { .scale = scale > 0 ? scale : 0,
		.causal = rule_int(&n->call, "unidirectional", 0) != 0,
		.past = past };

	(void)m;
	if (rule_has_attribute(&n->call, "qkv_hidden_sizes") ||
	    rule_int(&n->call, "do_rotary", 0) != 0)
		trace_lack(
		    &im->t, n, "it rotates its queries, or has keys of another width");
	if (trace_in(n, 8) != TRACE_NONE || trace_in(n, 9) != TRACE_NONE)
		trace_lack(&im->t, n, "its cache is shared");
	if (h.causal && past)
		trace_lack(&im->t, n, "it is causal, and has past keys");
	if (trace_in(n, 1) == TRACE_NONE || trace_in(n, 2) == TRACE_NONE)
		trace_lack(&im->t, n, "its operands are packed");
	if (im->t.failed)
		return;
	const struct import_view q = import_input(im, n, 0);
	const int64_t width = q.shape.size[q.shape.dims - 1];
	h.q = import_heads_view(im, n, biased(im, n, q, 0), heads);
	h.k = import_heads_view(im, n, biased(im, n, import_input(im, n, 1), width), heads);
	h.v = import_heads_view(
	    im, n, biased(im, n, import_input(im, n, 2), 2 * width), heads);
	if (im->t.failed)
		return;
	extend_caches(im, n, &h, 6, past);
	if (trace_in(n, 5) != TRACE_NONE && !im->t.failed)
		h.mask = import_attention_mask(im, n, 5, 0);
	if (trace_in(n, 4) != TRACE_NONE && !im->t.failed) {
		const struct import_view mask =
		    key_mask(im, n, h.k.shape.size[0], h.k.shape.size[2]);

		if (mask.made && h.mask.made)
			trace_lack(&im->t, n, "it has a mask of keys and of scores");
		h.mask = mask.made ? mask : h.mask;
	}
	attention_done(im, n, import_attend(im, n, &h));
}

/* The tokens of a GroupQueryAttention. */
struct grouped_tokens {
	int64_t past, total;
};

/* Reads how many tokens there are. Returns false and fails if it is not known, or differs
 * between batches. */
static bool read_tokens(
    struct import *im, const struct trace_node *n, int64_t tokens, struct grouped_tokens *g)
{
	const struct onnx_fact *last = trace_constant(&im->t, trace_in(n, 5));
	const double total = trace_scalar(&im->t, trace_in(n, 6));
	const int64_t count = last && last->integer ? onnx_fact_elements(last) : 0;

	for (int64_t i = 0; i < count; i++)
		if (last->integer[i] != last->integer[0]) {
			trace_lack(&im->t, n, "its batches have other lengths");
			return false;
		}
	if (count < 1 || !(total >= 1)) {
		trace_lack(&im->t, n, "its lengths are computed");
		return false;
	}
	g->total = last->integer[0] + 1;
	/* All tokens are new if their number is the total one. */
	g->past = (double)tokens == total ? 0 : g->total - tokens;
	if ((double)g->total != total || g->past < 0) {
		trace_lack(&im->t, n,
		    "its mask has %lld tokens, and %lld of %.0f are new: set the open "
		    "dimensions so that the number of past tokens and of new ones is the "
		    "total one",
		    (long long)g->total, (long long)tokens, total);
		return false;
	}
	if (g->past > cached_tokens(im, n, 3) || (cached_tokens(im, n, 3) > g->total)) {
		trace_lack(&im->t, n,
		    "its cache has %lld tokens, and %lld of %lld are new: set the open "
		    "dimensions so that the number of past tokens and of new ones is the "
		    "total one",
		    (long long)cached_tokens(im, n, 3), (long long)tokens,
		    (long long)g->total);
		return false;
	}
	return true;
}

/* Reads the queries, keys and values, which may be packed in one operand. */
static void read_grouped(struct import *im, const struct trace_node *n,
    struct import_heads *h, int64_t heads, int64_t kv_heads)
{
	struct import_view v = import_input(im, n, 0);

	if (trace_in(n, 1) != TRACE_NONE && trace_in(n, 2) != TRACE_NONE) {
		h->q = import_heads_view(im, n, v, heads);
		h->k = import_heads_view(im, n, import_input(im, n, 1), kv_heads);
		h->v = import_heads_view(im, n, import_input(im, n, 2), kv_heads);
		return;
	}
	v = import_heads_view(im, n, v, heads + 2 * kv_heads);
	if (im->t.failed)
		return;
	h->q = h->k = h->v = v;
	h->q.shape.size[1] = heads;
	h->k.shape.size[1] = h->v.shape.size[1] = kv_heads;
	h->k.offset += heads * v.stride[1];
	h->v.offset += (heads + kv_heads) * v.stride[1];
}

/* Rotates the queries and keys. */
static void rotate_grouped(struct import *im, const struct trace_node *n,
    struct import_heads *h, const struct grouped_tokens *g)
{
	const int64_t tokens = h->q.shape.size[2];
	struct import_rotation by = { .cos = trace_in(n, 7),
		.sin = trace_in(n, 8),
		.batches = 1,
		.interleaved = rule_int(&n->call, "rotary_interleaved", 0) != 0 };
	int64_t *position;

	if (trace_in(n, 9) != TRACE_NONE)
		position = import_positions(im, n, 9, tokens, &by.batches);
	else {
		position = mem_zero((size_t)tokens, sizeof(*position));
		for (int64_t i = 0; i < tokens; i++)
			position[i] = g->past + i;
	}
	by.position = position;
	h->q = import_rotated(im, n, h->q, &by);
	h->k = import_rotated(im, n, h->k, &by);
	free(position);
}

/* Fails if a GroupQueryAttention has an attribute, other than 0, that is not computed: new
 * ones change what it computes. */
static void check_grouped(struct import *im, const struct trace_node *n)
{
	static const char *const known[] = { "num_heads", "kv_num_heads", "scale",
		"softcap", "do_rotary", "rotary_interleaved", "local_window_size" };

	for (uint32_t i = 0; i < n->call.node->attributes; i++) {
		const struct onnx_attribute *a = &n->call.node->attribute[i];
		bool is_known =
		    a->type == ONNX_ATTRIBUTE_INT ? a->i <= 0 : text_is(a->s, "NONE");

		for (size_t k = 0; k < COUNT(known); k++)
			is_known |= text_is(a->name, known[k]);
		if (!is_known)
			trace_lack(&im->t, n, "its attribute %.*s is set", (int)a->name.len,
			    a->name.ptr);
	}
	if (trace_in(n, 11) != TRACE_NONE)
		trace_lack(&im->t, n, "its softmax has a sink");
	if (trace_in(n, 12) != TRACE_NONE || trace_in(n, 13) != TRACE_NONE)
		trace_lack(&im->t, n, "its cache is quantized");
	if (trace_out(n, 3) != TRACE_NONE)
		trace_lack(&im->t, n, "its scores are a result");
}

void import_group_query(IMPORT_PARAMS)
{
	const int64_t heads = rule_int(&n->call, "num_heads", 0),
	              kv_heads = rule_int(&n->call, "kv_num_heads", 0),
	              window = rule_int(&n->call, "local_window_size", -1);
	const double scale = trace_float(n, "scale", 0);
	struct import_heads h = { .scale = scale > 0 ? scale : 0,
		.cap = trace_float(n, "softcap", 0),
		.causal = true,
		.window = window > 0 ? window : 0 };
	struct grouped_tokens g;

	(void)m;
	if (heads < 1 || kv_heads < 1)
		trace_fail(&im->t, n,
		    "its attributes num_heads and kv_num_heads are not "
		    "positive");
	check_grouped(im, n);
	if (im->t.failed)
		return;
	read_grouped(im, n, &h, heads, kv_heads);
	if (im->t.failed || !read_tokens(im, n, h.q.shape.size[2], &g))
		return;
	h.past = g.past;
	if (rule_int(&n->call, "do_rotary", 0) != 0)
		rotate_grouped(im, n, &h, &g);
	extend_caches(im, n, &h, 3, g.past);
	if (trace_in(n, 10) != TRACE_NONE && !im->t.failed)
		h.mask = import_attention_mask(im, n, 10, 0);
	attention_done(im, n, import_attend(im, n, &h));
}

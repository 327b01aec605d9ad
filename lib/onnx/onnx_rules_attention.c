/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules of the operators of attention, and their MACs; see onnx_rules_priv.h. The MACs are
 * those of graph_count.h.
 */
#include "onnx/onnx_rules_priv.h"

/* One operand of Attention: batch, heads, rows, size of a head. */
static int attention_sizes(
    struct rule_call *c, uint32_t i, const char *heads, int64_t size[4])
{
	const struct onnx_fact *x = rule_in(c, i);
	int64_t n = rule_int(c, heads, 0);

	if (!x)
		return rule_missing(c);
	if (x->dims == 4) {
		memcpy(size, x->dim, 4 * sizeof(*size));
		return RULE_FINE;
	}
	if (x->dims != 3 || n < 1 || x->dim[2] % n)
		return rule_wrong(c, "operand %u cannot be split into heads", i);
	memcpy(
	    size, (int64_t[]){ x->dim[0], n, x->dim[1], x->dim[2] / n }, 4 * sizeof(*size));
	return RULE_FINE;
}

int rule_attention(struct rule_call *c)
{
	static const char *const heads[] = { "q_num_heads", "kv_num_heads",
		"kv_num_heads" };
	int64_t size[3][4], past = 0;
	int status = RULE_FINE;

	for (uint32_t i = 0; i < 3 && status == RULE_FINE; i++)
		status = attention_sizes(c, i, heads[i], size[i]);
	if (status != RULE_FINE)
		return status;
	if (rule_has(c, 4)) {
		const struct onnx_fact *key = rule_in(c, 4);

		if (!key)
			return rule_missing(c);
		past = key->dims == 4 ? key->dim[2] : 0;
	}
	const int64_t *q = size[0], *k = size[1], *v = size[2];
	int64_t out[4] = { q[0], q[1], q[2], v[3] }, keys = k[2] + past;
	int64_t flat[3] = { q[0], q[2], -1 };
	int64_t present[2][4] = { { k[0], k[1], keys, k[3] }, { v[0], v[1], keys, v[3] } };
	int64_t scores[4] = { q[0], q[1], q[2], keys };

	if ((double)q[1] * (double)v[3] <= ONNX_ELEMENTS_MAX)
		flat[2] = q[1] * v[3];
	for (uint32_t i = 0; i < c->outs; i++)
		if (c->out[i])
			c->out[i]->type = c->in[0]->type;
	c->macs = rule_product(scores, 4) * ((double)q[3] + (double)v[3]);
	if (rule_out(c, 1, present[0], 4) < 0 || rule_out(c, 2, present[1], 4) < 0 ||
	    rule_out(c, 3, scores, 4) < 0)
		return RULE_WRONG;
	return c->in[0]->dims == 3 ? rule_out(c, 0, flat, 3) : rule_out(c, 0, out, 4);
}

/* The sizes of an operator of attention. */
struct attention_shape {
	int64_t batch, heads, queries, keys, width, value_width;
	int64_t kv_heads, past;
};

/* Sets the result [batch,queries,heads width], and the caches that are results 1 and 2. */
static int attention_results(struct rule_call *c, const struct attention_shape *s)
{
	const int64_t scores[] = { s->batch, s->heads, s->queries, s->keys },
	              key[] = { s->batch, s->kv_heads, s->keys, s->width },
	              value[] = { s->batch, s->kv_heads, s->keys, s->value_width };
	int64_t out[] = { s->batch, s->queries, -1 };

	if ((double)s->heads * (double)s->value_width <= ONNX_ELEMENTS_MAX)
		out[2] = s->heads * s->value_width;
	for (uint32_t i = 0; i < c->outs; i++)
		if (c->out[i])
			c->out[i]->type = c->in[0]->type;
	c->macs = rule_product(scores, 4) * ((double)s->width + (double)s->value_width);
	return rule_out(c, 0, out, 3) < 0 || rule_out(c, 1, key, 4) < 0 ||
	               rule_out(c, 2, value, 4) < 0
	           ? RULE_WRONG
		   : RULE_FINE;
}

/* Stores the tokens of a cache [batch,heads,tokens,width]; 0: there is none. Returns the
 * status of the rule. */
static int cached_tokens(struct rule_call *c, uint32_t i, int64_t *tokens)
{
	const struct onnx_fact *cache;

	*tokens = 0;
	if (!rule_has(c, i))
		return RULE_FINE;
	cache = rule_in(c, i);
	if (!cache)
		return rule_missing(c);
	if (cache->dims != 4)
		return rule_wrong(c, "operand %u is no cache of four dimensions", i);
	*tokens = cache->dim[2];
	return RULE_FINE;
}

/* MultiHeadAttention of ONNX Runtime: queries are [batch,tokens,width], and keys and values
 * too, or [batch,heads,tokens,width]. */
int rule_multi_head_attention(struct rule_call *c)
{
	const struct onnx_fact *q = rule_in(c, 0), *k = q ? rule_in(c, 1) : NULL,
	                       *v = k ? rule_in(c, 2) : NULL;
	const int64_t heads = rule_int(c, "num_heads", 0);
	struct attention_shape s = { .heads = heads, .kv_heads = heads };
	int status;

	if (!v)
		return rule_missing(c);
	if (q->dims != 3 || k->dims != v->dims || (k->dims != 3 && k->dims != 4))
		return RULE_UNKNOWN; /* packed */
	const bool flat = k->dims == 3;
	if (heads < 1 || q->dim[0] != k->dim[0] || q->dim[0] != v->dim[0] ||
	    q->dim[2] % heads ||
	    (flat ? v->dim[2] % heads || q->dim[2] != k->dim[2] || k->dim[1] != v->dim[1]
	          : k->dim[1] != heads || v->dim[1] != heads || k->dim[2] != v->dim[2] ||
	                k->dim[3] != q->dim[2] / heads))
		return rule_wrong(c, "its operands cannot be split into heads");
	status = cached_tokens(c, 6, &s.past);
	if (status != RULE_FINE)
		return status;
	s.batch = q->dim[0];
	s.queries = q->dim[1];
	s.width = q->dim[2] / heads;
	s.value_width = flat ? v->dim[2] / heads : v->dim[3];
	s.keys = k->dim[flat ? 1 : 2] + s.past;
	return attention_results(c, &s);
}

/* GroupQueryAttention of ONNX Runtime: queries [batch,tokens,heads width], with which keys
 * and values may be packed. The caches have as many tokens as operand 6 has, or as before.
 */
int rule_group_query(struct rule_call *c)
{
	const struct onnx_fact *q = rule_in(c, 0);
	struct attention_shape s = { .heads = rule_int(c, "num_heads", 0),
		.kv_heads = rule_int(c, "kv_num_heads", 0) };
	const bool packed = !rule_has(c, 1);
	const int64_t *total;
	uint32_t count;
	int status;

	if (!q)
		return rule_missing(c);
	if (s.heads < 1 || s.heads > INT32_MAX || s.kv_heads < 1 ||
	    s.kv_heads > INT32_MAX || q->dims != 3 ||
	    q->dim[2] % (s.heads + (packed ? 2 * s.kv_heads : 0)))
		return rule_wrong(c, "its operands cannot be split into heads");
	status = cached_tokens(c, 3, &s.past);
	if (status != RULE_FINE)
		return status;
	total = rule_integers(c, 6, NULL, &count);
	if (!total || count != 1)
		return RULE_UNKNOWN;
	s.batch = q->dim[0];
	s.queries = q->dim[1];
	s.width = s.value_width = q->dim[2] / (s.heads + (packed ? 2 * s.kv_heads : 0));
	s.keys = total[0] > s.past ? total[0] : s.past;
	return attention_results(c, &s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attention with a few queries, as the next token of a model has. Reading keys and values
 * takes most of the time. A part of cpu_kernels.h.
 */

/* Returns the stride between the scores of queries, which avoids the same lines of the
 * cache. */
static int64_t T_(scores_row)(int64_t keys)
{
	return (keys + 15) / 16 * 16 + 16;
}

static size_t T_(attention_few_bytes)(const struct backend_op *op)
{
	return (size_t)(op->p.attention.heads * cpu_size(op->in[0], 2) *
	                T_(scores_row)(cpu_size(op->in[1], 2))) *
	       sizeof(T);
}

/* Returns an element of keys or values, which have the type T or 16 bits. */
static const void *T_(element_at)(const struct backend_tensor *t, int64_t place)
{
	return cpu_is_half(t->dtype) ? (const void *)(cpu_u16(t) + place)
	                             : (const void *)(TENSOR(t) + place);
}

/* Computes the rows of p. */
static void T_(heads_attend)(
    const struct cpu_few_heads *p, const struct cpu_few_attention *by)
{
	by->scores(p);
	for (int64_t h = 0; h < p->kv_heads * p->share; h++) {
		for (int64_t i = 0; i < p->rows; i++) {
			T *row = (T *)p->scores + (h * p->rows + i) * p->scores_row;
			int64_t seen = cpu_few_seen(p, i);
			if (p->mask)
				T_(row_combine)
			(row, row, (const T *)p->mask + h * p->mask_head + i * p->mask_row,
			    1, seen, false);
			T_(softmax_row)(row, seen);
			memset((T *)p->out + h * p->out_head + i * p->out_row, 0,
			    (size_t)p->dv * sizeof(T));
		}
	}
	by->mix(p);
}

/* Returns heads [g, g + count) of keys and values of sequence b. */
static struct cpu_few_heads T_(heads_of)(
    const struct backend_op *op, int64_t keys, int64_t b, int64_t g, int64_t count)
{
	const struct backend_tensor *q = op->in[0], *k = op->in[1], *v = op->in[2];
	const struct backend_tensor *mask = op->in[3], *out = op->out[0];
	int64_t heads = op->p.attention.heads, kv_heads = op->p.attention.kv_heads;
	int64_t share = heads / kv_heads, t = cpu_size(q, 2);
	int64_t d = cpu_size(q, 1) / heads, dv = cpu_size(v, 1) / kv_heads;
	bool causal = op->p.attention.causal;
	struct cpu_few_heads p = {
		.kv_heads = count,
		.share = share,
		.rows = t,
		.keys = causal ? cpu_min(keys, op->past + t) : keys,
		.d = d,
		.dv = dv,
		.q = TENSOR(q) + b * cpu_stride(q, 3) + g * share * d,
		.k = T_(element_at)(k, b * cpu_stride(k, 3) + g * d),
		.v = T_(element_at)(v, b * cpu_stride(v, 3) + g * dv),
		.mask = mask ? TENSOR(mask) + g * share * cpu_stride(mask, 3) : NULL,
		.out = TENSOR(out) + b * cpu_stride(out, 3) + g * share * dv,
		.q_head = d,
		.q_row = cpu_stride(q, 2),
		.k_row = cpu_stride(k, 2),
		.v_row = cpu_stride(v, 2),
		.mask_head = mask ? cpu_stride(mask, 3) : 0,
		.mask_row = mask ? cpu_stride(mask, 2) : 0,
		.scores_row = T_(scores_row)(keys),
		.out_head = dv,
		.out_row = cpu_stride(out, 2),
		.seen = causal ? cpu_min(keys, op->past + 1) : keys,
		.seen_more = causal,
		.scale = op->p.attention.scale,
	};
	if (t > 1)
		return p;
	/* The rows of query heads that share keys are multiplied together. */
	p.rows = share;
	p.share = 1;
	p.q_row = p.q_head;
	p.q_head *= share;
	p.mask_row = p.mask_head;
	p.mask_head *= share;
	p.out_row = p.out_head;
	p.out_head *= share;
	p.seen_more = 0;
	return p;
}

/* Computes the operation with `team` threads, which share the heads of keys and values. */
static void T_(attention_few)(
    struct backend_session *s, const struct backend_op *op, int64_t keys, int team)
{
	const struct backend_tensor *k = op->in[1];
	int64_t kv_heads = op->p.attention.kv_heads;
	int64_t tasks = cpu_size(op->in[0], 3) * kv_heads;
	const struct cpu_few_attention *by = cpu_is_half(k->dtype)
	                                         ? &s->isa->half[cpu_half_of(k)].attention
	                                         : &s->isa->few_attention[BLAS_TYPE];
#pragma omp parallel for num_threads(team) schedule(static)
	for (int part = 0; part < team; part++) {
		int64_t from = tasks * part / team, until = tasks * (part + 1) / team,
		        count;
		for (int64_t i = from; i < until; i += count) {
			int64_t b = i / kv_heads, g = i % kv_heads;
			count = cpu_min(until - i, kv_heads - g);
			struct cpu_few_heads p = T_(heads_of)(op, keys, b, g, count);
			p.scores =
			    (char *)s->scratch + (size_t)part * T_(attention_few_bytes)(op);
			T_(heads_attend)(&p, by);
		}
	}
}

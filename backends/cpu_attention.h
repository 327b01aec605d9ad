/*
 * Attention: for each head and a block of queries, the scores by one matrix product, their
 * softmax while they are in the second cache, and a second product with the values. A part
 * of cpu_kernels.h.
 */

struct T_(head) {
	const T *q, *k, *v, *mask;
	T *out;
	int64_t q_row, k_row, v_row, mask_row, out_row; /* strides */
	int64_t keys, d, dv, before; /* keys seen by query i: before + i + 1 if causal */
	bool causal;
	T scale;
};

/* Queries [first, first + count) of one head, in room for count x keys numbers. */
static void T_(attend)(const struct T_(head) * h, int64_t first, int64_t count, T *room)
{
	int64_t keys = h->causal ? cpu_min(h->keys, h->before + first + count) : h->keys;
	cpu_blas_gemm(&(struct cpu_blas){ .type = BLAS_TYPE,
	    .transpose = true,
	    .m = count,
	    .n = keys,
	    .k = h->d,
	    .a = h->q + first * h->q_row,
	    .lda = h->q_row,
	    .b = h->k,
	    .ldb = h->k_row,
	    .c = room,
	    .ldc = keys,
	    .alpha = (double)h->scale });
	for (int64_t i = 0; i < count; i++) {
		T *row = room + i * keys;
		int64_t seen = h->causal ? cpu_min(keys, h->before + first + i + 1) : keys;
		if (h->mask)
			T_(with_row)
		(row, row, h->mask + (first + i) * h->mask_row, 1, seen, false);
		T_(softmax_row)(row, seen);
		memset(row + seen, 0, (size_t)(keys - seen) * sizeof(T));
	}
	cpu_blas_gemm(&(struct cpu_blas){ .type = BLAS_TYPE,
	    .m = count,
	    .n = h->dv,
	    .k = keys,
	    .a = room,
	    .lda = keys,
	    .b = h->v,
	    .ldb = h->v_row,
	    .c = h->out + first * h->out_row,
	    .ldc = h->out_row,
	    .alpha = 1 });
}

static void T_(attention)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *q = op->in[0], *k = op->in[1], *v = op->in[2];
	const struct backend_tensor *mask = op->in[3], *out = op->out[0];
	int64_t heads = op->p.attention.heads, kv_heads = op->p.attention.kv_heads;
	int64_t batch = cpu_size(q, 3), t = cpu_size(q, 2), most = cpu_size(k, 2);
	int64_t d = cpu_size(q, 1) / heads, dv = cpu_size(v, 1) / kv_heads;
	int64_t keys = op->p.attention.cached ? cpu_min(most, op->past + t) : most;
	int64_t block = cpu_attention_block(t, most, sizeof(T)),
	        blocks = (t + block - 1) / block;
	/* A core has work for its vectors in half of a gemm's operations. */
	PARALLEL_FOR(s, batch * heads * t * keys * (2 + (d + dv) / 16))
	for (int64_t i = 0; i < batch * heads * blocks; i++) {
		int64_t b = i / blocks / heads, h = i / blocks % heads;
		int64_t first = i % blocks * block, g = h * kv_heads / heads;
		struct T_(head) head = {
			.q = TENSOR(q) + b * cpu_stride(q, 3) + h * d,
			.k = TENSOR(k) + b * cpu_stride(k, 3) + g * d,
			.v = TENSOR(v) + b * cpu_stride(v, 3) + g * dv,
			.mask = mask ? TENSOR(mask) + h * cpu_stride(mask, 3) : NULL,
			.out = TENSOR(out) + b * cpu_stride(out, 3) + h * dv,
			.q_row = cpu_stride(q, 2),
			.k_row = cpu_stride(k, 2),
			.v_row = cpu_stride(v, 2),
			.mask_row = mask ? cpu_stride(mask, 2) : 0,
			.out_row = cpu_stride(out, 2),
			.keys = keys,
			.d = d,
			.dv = dv,
			.before = op->past,
			.causal = op->p.attention.causal,
			.scale = (T)op->p.attention.scale,
		};
		T *room = (T *)s->scratch + (int64_t)omp_get_thread_num() * block * most;
		T_(attend)(&head, first, cpu_min(block, t - first), room);
	}
}

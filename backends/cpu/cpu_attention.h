/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attention. For each head and block of queries, it computes the scores by one matrix
 * product, their softmax while they are in the second cache, and a second product with the
 * values. Keys and values are packed like weights (cpu_packed.h), once for all blocks of a
 * head that a thread computes. A few queries do not gain from that; see
 * cpu_attention_few.h. A part of cpu_kernels.h.
 */

struct T_(head) {
	const T *q, *k, *v, *mask;
	T *out;
	int64_t q_row, k_row, v_row, mask_row, out_row; /* strides */
	int64_t keys, d, dv, before; /* query i uses before + i + 1 keys if causal */
	bool causal;
	T scale;
};

/* Returns the queries of a block: whole tiles whose scores stay in the second cache. */
static int64_t T_(queries_per_block)(int64_t queries, int64_t keys)
{
	int64_t most = 262144 / (int64_t)sizeof(T) / cpu_max(1, keys);
	most = cpu_min(T_(ROWS_MOST), cpu_max(most, 16)) / T_(HIGH) * T_(HIGH);
	int64_t tiles = (queries + T_(HIGH) - 1) / T_(HIGH);
	int64_t blocks = cpu_max(1, (queries + most - 1) / most);
	return (tiles + blocks - 1) / blocks * T_(HIGH);
}

/* The memory of a thread for packed operands and scores. */
struct T_(attention_room) {
	T *keys, *values, *rows, *scores;
	const T *packed; /* the keys that are packed */
};

/* Computes offsets in a thread's part of the scratch, and returns its size. */
static int64_t T_(attention_layout)(
    const struct backend_op *op, T *base, struct T_(attention_room) * room)
{
	const struct backend_tensor *q = op->in[0], *k = op->in[1], *v = op->in[2];
	int64_t keys = cpu_size(k, 2), d = cpu_size(q, 1) / op->p.attention.heads;
	int64_t dv = cpu_size(v, 1) / op->p.attention.kv_heads;
	int64_t wide = T_(WIDE), at = 0;
	room->packed = NULL;
	room->keys = base + at;
	at += (keys + wide - 1) / wide * wide * d + 16;
	room->values = base + (at = at / 16 * 16);
	at += (dv + wide - 1) / wide * wide * keys + 16;
	room->rows = base + (at = at / 16 * 16);
	at += T_(ROWS_MOST) * T_(STEP) + 16;
	room->scores = base + (at = at / 16 * 16);
	at += T_(queries_per_block)(cpu_size(q, 2), keys) * T_(scores_row)(keys) + 16;
	return at / 16 * 16;
}

static size_t T_(attention_bytes)(const struct backend_op *op)
{
	struct T_(attention_room) room;
	if (cpu_attention_is_few(op))
		return T_(attention_few_bytes)(op);
	return (size_t)T_(attention_layout)(op, NULL, &room) * sizeof(T);
}

/* Computes x = e^(scale x + mask - maximum) in place and returns 1 / their sum. The n
 * numbers are padded to a whole vector, with zeros. */
static T T_(scores_softmax)(T *x, const T *mask, T scale, int64_t n)
{
	T largest = -T_MAX, sum = 0;
	int64_t filled = (n + T_(LANES) - 1) / T_(LANES) * T_(LANES);
	if (mask) {
		_Pragma("omp simd reduction(max : largest)") for (int64_t i = 0; i < n; i++)
		{
			x[i] = x[i] * scale + mask[i];
			largest = x[i] > largest ? x[i] : largest;
		}
	} else {
		_Pragma("omp simd reduction(max : largest)") for (int64_t i = 0; i < n; i++)
		{
			x[i] = x[i] * scale;
			largest = x[i] > largest ? x[i] : largest;
		}
	}
	for (int64_t i = n; i < filled; i++)
		x[i] = -(T)INFINITY;
	_Pragma("omp simd reduction(+ : sum)") for (int64_t i = 0; i < filled; i++)
	{
		T one = T_(exp_below)(x[i] - largest);
		x[i] = one;
		sum += one;
	}
	return 1 / sum;
}

/* Computes queries [first, first + count) of one head, at most ROWS_MOST, with packed keys.
 */
static void T_(attention_block)(const struct T_(head) * h, int64_t first, int64_t count,
    struct T_(attention_room) * room)
{
	int64_t keys = h->causal ? cpu_min(h->keys, h->before + first + count) : h->keys;
	int64_t apart = T_(scores_row)(h->keys);
	T *out = h->out + first * h->out_row, factor[T_(ROWS_MOST)];
	if (room->packed != h->k) {
		T_(pack)(room->keys, h->k, h->k_row, true, h->keys, h->d);
		T_(pack)(room->values, h->v, h->v_row, false, h->dv, h->keys);
		room->packed = h->k;
	}
	for (int64_t l = 0; l < h->d; l += T_(DEPTH)) {
		int64_t depth = cpu_min(T_(DEPTH), h->d - l);
		T_(rows_copy)
		(room->rows, h->q + first * h->q_row + l, h->q_row, count, depth);
		T_(block_add)
		(&(struct T_(block)){ .a = room->rows,
		    .b = room->keys + l * T_(WIDE),
		    .lda = T_(STEP),
		    .depth = depth,
		    .k = h->d,
		    .c = room->scores,
		    .ldc = apart,
		    .rows = count,
		    .columns = keys,
		    .fresh = l == 0 });
	}
	for (int64_t i = 0; i < count; i++) {
		T *row = room->scores + i * apart;
		int64_t seen = h->causal ? cpu_min(keys, h->before + first + i + 1) : keys;
		factor[i] = T_(scores_softmax)(row,
		    h->mask ? h->mask + (first + i) * h->mask_row : NULL, h->scale, seen);
		if (seen < keys)
			memset(row + seen, 0, (size_t)(keys - seen) * sizeof(T));
	}
	for (int64_t l = 0; l < keys; l += T_(DEPTH))
		T_(block_add)
	(&(struct T_(block)){ .a = room->scores + l,
	    .b = room->values + l * T_(WIDE),
	    .lda = apart,
	    .depth = cpu_min(T_(DEPTH), keys - l),
	    .k = h->keys,
	    .c = out,
	    .ldc = h->out_row,
	    .rows = count,
	    .columns = h->dv,
	    .fresh = l == 0 });
	for (int64_t i = 0; i < count; i++)
		T_(row_combine_number)
	(out + i * h->out_row, out + i * h->out_row, factor[i], h->dv, true);
}

static void T_(attention)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *q = op->in[0], *k = op->in[1], *v = op->in[2];
	const struct backend_tensor *mask = op->in[3], *out = op->out[0];
	int64_t heads = op->p.attention.heads, kv_heads = op->p.attention.kv_heads;
	int64_t batch = cpu_size(q, 3), t = cpu_size(q, 2), most = cpu_size(k, 2);
	int64_t d = cpu_size(q, 1) / heads, dv = cpu_size(v, 1) / kv_heads;
	int64_t keys = op->p.attention.cached ? cpu_min(most, op->past + t) : most;
	int64_t block = T_(queries_per_block)(t, most), blocks = (t + block - 1) / block;
	/* Half of a gemm's operations are enough to keep a core's vectors busy. */
	int team = cpu_team(s, batch * heads * t * keys * (2 + (d + dv) / 16));
	int64_t tasks = batch * heads * blocks;
	if (cpu_attention_is_few(op)) {
		T_(attention_few)(s, op, keys, team);
		return;
	}
#pragma omp parallel for num_threads(team) schedule(static)
	for (int part = 0; part < team; part++) {
		struct T_(attention_room) room;
		size_t bytes = T_(attention_bytes)(op);
		T_(attention_layout)
		(op, (T *)(void *)((char *)s->scratch + (size_t)part * bytes), &room);
		for (int64_t i = tasks * part / team; i < tasks * (part + 1) / team; i++) {
			int64_t b = i / blocks / heads, h = i / blocks % heads;
			int64_t first = i % blocks * block, g = h * kv_heads / heads;
			struct T_(head) head = {
				.q = TENSOR(q) + b * cpu_stride(q, 3) + h * d,
				.k = TENSOR(k) + b * cpu_stride(k, 3) + g * d,
				.v = TENSOR(v) + b * cpu_stride(v, 3) + g * dv,
				.mask =
				    mask ? TENSOR(mask) + h * cpu_stride(mask, 3) : NULL,
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
			T_(attention_block)
			(&head, first, cpu_min(block, t - first), &room);
		}
	}
}

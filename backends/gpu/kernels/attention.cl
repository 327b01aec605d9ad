/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attention on tensor cores, with an online softmax: the scores stay in registers (after Dao:
 * FlashAttention-2, 2023). The rows of a key's head are its query heads for each token: row r
 * is token r / shared, head r % shared. A group has some rows, and reads the keys and values
 * KEYS at a time. STATES is the width of a head, rounded up to a multiple of 16; T is float16 or
 * bfloat16.
 */
#ifdef TENSOR_CORES
enum { KEYS = 64, WIDE_HEAD = STATES, LINE = WIDE_HEAD + 8, WARPS = 4, PIECES = WIDE_HEAD / 8 };

/* The operands of a group, which begin at elements _at, and whose rows, keys and values have the
 * strides _step. */
struct heads {
	GLOBAL const T_TYPE *q, *k, *v, *bias;
	int out_at, k_at, v_at, q_step, k_step, v_step, bias_head, bias_row;
	int width, shared, rows, keys;
};

struct attention_room {
	T_TYPE k[KEYS * LINE], v[KEYS * LINE];
	float most[WARPS * 16], sum[WARPS * 16];
};

/* Begins to copy KEYS rows from element `first` on, of which those from `rows` on, and columns from
 * `width` on, are 0. A work-item has one column, so that it keeps few addresses in registers. */
FUNCTION void copy_keys(SHARED_POINTER T_TYPE *to, GLOBAL const T_TYPE *from, const int first,
    const int step, const int rows, const int width)
{
	const int apart = 32 * WARPS / PIECES, column = WORK_ITEM % PIECES * 8;
	GLOBAL const T_TYPE *at = from + (first + WORK_ITEM / PIECES * step + column);

	if (WORK_ITEM >= apart * PIECES)
		return;
#pragma unroll
	for (int i = 0; i < (KEYS + apart - 1) / apart; i++) {
		const int row = WORK_ITEM / PIECES + i * apart;
		const int valid = row < rows && column < width;

		if (KEYS % apart == 0 || row < KEYS)
			copy_async(to + row * LINE + column, valid ? at : from, valid);
		at += apart * step;
	}
}

FUNCTION void copy_queries(SHARED_POINTER T_TYPE *to, const struct heads *h, const int first,
    const int rows)
{
	for (int piece = WORK_ITEM; piece < rows * PIECES; piece += 32 * WARPS) {
		const int row = piece / PIECES, column = piece % PIECES * 8;
		const int valid = first + row < h->rows && column < h->width;
		const int token = (first + row) / h->shared, head = (first + row) % h->shared;

		copy_async(to + row * LINE + column,
		    valid ? h->q + token * h->q_step + head * h->width + column : h->q, valid);
	}
}

/*
 * A share of the keys of a group. If there are several, each has PARTIAL numbers for each
 * row of a head, which attention_join.cl combines.
 */
enum { PARTIAL = WIDE_HEAD + 2 };
struct share {
	GLOBAL float *to;
	int number, count;
};

/*
 * Computes the tile of 16 rows of a warp, from its first row on. With SPLIT, the warps of a group
 * share its 16 rows, and each has a quarter of the keys of each turn; otherwise each has 16 rows.
 */
template <bool SPLIT>
FUNCTION void attend(SHARED_POINTER struct attention_room *room, const struct heads *h,
    GLOBAL T_TYPE *out, const int out_step, const int first, const int causal, const int past,
    const float scale, const struct share *share_of)
{
	const int COLUMNS = SPLIT ? KEYS / WARPS : KEYS, ROWS = SPLIT ? 16 : 16 * WARPS;
	const int lane = WORK_ITEM % 32, warp = WORK_ITEM / 32;
	const int low = lane % 8 + lane / 8 % 2 * 8, high = lane / 16 * 8;
	const int row0 = SPLIT ? 0 : warp * 16, column0 = SPLIT ? warp * COLUMNS : 0;
	const float to_base_2 = 1.44269504088896340736f;
	/* positive; a bias is added to scaled scores, others are scaled later */
	const float factor = h->bias ? 1 : scale;
	uint query[WIDE_HEAD / 16][4];
	float sum[WIDE_HEAD / 8][4], most[2], total[2];
	int seen[2], bias_at[2];

	for (int i = 0; i < 2; i++) {
		const int row = first + row0 + lane / 4 + 8 * i;
		const int token = row / h->shared;

		bias_at[i] = row % h->shared * h->bias_head + token * h->bias_row;
		seen[i] = causal && past + token + 1 < h->keys ? past + token + 1 : h->keys;
		seen[i] = row < h->rows ? seen[i] : 0;
		most[i] = -INFINITY;
		total[i] = 0;
	}
#pragma unroll
	for (int i = 0; i < WIDE_HEAD / 8; i++)
		sum[i][0] = sum[i][1] = sum[i][2] = sum[i][3] = 0;

	/* the keys that all rows see, and those that any does */
	const int last = first + ROWS < h->rows ? first + ROWS - 1 : h->rows - 1;
	const int all_see = causal && past + first / h->shared + 1 < h->keys
	    ? past + first / h->shared + 1
	    : h->keys;
	const int end = causal && past + last / h->shared + 1 < h->keys
	    ? past + last / h->shared + 1
	    : h->keys;

	const int turns = (end + KEYS - 1) / KEYS;
	const int each = SPLIT ? (turns + share_of->count - 1) / share_of->count * KEYS : 0;
	const int begin = SPLIT ? share_of->number * each : 0;
	const int stop = SPLIT && begin + each < end ? begin + each : end;

	copy_queries(room->v, h, first, ROWS);
	copy_async_commit();
	copy_keys(room->k, h->k, h->k_at + begin * h->k_step, h->k_step, h->keys - begin,
	    h->width);
	copy_async_commit();
	copy_async_wait(1);
	BARRIER;
#pragma unroll
	for (int i = 0; i < WIDE_HEAD / 16; i++)
		load_matrices(query[i], room->v + (row0 + low) * LINE + i * 16 + high);

	for (int from = begin; from < stop; from += KEYS) {
		float score[COLUMNS / 8][4];

		copy_async_wait(0);
		BARRIER;
		copy_keys(room->v, h->v, h->v_at + from * h->v_step, h->v_step, h->keys - from,
		    h->width);
		copy_async_commit();
#pragma unroll
		for (int i = 0; i < COLUMNS / 8; i++)
			score[i][0] = score[i][1] = score[i][2] = score[i][3] = 0;
#pragma unroll
		for (int i = 0; i < COLUMNS / 16; i++)
#pragma unroll
			for (int j = 0; j < WIDE_HEAD / 16; j++) {
				uint key[4];

				load_matrices(key,
				    room->k +
				        (column0 + i * 16 + lane % 8 + lane / 16 * 8) * LINE +
				        j * 16 + lane / 8 % 2 * 8);
				JOIN(multiply_, T)(score[2 * i], query[j], key);
				JOIN(multiply_, T)(score[2 * i + 1], query[j], key + 2);
			}
		BARRIER;
		if (from + KEYS < stop)
			copy_keys(room->k, h->k, h->k_at + (from + KEYS) * h->k_step,
			    h->k_step, h->keys - from - KEYS, h->width);
		copy_async_commit();

		if (h->bias) {
#pragma unroll
			for (int i = 0; i < COLUMNS / 8; i++)
#pragma unroll
				for (int e = 0; e < 4; e++) {
					const int key = from + column0 + i * 8 + lane % 4 * 2 + e % 2;

					score[i][e] *= scale;
					if (key < seen[e / 2])
						score[i][e] += to_base_2 *
						    LOAD(h->bias, bias_at[e / 2] + key);
				}
		}
		if (from + KEYS > all_see) {
#pragma unroll
			for (int i = 0; i < COLUMNS / 8; i++)
#pragma unroll
				for (int e = 0; e < 4; e++)
					if (from + column0 + i * 8 + lane % 4 * 2 + e % 2 >=
					    seen[e / 2])
						score[i][e] = -INFINITY;
		}

#pragma unroll
		for (int r = 0; r < 2; r++) {
			float top = most[r];

#pragma unroll
			for (int i = 0; i < COLUMNS / 8; i++)
				top = fmaxf(top, fmaxf(score[i][2 * r], score[i][2 * r + 1]));
			top = fmaxf(top, lane_exchange(top, 1));
			top = fmaxf(top, lane_exchange(top, 2));

			/* a row that sees no key yet */
			const float base = top == -INFINITY ? 0 : top * factor;
			const float by = fast_exp2(most[r] * factor - base);
			float part = 0;

			most[r] = top;
#pragma unroll
			for (int i = 0; i < COLUMNS / 8; i++) {
				score[i][2 * r] = fast_exp2(score[i][2 * r] * factor - base);
				score[i][2 * r + 1] =
				    fast_exp2(score[i][2 * r + 1] * factor - base);
				part += score[i][2 * r] + score[i][2 * r + 1];
			}
			total[r] = total[r] * by + part;
#pragma unroll
			for (int i = 0; i < WIDE_HEAD / 8; i++) {
				sum[i][2 * r] *= by;
				sum[i][2 * r + 1] *= by;
			}
		}

		copy_async_wait(1);
		BARRIER;
#pragma unroll
		for (int i = 0; i < COLUMNS / 16; i++) {
			uint share[4];

			share[0] = JOIN(pair_, T)(score[2 * i][0], score[2 * i][1]);
			share[1] = JOIN(pair_, T)(score[2 * i][2], score[2 * i][3]);
			share[2] = JOIN(pair_, T)(score[2 * i + 1][0], score[2 * i + 1][1]);
			share[3] = JOIN(pair_, T)(score[2 * i + 1][2], score[2 * i + 1][3]);
#pragma unroll
			for (int j = 0; j < WIDE_HEAD / 16; j++) {
				uint value[4];

				load_matrices_transposed(value,
				    room->v + (column0 + i * 16 + low) * LINE + j * 16 + high);
				JOIN(multiply_, T)(sum[2 * j], share, value);
				JOIN(multiply_, T)(sum[2 * j + 1], share, value + 2);
			}
		}
	}
#pragma unroll
	for (int r = 0; r < 2; r++) {
		total[r] += lane_exchange(total[r], 1);
		total[r] += lane_exchange(total[r], 2);
	}

	if (!SPLIT) {
#pragma unroll
		for (int r = 0; r < 2; r++) {
			/* not the divisions above, whose results would stay in registers */
			const uint row = first + row0 + lane / 4 + 8 * r, shared = h->shared;
			GLOBAL T_TYPE *to = out +
			    (h->out_at + row / shared * out_step + row % shared * h->width);
			const float by = 1 / total[r];

			if (row >= h->rows)
				continue;
#pragma unroll
			for (int i = 0; i < WIDE_HEAD / 8; i++) {
				const int column = i * 8 + lane % 4 * 2;

				if (i * 8 < h->width)
					*(GLOBAL uint *)(to + column) = JOIN(pair_, T)(
					    sum[i][2 * r] * by, sum[i][2 * r + 1] * by);
			}
		}
		return;
	}

	/* adds up the parts of the warps */
	SHARED_POINTER float *part = (SHARED_POINTER float *)room->k;

	copy_async_wait(0);
	BARRIER;
#pragma unroll
	for (int r = 0; r < 2; r++) {
		const int row = warp * 16 + lane / 4 + 8 * r;

		room->most[row] = most[r];
		room->sum[row] = total[r];
#pragma unroll
		for (int i = 0; i < WIDE_HEAD / 8; i++) {
			part[row * WIDE_HEAD + i * 8 + lane % 4 * 2] = sum[i][2 * r];
			part[row * WIDE_HEAD + i * 8 + lane % 4 * 2 + 1] = sum[i][2 * r + 1];
		}
	}
	BARRIER;
	for (int e = WORK_ITEM; e < 16 * WIDE_HEAD / 2; e += 32 * WARPS) {
		const int row = e / (WIDE_HEAD / 2), column = e % (WIDE_HEAD / 2) * 2;
		const int at = first + row;
		float top = -INFINITY, whole = 0, x = 0, y = 0;

		if (at >= h->rows || column >= h->width)
			continue;
		for (int w = 0; w < WARPS; w++)
			top = fmaxf(top, room->most[w * 16 + row]);
		const float base = top == -INFINITY ? 0 : top;

		for (int w = 0; w < WARPS; w++) {
			const float by = fast_exp2((room->most[w * 16 + row] - base) * factor);

			whole += by * room->sum[w * 16 + row];
			x += by * part[(w * 16 + row) * WIDE_HEAD + column];
			y += by * part[(w * 16 + row) * WIDE_HEAD + column + 1];
		}
		if (share_of->count == 1) {
			*(GLOBAL uint *)(out + h->out_at + at / h->shared * out_step +
			    at % h->shared * h->width + column) =
			    JOIN(pair_, T)(x / whole, y / whole);
			continue;
		}
		GLOBAL float *to =
		    share_of->to + ((long)at * share_of->count + share_of->number) * PARTIAL;

		to[column] = x;
		to[column + 1] = y;
		if (column == 0) {
			to[WIDE_HEAD] = top * factor;
			to[WIDE_HEAD + 1] = whole;
		}
	}
}

/* Each tensor is followed by the strides of b and t; the bias by those of heads and t. */
#define ATTENTION(name, split, rows_of_group, bounds)                                        \
	KERNEL bounds name(const int groups, OUT(T_TYPE, out), IN(T_TYPE, q), IN(T_TYPE, k),        \
	    IN(T_TYPE, v), IN(T_TYPE, bias), const long out_batch, const long out_step,      \
	    const long q_batch, const long q_step, const long k_batch, const long k_step,    \
	    const long v_batch, const long v_step, const long bias_head,                     \
	    const long bias_row, const int kv_heads, const int shared, const int tokens,     \
	    const int keys, const int width, const int causal, const int cached,             \
	    const float scale, PAST_ARGUMENTS, OUT(float, partial), const int shares)        \
	{                                                                                    \
		const int past = PAST;                                                       \
		SHARED __align__(16) struct attention_room room;                             \
		const int tiles = (tokens * shared + rows_of_group - 1) / rows_of_group;     \
		const int number = GROUP_ID / shares;                                        \
		const int first = (tiles - 1 - number % tiles) * rows_of_group;              \
		const int head = number / tiles % kv_heads;                                  \
		const int batch = number / tiles / kv_heads;                                 \
		struct heads h;                                                              \
		struct share share_of;                                                       \
                                                                                             \
		if (GROUP_ID >= groups)                                                      \
			return;                                                              \
		PLACE(out);                                                                  \
		PLACE(q);                                                                    \
		PLACE(k);                                                                    \
		PLACE(v);                                                                    \
		PLACE(bias);                                                                 \
		PLACE(partial);                                                              \
		share_of.number = GROUP_ID % shares;                                         \
		share_of.count = shares;                                                     \
		share_of.to = partial +                                                      \
		    (long)(number / tiles) * tokens * shared * shares * PARTIAL;             \
		h.q = q + batch * q_batch + head * shared * width;                           \
		h.k = k;                                                                     \
		h.v = v;                                                                     \
		h.k_at = (int)(batch * k_batch) + head * width;                              \
		h.v_at = (int)(batch * v_batch) + head * width;                              \
		h.out_at = (int)(batch * out_batch) + head * shared * width;                 \
		h.bias = bias ? bias + head * shared * bias_head : 0;                        \
		h.q_step = (int)q_step;                                                      \
		h.k_step = (int)k_step;                                                      \
		h.v_step = (int)v_step;                                                      \
		h.bias_head = (int)bias_head;                                                \
		h.bias_row = (int)bias_row;                                                  \
		h.width = width;                                                             \
		h.shared = shared;                                                           \
		h.rows = tokens * shared;                                                    \
		h.keys = cached ? past + tokens : keys;                                      \
		attend<split>(&room, &h, out, (int)out_step, first, causal, past,            \
		    scale * 1.44269504088896340736f, &share_of);                             \
	}
ATTENTION(attention_split, true, 16, )
/* A multiprocessor runs three groups; or four with fewer registers, which is faster if there are
 * many. */
#if STATES <= 64
ATTENTION(attention, false, (16 * WARPS), __launch_bounds__(32 * WARPS, 3))
ATTENTION(attention_many, false, (16 * WARPS), __launch_bounds__(32 * WARPS, 4))
#elif STATES <= 80
ATTENTION(attention, false, (16 * WARPS), __launch_bounds__(32 * WARPS, 3))
#else
ATTENTION(attention, false, (16 * WARPS), )
#endif
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attention in float32, with an online softmax: the scores pass through shared memory only. Rows
 * are those of attention.cl. A group has STATES rows, reads KEYS keys at a time, and heads have at
 * most WIDE_HEAD columns. 16 work-items share EACH adjacent rows; work-item x of them has the
 * scores of the keys x + 16 i, and the sums of the columns 4 x to 4 x + 3.
 *
 * Rows in shared memory are pieces of 4 elements. The order of the pieces depends on the row, so
 * that work-items that read different rows use different banks.
 */
#ifdef TENSOR_CORES
enum { KEYS = 64, WIDE_HEAD = 64, PIECES = WIDE_HEAD / 4 };
enum { GROUP_OF = 128, LINES = GROUP_OF / PIECES, ROWS = STATES, EACH = ROWS / LINES };

struct __align__(16) four {
	float of[4];
};
CHECK_ALIGNED(four);
/* The places of a piece: of rows that 16 work-items read together, and of those that each reads. */
#define TOGETHER(row, piece) ((row) * PIECES + ((piece) ^ ((row) / EACH & 7)))
#define APART(row, piece) ((row) * PIECES + ((piece) ^ ((row) & 7)))

/* The shares of the softmax replace the keys. */
struct attention_room {
	struct four q[ROWS * PIECES], k[KEYS * PIECES], v[KEYS * PIECES];
};

KERNEL __launch_bounds__(GROUP_OF, 3) attention_float(const int groups, OUT(float, out), IN(float, q), IN(float, k), IN(float, v),
    IN(float, bias), const long out_batch, const long out_step, const long q_batch,
    const long q_step, const long k_batch, const long k_step, const long v_batch,
    const long v_step, const long bias_head, const long bias_row, const int kv_heads,
    const int shared, const int tokens, const int all_keys, const int width, const int causal,
    const int cached, const float factor, PAST_ARGUMENTS)
{
	const int past = PAST;
	SHARED struct attention_room room;
	const int tiles = (tokens * shared + ROWS - 1) / ROWS;
	const int first = (tiles - 1 - GROUP_ID % tiles) * ROWS;
	const int kv_head = GROUP_ID / tiles % kv_heads, batch = GROUP_ID / tiles / kv_heads;
	const int x = WORK_ITEM % PIECES, line = WORK_ITEM / PIECES, y = line * EACH;
	const int k_stride = (int)k_step, v_stride = (int)v_step;
	const int rows = tokens * shared, keys = cached ? past + tokens : all_keys;
	const float to_base_2 = 1.44269504088896340736f, scale = factor * to_base_2;
	float sum[EACH][4], most[EACH], total[EACH];

	if (GROUP_ID >= groups)
		return;
	PLACE(out);
	PLACE(q);
	PLACE(k);
	PLACE(v);
	PLACE(bias);
	q += batch * q_batch + kv_head * shared * width;
	const int k_first = (int)(batch * k_batch) + kv_head * width + x * 4;
	const int v_first = (int)(batch * v_batch) + kv_head * width + x * 4;

	const int last = first + ROWS < rows ? first + ROWS - 1 : rows - 1;
	const int all_see = causal && past + first / shared + 1 < keys ? past + first / shared + 1
	                                                               : keys;
	const int end = causal && past + last / shared + 1 < keys ? past + last / shared + 1 : keys;

#pragma unroll
	for (int i = 0; i < EACH; i++) {
		sum[i][0] = sum[i][1] = sum[i][2] = sum[i][3] = 0;
		most[i] = -INFINITY;
		total[i] = 0;
	}
	for (int e = WORK_ITEM; e < ROWS * PIECES; e += GROUP_OF) {
		const int row = e / PIECES, piece = e % PIECES;
		const int valid = first + row < rows && piece * 4 < width;
		const int token = (first + row) / shared, head = (first + row) % shared;

		copy_async(&room.q[TOGETHER(row, piece)],
		    valid ? q + token * q_step + head * width + piece * 4 : q, valid);
	}
	for (int from = 0; from < end; from += KEYS) {
		float score[EACH][4];

		int k_row = k_first + (from + line) * k_stride;
		int v_row = v_first + (from + line) * v_stride;

#pragma unroll
		for (int i = 0; i < KEYS; i += LINES) {
			const int valid = from + line + i < keys && x * 4 < width;

			copy_async(&room.k[APART(line + i, x)], valid ? k + k_row : k, valid);
			copy_async(&room.v[(line + i) * PIECES + x], valid ? v + v_row : v, valid);
			k_row += LINES * k_stride;
			v_row += LINES * v_stride;
		}
		copy_async_commit();
		copy_async_wait(0);
		BARRIER;

#pragma unroll
		for (int i = 0; i < EACH; i++)
			score[i][0] = score[i][1] = score[i][2] = score[i][3] = 0;
#pragma unroll 2
		for (int piece = 0; piece < PIECES; piece++) {
			struct four key[4];

#pragma unroll
			for (int j = 0; j < 4; j++)
				key[j] = room.k[APART(x + 16 * j, piece)];
#pragma unroll
			for (int i = 0; i < EACH; i++) {
				const struct four query = room.q[TOGETHER(y + i, piece)];

#pragma unroll
				for (int j = 0; j < 4; j++)
#pragma unroll
					for (int e = 0; e < 4; e++)
						score[i][j] += query.of[e] * key[j].of[e];
			}
		}
		BARRIER;

#pragma unroll
		for (int i = 0; i < EACH; i++) {
			float top = most[i];

#pragma unroll
			for (int j = 0; j < 4; j++)
				score[i][j] *= scale;
			if (bias || from + KEYS > all_see) {
				const int row = first + y + i, token = row / shared;
				const int sees =
				    causal && past + token + 1 < keys ? past + token + 1 : keys;
				const int seen = row < rows ? sees : 0;

#pragma unroll
				for (int j = 0; j < 4; j++) {
					const int key = from + x + 16 * j;

					if (bias && key < seen)
						score[i][j] += to_base_2 *
						    bias[(kv_head * shared + row % shared) * bias_head +
						        token * bias_row + key];
					if (key >= seen)
						score[i][j] = -INFINITY;
				}
			}
#pragma unroll
			for (int j = 0; j < 4; j++)
				top = fmaxf(top, score[i][j]);
#pragma unroll
			for (int by = 8; by > 0; by /= 2)
				top = fmaxf(top, lane_exchange(top, by));

			/* a row that sees no key */
			const float base = top == -INFINITY ? 0 : top;
			const float by = fast_exp2(most[i] - base);

			most[i] = top;
			total[i] *= by;
#pragma unroll
			for (int j = 0; j < 4; j++) {
				const int column = x + 16 * j;

				sum[i][j] *= by;
				score[i][j] = fast_exp2(score[i][j] - base);
				total[i] += score[i][j];
				room.k[TOGETHER(y + i, column / 4)].of[column % 4] = score[i][j];
			}
		}
		BARRIER;
#pragma unroll 2
		for (int piece = 0; piece < KEYS / 4; piece++) {
			struct four value[4];

#pragma unroll
			for (int j = 0; j < 4; j++)
				value[j] = room.v[(piece * 4 + j) * PIECES + x];
#pragma unroll
			for (int i = 0; i < EACH; i++) {
				const struct four share = room.k[TOGETHER(y + i, piece)];

#pragma unroll
				for (int j = 0; j < 4; j++)
#pragma unroll
					for (int e = 0; e < 4; e++)
						sum[i][e] += share.of[j] * value[j].of[e];
			}
		}
		BARRIER;
	}
	/* computed again, because the results above would stay in registers */
	const uint part = (uint)GROUP_ID / (uint)tiles, head_of = part % (uint)kv_heads;
	const int first_row =
	    (tiles - 1 - GROUP_ID % (uint)tiles) * ROWS + LOCAL_ID / PIECES * EACH;

	out += part / (uint)kv_heads * out_batch + head_of * shared * width +
	    LOCAL_ID % PIECES * 4;
#pragma unroll
	for (int i = 0; i < EACH; i++) {
		const int row = first_row + i;
		struct four to;

#pragma unroll
		for (int by = 8; by > 0; by /= 2)
			total[i] += lane_exchange(total[i], by);
		const float by = 1 / total[i];
		for (int e = 0; e < 4; e++)
			to.of[e] = sum[i][e] * by;
		if (row < rows && x * 4 < width)
			*(GLOBAL struct four *)(out + row / shared * out_step +
			    row % shared * width) = to;
	}
}
#endif

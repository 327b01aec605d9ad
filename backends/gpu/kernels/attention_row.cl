/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attention of a few tokens, in any type and without tensor cores. A group has one row and a share
 * of its keys, KEYS of which are read at a time. First SPREAD adjacent work-items have the score of
 * a key, then a work-item has a power, and last `lanes` adjacent work-items have the columns of a
 * value, where lanes is a power of 2 and at least the number of columns. They load AHEAD values
 * before they use the first. With several shares, attention_join.cl combines them. STATES is the
 * width of a head; rows are those of attention.cl.
 */
enum { KEYS = GROUP, SPREAD = 8, LINES = GROUP / SPREAD, AHEAD = 8 };

struct row_room {
	R query[STATES], score[KEYS][SPREAD + 1], power[KEYS], sum[GROUP];
};

KERNEL attention_row(const int groups, OUT(T_TYPE, out), IN(T_TYPE, q), IN(T_TYPE, k),
    IN(T_TYPE, v), IN(T_TYPE, bias), const long out_batch, const long out_step, const long q_batch,
    const long q_step, const long k_batch, const long k_step, const long v_batch,
    const long v_step, const long bias_head, const long bias_row, const int kv_heads,
    const int shared, const int tokens, const int all_keys, const int width, const int lanes,
    const int causal, const int cached, const R scale, PAST_ARGUMENTS, OUT(R, partial),
    const int shares)
{
	SHARED struct row_room room;
	const int past = PAST, keys = cached ? past + tokens : all_keys;
	const int rows = tokens * shared, part = GROUP_ID / shares, row = part % rows;
	const int token = row / shared, kv_head = part / rows % kv_heads;
	const int batch = part / rows / kv_heads, head = kv_head * shared + row % shared;
	const int sees = causal && past + token + 1 < keys ? past + token + 1 : keys;
	const int each = ((sees + shares - 1) / shares + LINES - 1) / LINES * LINES;
	const int begin = GROUP_ID % shares * each;
	const int end = IF_MINE(groups, begin + each < sees ? begin + each : sees);
	const int line = LOCAL_ID / SPREAD, lane = LOCAL_ID % SPREAD;
	const int column = LOCAL_ID % lanes, first = LOCAL_ID / lanes, apart = GROUP / lanes;
	const R to_base_2 = (R)1.44269504088896340736;
	R most = -INFINITY, total = 0, sum = 0;

	PLACE(out);
	PLACE(q);
	PLACE(k);
	PLACE(v);
	PLACE(bias);
	PLACE(partial);
	q += batch * q_batch + token * q_step + head * STATES;
	k += batch * k_batch + kv_head * STATES;
	v += batch * v_batch + kv_head * width + column;
	if (bias)
		bias += head * bias_head + token * bias_row;
	for (int c = LOCAL_ID; c < IF_MINE(groups, STATES); c += GROUP)
		room.query[c] = LOAD(q, c) * scale * to_base_2;

	for (int from = begin; from < end; from += KEYS) {
		const int count = end - from < KEYS ? end - from : KEYS;
		R score = -INFINITY;

		BARRIER;
		for (int i = line; i < count; i += LINES) {
			GLOBAL const T_TYPE *key = k + (from + i) * k_step;
			R product = 0;

#pragma unroll
			for (int e = 0; e < (STATES + SPREAD - 1) / SPREAD; e++) {
				const int c = e * SPREAD + lane;

				if (STATES % SPREAD == 0 || c < STATES)
					product += room.query[c] * LOAD(key, c);
			}
			room.score[i][lane] = product;
		}
		BARRIER;
		if (LOCAL_ID < count) {
			score = 0;
			for (int l = 0; l < SPREAD; l++)
				score += room.score[LOCAL_ID][l];
			if (bias)
				score += to_base_2 * LOAD(bias, from + LOCAL_ID);
		}

		const R top = fmax(most, group_max(score, room.sum));
		/* a row that sees no key yet */
		const R base = top == -INFINITY ? 0 : top;
		const R by = exp2(most - base), power = exp2(score - base);

		room.power[LOCAL_ID] = power;
		total = total * by + group_sum(power, room.sum);
		sum *= by;
		most = top;
		for (int i = first; column < width && i < count; i += AHEAD * apart) {
			R value[AHEAD];

#pragma unroll
			for (int e = 0; e < AHEAD; e++) {
				const int key = i + e * apart < count ? i + e * apart : i;

				value[e] = LOAD(v, (from + key) * v_step);
			}
#pragma unroll
			for (int e = 0; e < AHEAD; e++)
				if (i + e * apart < count)
					sum += room.power[i + e * apart] * value[e];
		}
	}
	BARRIER;
	room.sum[LOCAL_ID] = sum;
	BARRIER;
	if (GROUP_ID >= groups || LOCAL_ID >= width)
		return;
	for (int i = 1; i < apart; i++)
		sum += room.sum[i * lanes + column];
	if (shares == 1) {
		STORE(out, batch * out_batch + token * out_step + head * width + column,
		    sum / total);
		return;
	}
	partial += (long)GROUP_ID * (width + 2);
	partial[column] = sum;
	if (column == 0) {
		partial[width] = most;
		partial[width + 1] = total;
	}
}

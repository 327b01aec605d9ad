/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Normalizations and softmax: a group has a row, or a group of channels.
 */

/* The mean of a row and 1 / its standard deviation. */
#define MEAN_AND_SCALE(mean, by, x, n, eps)                                                  \
	do {                                                                                 \
		R sum_;                                                                      \
                                                                                             \
		SUM_SHARE(sum_, n, LOAD(x, i));                                              \
		mean = group_sum(sum_, room) / (n);                                          \
		SUM_SHARE(sum_, n, (LOAD(x, i) - mean) * (LOAD(x, i) - mean));               \
		by = 1 / sqrt(group_sum(sum_, room) / (n) + (eps));                          \
	} while (0)

KERNEL layernorm(const int rows, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, gain),
    IN(T_TYPE, shift), const int columns, const R eps)
{
	SHARED R room[ROW_GROUP];
	const int n = IF_MINE(rows, columns);
	R mean, by;

	PLACE(out);
	PLACE(x);
	PLACE(gain);
	PLACE(shift);
	x += (long)GROUP_ID * columns;
	out += (long)GROUP_ID * columns;
	MEAN_AND_SCALE(mean, by, x, n, eps);
	FOR_SHARE(i, n)
	{
		R y = (LOAD(x, i) - mean) * by;

		if (gain)
			y *= LOAD(gain, i);
		if (shift)
			y += LOAD(shift, i);
		STORE(out, i, y);
	}
}

KERNEL rmsnorm(const int rows, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, gain), const int columns,
    const R eps, const R alpha)
{
	SHARED R room[ROW_GROUP];
	const int n = IF_MINE(rows, columns);
	R sum;

	PLACE(out);
	PLACE(x);
	PLACE(gain);
	x += (long)GROUP_ID * columns;
	out += (long)GROUP_ID * columns;
	SUM_SHARE(sum, n, LOAD(x, i) * LOAD(x, i));
	const R by = alpha / sqrt(group_sum(sum, room) / n + eps);
	FOR_SHARE(i, n)
	{
		R y = LOAD(x, i) * by;

		if (gain)
			y *= LOAD(gain, i);
		STORE(out, i, y);
	}
}

/* One group of channels of one sample: `channels` with `pixels` elements each. */
KERNEL groupnorm(const int parts, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, gain),
    IN(T_TYPE, shift), const int channels, const int pixels, const int groups, const R eps,
    const int kind)
{
	SHARED R room[ROW_GROUP];
	const int inner = IF_MINE(parts, pixels), n = channels * inner;
	const int first = GROUP_ID % groups * channels;
	R mean, by;

	PLACE(out);
	PLACE(x);
	PLACE(gain);
	PLACE(shift);
	x += (long)GROUP_ID * channels * pixels;
	out += (long)GROUP_ID * channels * pixels;
	MEAN_AND_SCALE(mean, by, x, n, eps);
	for (int c = 0; c < channels; c++) {
		const R factor = by * (gain && n ? LOAD(gain, first + c) : 1);
		const R offset = (shift && n ? LOAD(shift, first + c) : 0) - mean * factor;

		FOR_SHARE(i, inner)
		{
			STORE(out, c * inner + i,
			    act(LOAD(x, c * inner + i) * factor + offset, kind));
		}
	}
}

#ifdef WARPS_OF_32
/*
 * Pieces of 16 bytes, which a work-item loads and stores at once. A warp has a row of at most
 * STATES pieces for each lane, which it keeps in registers.
 */
struct __align__(16) piece {
	T_TYPE of[16 / sizeof(T_TYPE)];
};
CHECK_ALIGNED(piece);
enum { PIECE = 16 / sizeof(T_TYPE), WARPS = 4 };

#define FOR_PIECES(i, at, columns)                                                           \
	for (int i = 0, at = LOCAL_ID % 32 * PIECE; i < STATES; i++, at += 32 * PIECE)       \
		if (at < (columns))

FUNCTION R warp_sum(R x)
{
	for (int by = 16; by > 0; by /= 2)
		x += lane_exchange(x, by);
	return x;
}

FUNCTION void load_piece(R *to, GLOBAL const T_TYPE *from)
{
	const struct piece p = *(GLOBAL const struct piece *)from;

	for (int e = 0; e < PIECE; e++)
		to[e] = LOAD(p.of, e);
}

FUNCTION void store_piece(GLOBAL T_TYPE *to, const R *from)
{
	struct piece p;

	for (int e = 0; e < PIECE; e++)
		STORE(p.of, e, from[e]);
	*(GLOBAL struct piece *)to = p;
}

/* Multiplies a piece by that of gain and adds that of shift, either of which may be absent. */
FUNCTION void scale_piece(R *x, GLOBAL const T_TYPE *gain, GLOBAL const T_TYPE *shift)
{
	R other[PIECE];

	if (gain) {
		load_piece(other, gain);
		for (int e = 0; e < PIECE; e++)
			x[e] *= other[e];
	}
	if (shift) {
		load_piece(other, shift);
		for (int e = 0; e < PIECE; e++)
			x[e] += other[e];
	}
}

KERNEL layernorm_warps(const int rows, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, gain),
    IN(T_TYPE, shift), const int columns, const R eps)
{
	const int row = GROUP_ID * WARPS + LOCAL_ID / 32;
	R value[STATES][PIECE], mean = 0, by = 0;

	if (row >= rows)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(gain);
	PLACE(shift);
	x += (long)row * columns;
	out += (long)row * columns;
#pragma unroll
	FOR_PIECES(i, at, columns)
		load_piece(value[i], x + at);
#pragma unroll
	FOR_PIECES(i, at, columns)
		for (int e = 0; e < PIECE; e++)
			mean += value[i][e];
	mean = warp_sum(mean) / columns;
#pragma unroll
	FOR_PIECES(i, at, columns)
		for (int e = 0; e < PIECE; e++) {
			value[i][e] -= mean;
			by += value[i][e] * value[i][e];
		}
	by = 1 / sqrt(warp_sum(by) / columns + eps);
#pragma unroll
	FOR_PIECES(i, at, columns)
	{
		for (int e = 0; e < PIECE; e++)
			value[i][e] *= by;
		scale_piece(value[i], gain ? gain + at : gain, shift ? shift + at : shift);
		store_piece(out + at, value[i]);
	}
}

KERNEL rmsnorm_warps(const int rows, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, gain),
    const int columns, const R eps, const R alpha)
{
	const int row = GROUP_ID * WARPS + LOCAL_ID / 32;
	R value[STATES][PIECE], by = 0;

	if (row >= rows)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(gain);
	x += (long)row * columns;
	out += (long)row * columns;
#pragma unroll
	FOR_PIECES(i, at, columns)
		load_piece(value[i], x + at);
#pragma unroll
	FOR_PIECES(i, at, columns)
		for (int e = 0; e < PIECE; e++)
			by += value[i][e] * value[i][e];
	by = alpha / sqrt(warp_sum(by) / columns + eps);
#pragma unroll
	FOR_PIECES(i, at, columns)
	{
		for (int e = 0; e < PIECE; e++)
			value[i][e] *= by;
		scale_piece(value[i], gain ? gain + at : gain, 0);
		store_piece(out + at, value[i]);
	}
}

KERNEL softmax_warps(const int rows, OUT(T_TYPE, out), IN(T_TYPE, x), const int columns)
{
	const int row = GROUP_ID * WARPS + LOCAL_ID / 32;
	R value[STATES][PIECE], most = -INFINITY, sum = 0;

	if (row >= rows)
		return;
	PLACE(out);
	PLACE(x);
	x += (long)row * columns;
	out += (long)row * columns;
#pragma unroll
	FOR_PIECES(i, at, columns)
	{
		load_piece(value[i], x + at);
		for (int e = 0; e < PIECE; e++)
			most = fmax(most, value[i][e]);
	}
	for (int by = 16; by > 0; by /= 2)
		most = fmax(most, lane_exchange(most, by));
#pragma unroll
	FOR_PIECES(i, at, columns)
		for (int e = 0; e < PIECE; e++) {
			value[i][e] = exp(value[i][e] - most);
			sum += value[i][e];
		}
	sum = 1 / warp_sum(sum);
#pragma unroll
	FOR_PIECES(i, at, columns)
	{
		for (int e = 0; e < PIECE; e++)
			value[i][e] *= sum;
		store_piece(out + at, value[i]);
	}
}

/* groupnorm of channels whose pixels are a multiple of PIECE. */
KERNEL groupnorm_pieces(const int parts, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, gain),
    IN(T_TYPE, shift), const int channels, const int pixels, const int groups, const R eps,
    const int kind)
{
	SHARED R room[ROW_GROUP];
	const int n = channels * pixels, first = GROUP_ID % groups * channels;
	R value[PIECE], mean = 0, by = 0;

	if (GROUP_ID >= parts)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(gain);
	PLACE(shift);
	x += (long)GROUP_ID * n;
	out += (long)GROUP_ID * n;
#pragma unroll 4
	for (int i = LOCAL_ID * PIECE; i < n; i += ROW_GROUP * PIECE) {
		load_piece(value, x + i);
		for (int e = 0; e < PIECE; e++)
			mean += value[e];
	}
	mean = group_sum(mean, room) / n;
#pragma unroll 4
	for (int i = LOCAL_ID * PIECE; i < n; i += ROW_GROUP * PIECE) {
		load_piece(value, x + i);
		for (int e = 0; e < PIECE; e++)
			by += (value[e] - mean) * (value[e] - mean);
	}
	by = 1 / sqrt(group_sum(by, room) / n + eps);
	for (int i = LOCAL_ID * PIECE; i < n; i += ROW_GROUP * PIECE) {
		const int c = first + i / pixels;
		const R factor = by * (gain ? LOAD(gain, c) : 1);
		const R offset = (shift ? LOAD(shift, c) : 0) - mean * factor;

		load_piece(value, x + i);
		for (int e = 0; e < PIECE; e++)
			value[e] = act_called(value[e] * factor + offset, kind);
		store_piece(out + i, value);
	}
}
#endif

/* A group has one channel of one sample. */
KERNEL batchnorm(const int parts, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, gain),
    IN(T_TYPE, shift), IN(T_TYPE, mean), IN(T_TYPE, variance), const int channels,
    const int inner, const R eps, const int kind)
{
	const int c = GROUP_ID % channels;

	if (GROUP_ID >= parts)
		return;
	PLACE(out);
	PLACE(x);
	PLACE(gain);
	PLACE(shift);
	PLACE(mean);
	PLACE(variance);
	x += (long)GROUP_ID * inner;
	out += (long)GROUP_ID * inner;
	const R factor = (gain ? LOAD(gain, c) : 1) / sqrt(LOAD(variance, c) + eps);
	const R middle = LOAD(mean, c), offset = shift ? LOAD(shift, c) : 0;
	FOR_SHARE(i, inner)
	{
		STORE(out, i, act((LOAD(x, i) - middle) * factor + offset, kind));
	}
}

/* Returns the maximum of a work-item's share of x. */
#define MAX_SHARE(to, n, value)                                                              \
	do {                                                                                 \
		to = -INFINITY;                                                              \
		FOR_SHARE(i, n) to = fmax(to, (value));                                      \
	} while (0)

KERNEL softmax(const int rows, OUT(T_TYPE, out), IN(T_TYPE, x), const int columns)
{
	SHARED R room[ROW_GROUP];
	const int n = IF_MINE(rows, columns);
	R most, sum;

	PLACE(out);
	PLACE(x);
	x += (long)GROUP_ID * columns;
	out += (long)GROUP_ID * columns;
	MAX_SHARE(most, n, LOAD(x, i));
	most = group_max(most, room);
	SUM_SHARE(sum, n, exp(LOAD(x, i) - most));
	sum = group_sum(sum, room);
	FOR_SHARE(i, n)
	{
		STORE(out, i, exp(LOAD(x, i) - most) / sum);
	}
}

/*
 * Computes out = softmax(scores[b,heads,tokens,keys] + bias[heads,tokens,keys]), where the bias has
 * its own strides. Row i of a causal one uses the first past + i + 1 elements; the others become 0.
 * The scores are of type U, R at least, so that the exponent is not rounded to a narrow type;
 * where T is as wide, out may be the scores.
 */
KERNEL attention_softmax(const int rows, OUT(T_TYPE, out), IN(U_TYPE, scores),
    IN(T_TYPE, bias), const int bias_head, const int bias_row, const int heads,
    const int tokens, const int keys, const int causal, PAST_ARGUMENTS)
{
	SHARED R room[ROW_GROUP];
	const int n = IF_MINE(rows, keys);
	const int token = GROUP_ID % tokens, head = GROUP_ID / tokens % heads;
	const int past = PAST;
	const int seen = causal && past + token + 1 < n ? past + token + 1 : n;
	R most, sum;

	PLACE(out);
	PLACE(scores);
	PLACE(bias);
	scores += (long)GROUP_ID * keys;
	out += (long)GROUP_ID * keys;
	if (bias)
		bias += (long)head * bias_head + (long)token * bias_row;
#define SCORE(i) (LOAD_U(scores, i) + (bias ? LOAD(bias, i) : 0))
	MAX_SHARE(most, seen, SCORE(i));
	most = group_max(most, room);
	SUM_SHARE(sum, seen, exp(SCORE(i) - most));
	sum = 1 / group_sum(sum, room);
	FOR_SHARE(i, n)
	{
		STORE(out, i, i < seen ? exp(SCORE(i) - most) * sum : 0);
	}
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Element-wise operations.
 */

#ifdef WIDE
KERNEL unary(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const R alpha, const int kind)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	PLACE(out);
	PLACE(x);
	if (i < n)
		STORE(out, i, act(alpha * LOAD(x, i), kind));
}
#else
/* The elements of a work-item, which it loads and stores at once, if they begin at 16 bytes. */
enum { PACK = 16 / sizeof(T_TYPE) };

struct __attribute__((aligned(16))) pack {
	T_TYPE of[PACK];
};
CHECK_ALIGNED(pack);

KERNEL unary(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const R alpha, const int kind)
{
	const uint first = ((uint)GROUP_ID * GROUP + LOCAL_ID) * PACK;
	struct pack p;
	R value[PACK];

	PLACE(out);
	PLACE(x);
	if (first + PACK <= (uint)n && (((unsigned long)out | (unsigned long)x) & 15) == 0) {
		p = *(GLOBAL const struct pack *)(x + first);
#pragma unroll
		for (int e = 0; e < PACK; e++)
			value[e] = alpha * LOAD(p.of, e);
		act_each(value, PACK, kind);
#pragma unroll
		for (int e = 0; e < PACK; e++)
			STORE(p.of, e, value[e]);
		*(GLOBAL struct pack *)(out + first) = p;
		return;
	}
	for (uint i = first; i < (uint)n && i < first + PACK; i++)
		STORE(out, i, act_called(alpha * LOAD(x, i), kind));
}
#endif

KERNEL whole(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const R scale, const R low,
    const R high, const R alpha, const R beta)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	PLACE(out);
	PLACE(x);
	if (i < n) {
		const R q = rint(LOAD(x, i) / scale);

		STORE(out, i, alpha * (q < low ? low : q > high ? high : q) + beta);
	}
}

FUNCTION R logistic(const R x)
{
	return 1 / (1 + exp(-x));
}

KERNEL cell(const int n, OUT(T_TYPE, out), OUT(T_TYPE, after), IN(T_TYPE, x), IN(T_TYPE, y),
    IN(T_TYPE, before), const int h, const int gates)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	PLACE(out);
	PLACE(after);
	PLACE(x);
	PLACE(y);
	PLACE(before);
	if (i < n) {
		const int at = i / h * gates * h + i % h, last = at + (gates - 1) * h;
		const R a = logistic(LOAD(x, at) + LOAD(y, at));
		const R b = logistic(LOAD(x, at + h) + LOAD(y, at + h));

		if (gates == 4) {
			const R f = logistic(LOAD(x, at + 2 * h) + LOAD(y, at + 2 * h));
			const R c = f * LOAD(before, i) +
			            a * tanh(LOAD(x, last) + LOAD(y, last));

			STORE(after, i, c);
			STORE(out, i, b * tanh(c));
		} else {
			const R c = tanh(LOAD(x, last) + b * LOAD(y, last));

			STORE(out, i, (1 - a) * c + a * LOAD(before, i));
		}
	}
}

KERNEL binary(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, y), const int inner,
    const int count, const int multiply, const int select_nonzero, const R alpha,
    const int kind)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	PLACE(out);
	PLACE(x);
	PLACE(y);
	if (i < n) {
		const R a = LOAD(x, i);
		const R factor = LOAD(y, count == n ? i : i / inner % count);
		const R b = alpha * factor;
		const R joined = multiply ? a * b : a + b;

		STORE(out, i, act(select_nonzero && factor == 0 ? 0 : joined, kind));
	}
}

/*
 * The epilogue of a matrix product: out[b,m,n] = act(out + bias[n] +
 * other[b,m,n]), with strided rows and matrices.
 */
KERNEL finish(const int n, OUT(T_TYPE, out), IN(T_TYPE, bias), IN(T_TYPE, other),
    const int rows, const int columns, const int out_batch, const int out_row,
    const int other_batch, const int other_row, const int kind)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	PLACE(out);
	PLACE(bias);
	PLACE(other);
	if (i < n) {
		const int column = i % columns, row = i / columns % rows;
		const int batch = i / columns / rows;
		const int at = batch * out_batch + row * out_row + column;
		R x = LOAD(out, at);

		if (bias)
			x += LOAD(bias, column);
		if (other)
			x += LOAD(other, batch * other_batch + row * other_row + column);
		STORE(out, at, act(x, kind));
	}
}

KERNEL glu(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const int columns, const int inner,
    const int x_outer, const int x_inner, const int gate_last, const int kind)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	PLACE(out);
	PLACE(x);
	if (i < n) {
		const int row = i / columns;
		const int at = row / inner * x_outer + row % inner * x_inner + i % columns;
		const R first = LOAD(x, at), last = LOAD(x, at + columns);

		STORE(out, i, gate_last ? first * act(last, kind) : act(first, kind) * last);
	}
}

/* Moves up to four dimensions, from U to T. */
KERNEL move(const int n, OUT(T_TYPE, out), IN(U_TYPE, x), const int size1, const int size2,
    const int size3, const int out0, const int out1, const int out2, const int out3,
    const int x0, const int x1, const int x2, const int x3, const R alpha, const long advance,
    PAST_ARGUMENTS)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	PLACE(out);
	out += PAST * advance;
	PLACE(x);
	if (i < n) {
		const int d = i % size3, c = i / size3 % size2, b = i / size3 / size2 % size1;
		const int a = i / size3 / size2 / size1;

		STORE(out, a * out0 + b * out1 + c * out2 + d * out3,
		    alpha * LOAD_U(x, a * x0 + b * x1 + c * x2 + d * x3));
	}
}

KERNEL gather(const int n, OUT(T_TYPE, out), IN(T_TYPE, table), IN(int, index),
    const int columns, const int tokens, const int table_row, const int last,
    const int first, const R alpha, PAST_ARGUMENTS)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	PLACE(out);
	PLACE(table);
	PLACE(index);
	if (i < n) {
		const int token = i / columns;
		const long wanted = index ? index[token] : first + PAST + token % tokens;
		const long row = wanted < 0 ? 0 : wanted > last ? last : wanted;

		STORE(out, i, alpha * LOAD(table, row * table_row + i % columns));
	}
}

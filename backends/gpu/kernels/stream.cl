/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams over n elements, and the product of a matrix and a vector.
 */

KERNEL copy(const int n, OUT(T_TYPE, out), IN(T_TYPE, x))
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	PLACE(out);
	PLACE(x);
	if (i < n)
		out[i] = x[i];
}

KERNEL scale(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const R alpha)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	PLACE(out);
	PLACE(x);
	if (i < n)
		STORE(out, i, alpha * LOAD(x, i));
}

/* out = x + alpha y; out may be x */
KERNEL triad(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), IN(T_TYPE, y), const R alpha)
{
	const int i = GROUP_ID * GROUP + LOCAL_ID;

	PLACE(out);
	PLACE(x);
	PLACE(y);
	if (i < n)
		STORE(out, i, LOAD(x, i) + alpha * LOAD(y, i));
}

/* CHAINS elements per work-item, so that none waits for its own last result. */
KERNEL chain(const int n, OUT(T_TYPE, out), IN(T_TYPE, x), const R alpha, const R beta,
    const int repeat)
{
	const int from = (GROUP_ID * GROUP + LOCAL_ID) * CHAINS;
	R value[CHAINS];

	PLACE(out);
	PLACE(x);
	if (from >= n)
		return;
	for (int c = 0; c < CHAINS; c++)
		value[c] = from + c < n ? LOAD(x, from + c) : 0;
	for (int r = 0; r < repeat; r++)
		for (int c = 0; c < CHAINS; c++)
			value[c] = fma(value[c], alpha, beta);
	for (int c = 0; c < CHAINS; c++)
		if (from + c < n)
			STORE(out, from + c, value[c]);
}

/* The sum of x y over a part of it for each of `parts` groups. */
KERNEL dot_parts(const int parts, OUT(R, part), IN(T_TYPE, x), IN(T_TYPE, y), const int length,
    const int n)
{
	SHARED R room[ROW_GROUP];
	const int from = GROUP_ID * length;
	const int mine = IF_MINE(parts, from + length < n ? length : n - from);
	R sum;

	PLACE(part);
	PLACE(x);
	PLACE(y);
	SUM_SHARE(sum, mine, LOAD(x, from + i) * LOAD(y, from + i));
	sum = group_sum(sum, room);
	if (LOCAL_ID == 0 && mine)
		part[GROUP_ID] = sum;
}

KERNEL dot_total(const int rows, OUT(U_TYPE, out), IN(R, part), const int parts)
{
	SHARED R room[ROW_GROUP];
	const int mine = IF_MINE(rows, parts);
	R sum;

	PLACE(out);
	PLACE(part);
	SUM_SHARE(sum, mine, part[i]);
	sum = group_sum(sum, room);
	if (LOCAL_ID == 0 && mine)
		STORE_U(out, 0, sum);
}

/* out[row] = alpha a[row,k] x[k] + beta out[row], where rows of a may be strided */
KERNEL gemv(const int rows, OUT(T_TYPE, out), IN(T_TYPE, a), IN(T_TYPE, x), const int a_row,
    const int k, const R alpha, const R beta)
{
	SHARED R room[ROW_GROUP];
	const int mine = IF_MINE(rows, k);
	R sum;

	PLACE(out);
	PLACE(a);
	PLACE(x);
	a += (long)GROUP_ID * a_row;
	SUM_SHARE(sum, mine, LOAD(a, i) * LOAD(x, i));
	sum = group_sum(sum, room);
	if (LOCAL_ID == 0 && mine) {
		sum *= alpha;
		if (beta != 0)
			sum += beta * LOAD(out, GROUP_ID);
		STORE(out, GROUP_ID, sum);
	}
}

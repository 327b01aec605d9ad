/*
 * Matrix products of our own: for types that the device's library lacks or adds up too
 * coarsely, and for experts, whose rows no library picks.
 *
 * A group of 16 x 16 work-items has a tile of 64 x 64 of the result, each work-item 4 x 4 of
 * it, 16 apart; 16 steps of k at a time pass through shared memory.
 */
enum { TILE = 64, STEP = 16, SIDE = 16, EACH = TILE / SIDE };

/* int8 has sums in int, all others in R. */
#define LOAD_SUM(p, i) ((A)JOIN(load_, T)(p, i))

/*
 * sum = the tile of a[rows, k] b[k, columns]: rows and columns are what is left of them from
 * the tile's beginning. Row r of a is row order[r] / divide of it where there is an order.
 * b's element is at k b_k + column b_n, one of the two being 1.
 */
FUNCTION void multiply_tile(A sum[EACH][EACH], GLOBAL const T_TYPE *a, GLOBAL const int *order,
    const int divide, const int a_m, const int a_k, GLOBAL const T_TYPE *b, const int b_k,
    const int b_n, const int rows, const int columns, const int k, SHARED_POINTER A *part_a,
    SHARED_POINTER A *part_b)
{
	const int x = LOCAL_ID % SIDE, y = LOCAL_ID / SIDE;

	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < EACH; j++)
			sum[i][j] = 0;
	for (int from = 0; from < k; from += STEP) {
		for (int e = LOCAL_ID; e < TILE * STEP; e += SIDE * SIDE) {
			/* along whichever is contiguous */
			const int ar = a_k == 1 ? e / STEP : e % TILE;
			const int ak = a_k == 1 ? e % STEP : e / TILE;
			const int bc = b_n == 1 ? e % TILE : e / STEP;
			const int bk = b_n == 1 ? e / TILE : e % STEP;
			A value_a = 0, value_b = 0;

			if (ar < rows && from + ak < k) {
				const int row = order ? order[ar] / divide : ar;

				value_a =
				    LOAD_SUM(a, (long)row * a_m + (long)(from + ak) * a_k);
			}
			if (bc < columns && from + bk < k)
				value_b =
				    LOAD_SUM(b, (long)(from + bk) * b_k + (long)bc * b_n);
			part_a[ak * (TILE + 1) + ar] = value_a;
			part_b[bk * (TILE + 1) + bc] = value_b;
		}
		BARRIER;
		for (int step = 0; step < STEP; step++) {
			A left[EACH], right[EACH];

			for (int i = 0; i < EACH; i++) {
				left[i] = part_a[step * (TILE + 1) + y + i * SIDE];
				right[i] = part_b[step * (TILE + 1) + x + i * SIDE];
			}
			for (int i = 0; i < EACH; i++)
				for (int j = 0; j < EACH; j++)
					sum[i][j] += left[i] * right[j];
		}
		BARRIER;
	}
}

/* out[b,m,n] = alpha a b + beta out, one tile a group. U is the type of out. */
KERNEL product(const int tiles, OUT(U_TYPE, out), IN(T_TYPE, a), IN(T_TYPE, b), const int m,
    const int n, const int k, const int tiles_m, const int tiles_n, const int out_m,
    const int a_m, const int a_k, const int b_k, const int b_n, const long out_batch,
    const long a_batch, const long b_batch, const R alpha, const R beta)
{
	SHARED A part_a[STEP * (TILE + 1)], part_b[STEP * (TILE + 1)];
	const int x = LOCAL_ID % SIDE, y = LOCAL_ID / SIDE;
	const int batch = GROUP_ID / (tiles_m * tiles_n);
	const int row = GROUP_ID / tiles_n % tiles_m * TILE, column = GROUP_ID % tiles_n * TILE;
	A sum[EACH][EACH];

	if (GROUP_ID >= tiles)
		return;
	PLACE(out);
	PLACE(a);
	PLACE(b);
	out += out_batch * batch;
	a += a_batch * batch + (long)row * a_m;
	b += b_batch * batch + (long)column * b_n;
	multiply_tile(sum, a, 0, 1, a_m, a_k, b, b_k, b_n, m - row, n - column, k, part_a,
	    part_b);
	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < EACH; j++) {
			const int r = row + y + i * SIDE, c = column + x + j * SIDE;

			if (r >= m || c >= n)
				continue;
#ifdef WHOLE
			out[(long)r * out_m + c] = sum[i][j];
#else
			R value = alpha * sum[i][j];

			if (beta != 0)
				value += beta * LOAD_U(out, (long)r * out_m + c);
			STORE_U(out, (long)r * out_m + c, value);
#endif
		}
}

#ifndef WHOLE
/*
 * out[rows,n] = act(a[row / divide, k] b[expert,n,k]'), the rows of an expert being
 * order[start[expert]] and on: the group's tile is the next of the expert in whose share it
 * falls.
 */
KERNEL experts(const int tiles, OUT(T_TYPE, out), IN(T_TYPE, a), IN(T_TYPE, b), IN(int, order),
    IN(int, start), const int count, const int n, const int k, const int tiles_n,
    const int divide, const int kind)
{
	SHARED A part_a[STEP * (TILE + 1)], part_b[STEP * (TILE + 1)];
	const int x = LOCAL_ID % SIDE, y = LOCAL_ID / SIDE;
	const int column = GROUP_ID % tiles_n * TILE;
	int tile = GROUP_ID / tiles_n, expert = 0, first = 0, rows = 0;
	A sum[EACH][EACH];

	if (GROUP_ID >= tiles)
		return;
	PLACE(out);
	PLACE(a);
	PLACE(b);
	PLACE(order);
	PLACE(start);
	for (; expert < count; expert++) {
		first = start[expert];
		rows = start[expert + 1] - first;
		if (tile * TILE < rows)
			break;
		tile -= (rows + TILE - 1) / TILE;
	}
	if (expert == count)
		return;
	order += first + tile * TILE;
	rows -= tile * TILE;
	b += ((long)expert * n + column) * k;
	multiply_tile(
	    sum, a, order, divide, k, 1, b, 1, k, rows, n - column, k, part_a, part_b);
	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < EACH; j++) {
			const int r = y + i * SIDE, c = column + x + j * SIDE;

			if (r < rows && c < n)
				STORE(out, (long)order[r] * n + c, act(sum[i][j], kind));
		}
}
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matrix products on tensor cores, for convolve.cl and expert_tiles.cl, which this file precedes. A
 * group of WARPS warps, two by two, has a tile of ROWS x COLUMNS of the result a[m,k] b[n,k]'. DEEP
 * steps of k at a time pass through shared memory, STAGES of them at once. A work-item copies
 * pieces of 8 elements, every LINES_APART lines of a and b. T is float16 or bfloat16.
 */
#ifdef TENSOR_CORES
enum { WARPS = 4, DEEP = 32, LINE = DEEP + 8, PIECES = DEEP / 8, LINES_APART = 32 * WARPS / PIECES };

/* The column and the first line of the pieces that this work-item copies. */
#define MY_COLUMN (WORK_ITEM % PIECES * 8)
#define MY_LINE (WORK_ITEM / PIECES)

template <int ROWS, int COLUMNS, int STAGES> struct tile {
	T_TYPE a[STAGES][ROWS * LINE], b[STAGES][COLUMNS * LINE];
};

/* Finds the rows of b[n,k] that this work-item copies, of those from `first` on; 0 after the last. */
template <int EACH>
FUNCTION void find_rows(GLOBAL const T_TYPE *(&row)[EACH], GLOBAL const T_TYPE *b,
    const int first, const int n, const int k)
{
#pragma unroll
	for (int i = 0; i < EACH; i++) {
		const int at = first + MY_LINE + i * LINES_APART;

		row[i] = at < n ? b + (long)at * k : 0;
	}
}

/* Begins to copy a piece of each row, at step `at` of k: zeros where there is none. */
template <int EACH>
FUNCTION void copy_rows(SHARED_POINTER T_TYPE *to, GLOBAL const T_TYPE *const (&row)[EACH],
    GLOBAL const T_TYPE *anything, const int at, const int k)
{
#pragma unroll
	for (int i = 0; i < EACH; i++) {
		const int valid = row[i] && at < k;

		copy_async(to + (MY_LINE + i * LINES_APART) * LINE + MY_COLUMN,
		    valid ? row[i] + at : anything, valid);
	}
}

/*
 * Computes this warp's quarter of the tile: sum[i][j] has the elements of mma in the rows from
 * 16 i and the columns from 8 j on. copy(stage, at) begins to copy this work-item's pieces of a
 * and b at step `at` of k, which is DEEP larger in each call.
 */
template <int ROWS, int COLUMNS, int STAGES, typename COPY>
FUNCTION void multiply_tile(SHARED_POINTER struct tile<ROWS, COLUMNS, STAGES> *tile,
    float (&sum)[ROWS / 32][COLUMNS / 16][4], const int k, const COPY &copy)
{
	const int DOWN = ROWS / 32, ACROSS = COLUMNS / 16;
	const int lane = WORK_ITEM % 32, warp = WORK_ITEM / 32;
	const int row0 = warp / 2 * (ROWS / 2), column0 = warp % 2 * (COLUMNS / 2);
	const int turns = (k + DEEP - 1) / DEEP;

#pragma unroll
	for (int i = 0; i < DOWN; i++)
#pragma unroll
		for (int j = 0; j < ACROSS; j++)
			sum[i][j][0] = sum[i][j][1] = sum[i][j][2] = sum[i][j][3] = 0;

	for (int turn = 1 - STAGES; turn < turns; turn++) {
		const int next = turn + STAGES - 1;

		if (turn >= 0) {
			copy_async_wait(STAGES - 2);
			BARRIER;
		}
		if (next < turns)
			copy(next % STAGES, next * DEEP + MY_COLUMN);
		copy_async_commit();
		if (turn < 0)
			continue;

		SHARED_POINTER const T_TYPE *a = tile->a[turn % STAGES];
		SHARED_POINTER const T_TYPE *b = tile->b[turn % STAGES];

#pragma unroll
		for (int step = 0; step < DEEP; step += 16) {
			uint left[DOWN][4], right[ACROSS / 2][4];

#pragma unroll
			for (int i = 0; i < DOWN; i++)
				load_matrices(left[i],
				    a + (row0 + i * 16 + lane % 16) * LINE + step + lane / 16 * 8);
#pragma unroll
			for (int j = 0; j < ACROSS / 2; j++)
				load_matrices(right[j],
				    b + (column0 + j * 16 + lane % 8 + lane / 16 * 8) * LINE +
				        step + lane / 8 % 2 * 8);
#pragma unroll
			for (int i = 0; i < DOWN; i++)
#pragma unroll
				for (int j = 0; j < ACROSS; j++)
					JOIN(multiply_, T)(sum[i][j], left[i],
					    right[j / 2] + j % 2 * 2);
		}
	}
}

/* Return the row and column in the tile of sum[i][j][2 * r]; that of sum[i][j][2 * r + 1] follows. */
template <int ROWS> FUNCTION int row_in_tile(const int i, const int r)
{
	return WORK_ITEM / 64 * (ROWS / 2) + i * 16 + WORK_ITEM % 32 / 4 + r * 8;
}

template <int COLUMNS> FUNCTION int column_in_tile(const int j)
{
	return WORK_ITEM / 32 % 2 * (COLUMNS / 2) + j * 8 + WORK_ITEM % 4 * 2;
}
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products of experts on tensor cores. A group of WARPS warps, two by two, has a tile of the
 * result. DEEP steps of k at a time pass through shared memory, STAGES of them at once. T is
 * float16 or bfloat16.
 */
#ifdef TENSOR_CORES
enum { WARPS = 4, DEEP = 32, LINE = DEEP + 8, PIECES = DEEP / 8, EXPERTS_MOST = 256 };

template <int ROWS, int COLUMNS, int STAGES> struct tile {
	T_TYPE a[STAGES][ROWS * LINE], b[STAGES][COLUMNS * LINE];
	int start[EXPERTS_MOST + 1];
};

/* The expert of a part of ROWS rows, and those rows: `rows` of them, from order[first] on. */
struct part {
	int expert, first, rows;
};

FUNCTION struct part find_part(SHARED_POINTER const int *start, const int experts,
    const int most, int number)
{
	struct part p = { 0, 0, 0 };

	for (; p.expert < experts; p.expert++) {
		p.first = start[p.expert];
		p.rows = start[p.expert + 1] - p.first;
		if (number * most < p.rows)
			break;
		number -= (p.rows + most - 1) / most;
	}
	p.first += number * most;
	p.rows -= number * most;
	if (p.expert == experts)
		p.rows = 0;
	return p;
}

/*
 * Computes out[rows,n] = act(a[row / divide, k] b[expert,n,k]'); the rows of an expert begin at
 * order[start[expert]].
 */
template <int ROWS, int COLUMNS, int STAGES>
FUNCTION void multiply(SHARED_POINTER struct tile<ROWS, COLUMNS, STAGES> *tile,
    GLOBAL T_TYPE *out, GLOBAL const T_TYPE *a, GLOBAL const T_TYPE *b, GLOBAL const int *order,
    const struct part *p, const int column, const int n, const int k, const int divide,
    const int kind)
{
	const int EACH_A = ROWS * PIECES / (32 * WARPS);
	const int EACH_B = COLUMNS * PIECES / (32 * WARPS);
	const int DOWN = ROWS / 2 / 16, ACROSS = COLUMNS / 2 / 8;
	const int lane = LOCAL_ID % 32, warp = LOCAL_ID / 32;
	const int row0 = warp / 2 * (ROWS / 2), column0 = warp % 2 * (COLUMNS / 2);
	const int deep = LOCAL_ID % PIECES * 8, line = LOCAL_ID / PIECES;
	const int lines = 32 * WARPS / PIECES;
	const int turns = (k + DEEP - 1) / DEEP;
	GLOBAL const T_TYPE *from_a[EACH_A], *from_b[EACH_B];
	float sum[DOWN][ACROSS][4];

#pragma unroll
	for (int i = 0; i < EACH_A; i++) {
		const int row = line + i * lines;

		from_a[i] = row < p->rows ? a + (long)(order[p->first + row] / divide) * k : 0;
	}
#pragma unroll
	for (int i = 0; i < EACH_B; i++) {
		const int row = column + line + i * lines;

		from_b[i] = row < n ? b + (long)row * k : 0;
	}
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
		if (next < turns) {
			const int at = next * DEEP + deep, stage = next % STAGES;

#pragma unroll
			for (int i = 0; i < EACH_A; i++) {
				const int valid = from_a[i] && at < k;

				copy_async(&tile->a[stage][(line + i * lines) * LINE + deep],
				    valid ? from_a[i] + at : a, valid);
			}
#pragma unroll
			for (int i = 0; i < EACH_B; i++) {
				const int valid = from_b[i] && at < k;

				copy_async(&tile->b[stage][(line + i * lines) * LINE + deep],
				    valid ? from_b[i] + at : b, valid);
			}
		}
		copy_async_commit();
		if (turn < 0)
			continue;

		SHARED_POINTER const T_TYPE *now_a = tile->a[turn % STAGES];
		SHARED_POINTER const T_TYPE *now_b = tile->b[turn % STAGES];

#pragma unroll
		for (int step = 0; step < DEEP; step += 16) {
			uint left[DOWN][4], right[ACROSS / 2][4];

#pragma unroll
			for (int i = 0; i < DOWN; i++)
				load_matrices(left[i],
				    now_a + (row0 + i * 16 + lane % 16) * LINE + step + lane / 16 * 8);
#pragma unroll
			for (int j = 0; j < ACROSS / 2; j++)
				load_matrices(right[j],
				    now_b +
				        (column0 + j * 16 + lane % 8 + lane / 16 * 8) * LINE +
				        step + lane / 8 % 2 * 8);
#pragma unroll
			for (int i = 0; i < DOWN; i++)
#pragma unroll
				for (int j = 0; j < ACROSS; j++)
					JOIN(multiply_, T)(sum[i][j], left[i],
					    right[j / 2] + j % 2 * 2);
		}
	}
#pragma unroll
	for (int i = 0; i < DOWN; i++)
#pragma unroll
		for (int r = 0; r < 2; r++) {
			const int row = row0 + i * 16 + lane / 4 + r * 8;

			if (row >= p->rows)
				continue;
			GLOBAL T_TYPE *to = out + (long)order[p->first + row] * n;

#pragma unroll
			for (int j = 0; j < ACROSS; j++) {
				const int at = column + column0 + j * 8 + lane % 4 * 2;

				if (at < n && kind == 0)
					*(GLOBAL uint *)(to + at) =
					    JOIN(pair_, T)(sum[i][j][2 * r], sum[i][j][2 * r + 1]);
				else if (at < n)
					*(GLOBAL uint *)(to + at) =
					    JOIN(pair_, T)(act_called(sum[i][j][2 * r], kind),
					        act_called(sum[i][j][2 * r + 1], kind));
			}
		}
}

#define EXPERTS(name, most_rows, most_columns, stages)                                       \
	KERNEL name(const int tiles, OUT(T_TYPE, out), IN(T_TYPE, a), IN(T_TYPE, b),         \
	    IN(int, order), IN(int, start), const int count, const int n, const int k,       \
	    const int tiles_n, const int divide, const int kind)                             \
	{                                                                                    \
		SHARED __align__(16) struct tile<most_rows, most_columns, stages> tile;      \
                                                                                             \
		if (GROUP_ID >= tiles)                                                       \
			return;                                                              \
		PLACE(out);                                                                  \
		PLACE(a);                                                                    \
		PLACE(b);                                                                    \
		PLACE(order);                                                                \
		PLACE(start);                                                                \
		for (int e = LOCAL_ID; e <= count; e += 32 * WARPS)                          \
			tile.start[e] = start[e];                                            \
		BARRIER;                                                                     \
		const struct part p =                                                        \
		    find_part(tile.start, count, most_rows, GROUP_ID / tiles_n);             \
		if (p.rows > 0)                                                              \
			multiply(&tile, out, a, b + (long)p.expert * n * k, order, &p,       \
			    GROUP_ID % tiles_n * most_columns, n, k, divide, kind);          \
	}
EXPERTS(experts_64, 64, 64, 4)
EXPERTS(experts_128, 128, 128, 2)
#endif

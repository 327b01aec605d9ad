/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products of experts on tensor cores, as products of tiles (tiles.cl).
 */
#ifdef TENSOR_CORES
enum { EXPERTS_MOST = 256 };

template <int ROWS, int COLUMNS, int STAGES> struct expert_room {
	struct tile<ROWS, COLUMNS, STAGES> tile;
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
	GLOBAL const T_TYPE *tokens[ROWS / LINES_APART], *weights[COLUMNS / LINES_APART];
	float sum[ROWS / 32][COLUMNS / 16][4];

#pragma unroll
	for (int i = 0; i < ROWS / LINES_APART; i++) {
		const int row = MY_LINE + i * LINES_APART;

		tokens[i] = row < p->rows ? a + (long)(order[p->first + row] / divide) * k : 0;
	}
	find_rows(weights, b, column, n, k);
	multiply_tile(tile, sum, k, [&](const int stage, const int at) {
		copy_rows(tile->a[stage], tokens, a, at, k);
		copy_rows(tile->b[stage], weights, b, at, k);
	});
#pragma unroll
	for (int i = 0; i < ROWS / 32; i++)
#pragma unroll
		for (int r = 0; r < 2; r++) {
			const int row = row_in_tile<ROWS>(i, r);

			if (row >= p->rows)
				continue;
			GLOBAL T_TYPE *to = out + (long)order[p->first + row] * n;

#pragma unroll
			for (int j = 0; j < COLUMNS / 16; j++) {
				const int at = column + column_in_tile<COLUMNS>(j);

				if (at < n)
					*(GLOBAL uint *)(to + at) =
					    JOIN(pair_, T)(act_of_many(sum[i][j][2 * r], kind),
					        act_of_many(sum[i][j][2 * r + 1], kind));
			}
		}
}

#define EXPERTS(name, most_rows, most_columns, stages)                                       \
	KERNEL name(const int tiles, OUT(T_TYPE, out), IN(T_TYPE, a), IN(T_TYPE, b),         \
	    IN(int, order), IN(int, start), const int count, const int n, const int k,       \
	    const int tiles_n, const int divide, const int kind)                             \
	{                                                                                    \
		SHARED __align__(16) struct expert_room<most_rows, most_columns, stages> room; \
                                                                                             \
		if (GROUP_ID >= tiles)                                                       \
			return;                                                              \
		PLACE(out);                                                                  \
		PLACE(a);                                                                    \
		PLACE(b);                                                                    \
		PLACE(order);                                                                \
		PLACE(start);                                                                \
		for (int e = LOCAL_ID; e <= count; e += 32 * WARPS)                          \
			room.start[e] = start[e];                                            \
		BARRIER;                                                                     \
		const struct part p =                                                        \
		    find_part(room.start, count, most_rows, GROUP_ID / tiles_n);             \
		if (p.rows > 0)                                                              \
			multiply(&room.tile, out, a, b + (long)p.expert * n * k, order, &p,       \
			    GROUP_ID % tiles_n * most_columns, n, k, divide, kind);          \
	}
EXPERTS(experts_64, 64, 64, 4)
EXPERTS(experts_128, 128, 128, 2)
#endif

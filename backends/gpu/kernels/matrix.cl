/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Our own matrix products: for types that the device's library lacks or accumulates with too
 * little precision, for experts, whose rows no library selects, and for processors.
 *
 * A group has a tile of TILE x TILE of the result. multiply_tile computes the sums, of which a
 * work-item has those that FOR_TILE loops over: SUM is the sum at row r and column c.
 */

/* Sums of int8 are int, all others R. */
#define LOAD_SUM(p, i) ((A)JOIN(load_, T)(p, i))

/* The operands of a tile. With an order, row r of a is its row order[r] / divide. b's element is at
 * k b_k + column b_n, one of the two being 1; likewise a's. */
struct operands {
	GLOBAL const T_TYPE *a, *b;
	GLOBAL const int *order;
	int divide, a_m, a_k, b_k, b_n;
	int rows, columns, k; /* the numbers that remain from the start of the tile */
};

FUNCTION A element_of_a(const struct operands *o, const int row, const int k)
{
	const int r = o->order ? o->order[row] / o->divide : row;

	return LOAD_SUM(o->a, (long)r * o->a_m + (long)k * o->a_k);
}

FUNCTION A element_of_b(const struct operands *o, const int k, const int column)
{
	return LOAD_SUM(o->b, (long)k * o->b_k + (long)column * o->b_n);
}

#ifdef WIDE
/*
 * A processor: a group is one work-item. DEEP steps of k at a time are packed, a in panels of
 * ROWS rows and b in panels of COLUMNS columns, along which the innermost loop runs with its
 * sums in registers (after Goto, van de Geijn: Anatomy of High-Performance Matrix
 * Multiplication, 2008).
 */
enum { TILE = 96, DEEP = 1024 / sizeof(A), ROWS = 6, COLUMNS = 2 * WIDTH };
#define VECTOR JOIN(A, WIDTH)
#define LOAD_VECTOR JOIN(vload, WIDTH)
#define STORE_VECTOR JOIN(vstore, WIDTH)

struct tile {
	A sum[TILE * TILE], a[TILE * DEEP], b[TILE * DEEP];
};
#define SUM tile.sum[r * TILE + c]
#define FOR_TILE(r, c)                                                                       \
	for (int r = 0; r < TILE; r++)                                                       \
		for (int c = 0; c < TILE; c++)

/* Adds a[k,ROWS]' b[k,COLUMNS] to sum[ROWS, COLUMNS], whose rows have the stride TILE. */
FUNCTION void multiply_panels(const int k, SHARED_POINTER const A *a, SHARED_POINTER const A *b,
    SHARED_POINTER A *sum)
{
	VECTOR left[ROWS], right[ROWS];

#pragma unroll
	for (int r = 0; r < ROWS; r++) {
		left[r] = LOAD_VECTOR(0, sum + r * TILE);
		right[r] = LOAD_VECTOR(1, sum + r * TILE);
	}
	for (int i = 0; i < k; i++) {
		const VECTOR first = LOAD_VECTOR(2 * i, b), second = LOAD_VECTOR(2 * i + 1, b);

#pragma unroll
		for (int r = 0; r < ROWS; r++) {
			const VECTOR x = (VECTOR)(a[r * DEEP + i]);

			left[r] += x * first;
			right[r] += x * second;
		}
	}
#pragma unroll
	for (int r = 0; r < ROWS; r++) {
		STORE_VECTOR(left[r], 0, sum + r * TILE);
		STORE_VECTOR(right[r], 1, sum + r * TILE);
	}
}

/* Copies along the contiguous dimension. Rows after the last are 0. */
FUNCTION void pack_a(const struct operands *o, const int from, const int deep,
    SHARED_POINTER A *to)
{
	for (int r = 0; r < TILE && r < o->rows; r++) {
		SHARED_POINTER A *row = to + r * DEEP;

		if (o->a_k == 1) {
			GLOBAL const T_TYPE *a =
			    o->a + (long)(o->order ? o->order[r] / o->divide : r) * o->a_m + from;
			for (int i = 0; i < deep; i++)
				row[i] = LOAD_SUM(a, i);
		} else {
			for (int i = 0; i < deep; i++)
				row[i] = element_of_a(o, r, from + i);
		}
	}
	for (int r = o->rows; r < TILE && r % ROWS; r++)
		for (int i = 0; i < deep; i++)
			to[r * DEEP + i] = 0;
}

/* Copies along the contiguous dimension. Columns after the last are 0. */
FUNCTION void pack_b(const struct operands *o, const int from, const int deep,
    SHARED_POINTER A *to)
{
	const int columns = min(o->columns, (int)TILE), whole = columns - columns % COLUMNS;

	if (o->b_n == 1)
		for (int i = 0; i < deep; i++)
			for (int first = 0; first < whole; first += COLUMNS)
				for (int c = 0; c < COLUMNS; c++)
					to[first * DEEP + i * COLUMNS + c] =
					    LOAD_SUM(o->b, (long)(from + i) * o->b_k + first + c);
	if (columns > whole)
		for (int i = 0; i < deep * COLUMNS; i++)
			to[whole * DEEP + i] = 0;
	for (int c = o->b_n == 1 ? whole : 0; c < columns; c++)
		for (int i = 0; i < deep; i++)
			to[c / COLUMNS * COLUMNS * DEEP + i * COLUMNS + c % COLUMNS] =
			    element_of_b(o, from + i, c);
}

FUNCTION void multiply_tile(const struct operands *o, SHARED_POINTER struct tile *tile)
{
	for (int i = 0; i < TILE * TILE; i++)
		tile->sum[i] = 0;
	for (int from = 0; from < o->k; from += DEEP) {
		const int deep = o->k - from < DEEP ? o->k - from : DEEP;

		pack_a(o, from, deep, tile->a);
		pack_b(o, from, deep, tile->b);
		for (int c = 0; c < TILE && c < o->columns; c += COLUMNS)
			for (int r = 0; r < TILE && r < o->rows; r += ROWS)
				multiply_panels(deep, tile->a + r * DEEP, tile->b + c * DEEP,
				    tile->sum + r * TILE + c);
	}
}
#define MULTIPLY_TILE(o) multiply_tile(&o, &tile)
#else
/*
 * A GPU: a group is 16 x 16 work-items, each of which has 4 x 4 adjacent sums in registers. 16 steps
 * of k at a time pass through shared memory, from which a work-item reads 4 elements at once.
 */
enum { TILE = 64, STEP = 16, SIDE = 16, EACH = TILE / SIDE, PIECES = SIDE + 1 };

struct __attribute__((aligned(16))) piece {
	A of[EACH];
};
CHECK_ALIGNED(piece);
struct tile {
	struct piece a[STEP * PIECES], b[STEP * PIECES];
};
#define SUM sum[i_][j_]
#define FOR_TILE(r, c)                                                                       \
	_Pragma("unroll") for (int i_ = 0, r = LOCAL_ID / SIDE * EACH; i_ < EACH; i_++, r++)  \
		_Pragma("unroll") for (int j_ = 0, c = LOCAL_ID % SIDE * EACH; j_ < EACH;    \
				       j_++, c++)

FUNCTION void multiply_tile(
    const struct operands *o, SHARED_POINTER struct tile *tile, A sum[EACH][EACH])
{
	SHARED_POINTER A *a = (SHARED_POINTER A *)tile->a, *b = (SHARED_POINTER A *)tile->b;
	/* the elements that this work-item copies: e / STEP is along the rows of a and, if k is
	 * its contiguous dimension, the columns of b */
	const int line = LOCAL_ID / STEP, step = LOCAL_ID % STEP;
	const int b_column = o->b_n == 1 ? LOCAL_ID % TILE : line;
	const int b_step = o->b_n == 1 ? LOCAL_ID / TILE : step;
	const int b_columns = o->b_n == 1 ? 0 : SIDE, b_steps = o->b_n == 1 ? STEP / EACH : 0;
	long a_at[EACH], b_at[EACH];

#pragma unroll
	for (int i = 0; i < EACH; i++) {
		const int row = line + i * SIDE < o->rows ? line + i * SIDE : 0;

		a_at[i] = (long)(o->order && o->k > 0 ? o->order[row] / o->divide : row) * o->a_m +
		    (long)step * o->a_k;
		b_at[i] = (long)(b_step + i * b_steps) * o->b_k +
		    (long)(b_column + i * b_columns) * o->b_n;
#pragma unroll
		for (int j = 0; j < EACH; j++)
			sum[i][j] = 0;
	}
	for (int from = 0; from < o->k; from += STEP) {
#pragma unroll
		for (int i = 0; i < EACH; i++) {
			const int column = b_column + i * b_columns, k = b_step + i * b_steps;

			a[step * PIECES * EACH + line + i * SIDE] =
			    line + i * SIDE < o->rows && from + step < o->k
			        ? LOAD_SUM(o->a, a_at[i] + (long)from * o->a_k)
			        : 0;
			b[k * PIECES * EACH + column] = column < o->columns && from + k < o->k
			    ? LOAD_SUM(o->b, b_at[i] + (long)from * o->b_k)
			    : 0;
		}
		BARRIER;
#pragma unroll
		for (int s = 0; s < STEP; s++) {
			const struct piece left = tile->a[s * PIECES + LOCAL_ID / SIDE];
			const struct piece right = tile->b[s * PIECES + LOCAL_ID % SIDE];

#pragma unroll
			for (int i = 0; i < EACH; i++)
#pragma unroll
				for (int j = 0; j < EACH; j++)
					sum[i][j] += left.of[i] * right.of[j];
		}
		BARRIER;
	}
}
#define MULTIPLY_TILE(o)                                                                     \
	A sum[EACH][EACH];                                                                   \
	multiply_tile(&o, &tile, sum)
#endif

/* Computes out[b,m,n] = alpha a b + beta out, one tile per group. U is the type of out. */
KERNEL product(const int tiles, OUT(U_TYPE, out), IN(T_TYPE, a), IN(T_TYPE, b), const int m,
    const int n, const int k, const int tiles_m, const int tiles_n, const int out_m,
    const int a_m, const int a_k, const int b_k, const int b_n, const long out_batch,
    const long a_batch, const long b_batch, const R alpha, const R beta)
{
	SHARED struct tile tile;
	const int batch = GROUP_ID / (tiles_m * tiles_n);
	const int row = GROUP_ID / tiles_n % tiles_m * TILE, column = GROUP_ID % tiles_n * TILE;
	struct operands o;

	PLACE(out);
	PLACE(a);
	PLACE(b);
	o.a = a + a_batch * batch + (long)row * a_m;
	o.b = b + b_batch * batch + (long)column * b_n;
	o.order = 0;
	o.divide = 1;
	o.a_m = a_m;
	o.a_k = a_k;
	o.b_k = b_k;
	o.b_n = b_n;
	o.rows = IF_MINE(tiles, m - row);
	o.columns = n - column;
	o.k = IF_MINE(tiles, k);
	out += out_batch * batch + (long)row * out_m + column;
	MULTIPLY_TILE(o);
	FOR_TILE(r, c)
	{
		const long at = (long)r * out_m + c;

		if (r >= o.rows || c >= o.columns)
			continue;
#ifdef WHOLE
		out[at] = SUM;
#else
		R value = alpha * SUM;

		if (beta != 0)
			value += beta * LOAD_U(out, at);
		STORE_U(out, at, value);
#endif
	}
}

#ifndef WHOLE
/*
 * Computes out[rows,n] = act(a[row / divide, k] b[expert,n,k]'); the rows of an expert begin at
 * order[start[expert]]. The group finds the expert that its tile belongs to.
 */
KERNEL experts(const int tiles, OUT(T_TYPE, out), IN(T_TYPE, a), IN(T_TYPE, b), IN(int, order),
    IN(int, start), const int count, const int n, const int k, const int tiles_n,
    const int divide, const int kind)
{
	SHARED struct tile tile;
	const int column = GROUP_ID % tiles_n * TILE;
	const int mine = IF_MINE(tiles, count);
	int part = GROUP_ID / tiles_n, expert = 0, first = 0, rows = 0;
	struct operands o;

	PLACE(out);
	PLACE(a);
	PLACE(b);
	PLACE(order);
	PLACE(start);
	for (; expert < mine; expert++) {
		first = start[expert];
		rows = start[expert + 1] - first;
		if (part * TILE < rows)
			break;
		part -= (rows + TILE - 1) / TILE;
	}
	o.a = a;
	o.b = b + ((long)expert * n + column) * k;
	o.order = order + first + part * TILE;
	o.divide = divide;
	o.a_m = k;
	o.a_k = 1;
	o.b_k = 1;
	o.b_n = k;
	o.rows = expert < mine ? rows - part * TILE : 0;
	o.columns = n - column;
	o.k = expert < mine ? k : 0;
	MULTIPLY_TILE(o);
	FOR_TILE(r, c)
	{
		if (r < o.rows && c < o.columns)
			STORE(out, (long)o.order[r] * n + column + c, act_of_many(SUM, kind));
	}
}
#endif

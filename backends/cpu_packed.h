/*
 * Products with weights that were packed once: c[m,n] += a[m,k] b[k,n]. A part of
 * cpu_kernels.h.
 *
 * OpenBLAS packs both operands in each call, which for the some hundred rows of a layer
 * costs a tenth of the time; weights never change, so theirs is done beforehand. The rest
 * is as Goto and van de Geijn 2008 have it: a part of the rows, DEPTH deep, stays in the
 * second cache, a panel of WIDE columns in the first, and a tile of HIGH rows of it in
 * registers.
 */

enum {
	T_(VECTORS) = ISA_TILE_VECTORS,
	T_(HIGH) = ISA_TILE_ROWS,
	T_(WIDE) = T_(LANES) * T_(VECTORS),
	/* A panel of 24 KiB leaves the first cache room for a tile's rows. */
	T_(DEPTH) =
	    24576 / (T_(WIDE) * sizeof(T)) < 384 ? 24576 / (T_(WIDE) * sizeof(T)) : 384,
	/* Depths of rows that are copied at once: as much as the second cache takes. */
	T_(BLOCKS) = 3072 / sizeof(T) / T_(DEPTH),
	/* Rows apart by this do not fall on the same lines of the cache. */
	T_(STEP) = T_(DEPTH) + 16,
	T_(ROWS_MOST) = 104 / ISA_TILE_ROWS * ISA_TILE_ROWS,
	/* Columns that are finished together, while in the second cache. */
	T_(GROUP) = 256 / T_(WIDE) > 0 ? 256 / T_(WIDE) : 1,
};

/* b to panels of WIDE columns, each k deep; what is behind n is zero. */
static void T_(pack)(
    void *packed, const void *from, int64_t ldb, bool transpose, int64_t n, int64_t k)
{
	T *to = packed;
	const T *b = from;
	int64_t by_row = transpose ? 1 : ldb, by_column = transpose ? ldb : 1;
	for (int64_t panel = 0; panel < n; panel += T_(WIDE)) {
		int64_t wide = cpu_min(T_(WIDE), n - panel);
		for (int64_t l = 0; l < k; l++, to += T_(WIDE))
			for (int64_t j = 0; j < T_(WIDE); j++)
				to[j] =
				    j < wide ? b[l * by_row + (panel + j) * by_column] : 0;
	}
}

/* The sums of a tile, from the tile's rows in room and a panel. */
static inline void T_(tile)(const T *restrict a, const T *restrict b, int64_t depth,
    T_(vector) sum[T_(HIGH)][T_(VECTORS)])
{
	T_(vector) x[T_(HIGH)][T_(VECTORS)] = { 0 };
	for (int64_t l = 0; l < depth; l++, a++, b += T_(WIDE)) {
		T_(vector) y[T_(VECTORS)];
		_Pragma("GCC unroll 4") for (int j = 0; j < T_(VECTORS); j++) y[j] =
		    *(const T_(vector) *)(b + j * T_(LANES));
		_Pragma("GCC unroll 16") for (int i = 0; i < T_(HIGH); i++)
		{
			T_(vector) one = a[i * T_(STEP)] - (T_(vector)){ 0 };
			_Pragma("GCC unroll 4") for (int j = 0; j < T_(VECTORS); j++)
			    x[i][j] += one * y[j];
		}
	}
	memcpy(sum, x, sizeof(x));
}

static void T_(tile_add)(const T *a, const T *b, int64_t depth, T *c, int64_t ldc)
{
	T_(vector) sum[T_(HIGH)][T_(VECTORS)];
	T_(tile)(a, b, depth, sum);
	_Pragma("GCC unroll 16") for (int i = 0; i < T_(HIGH); i++)
	{
		_Pragma("GCC unroll 4") for (int j = 0; j < T_(VECTORS); j++) *
		    (T_(vector) *)(c + i * ldc + j * T_(LANES)) += sum[i][j];
	}
}

/* Of a tile that hangs over the edge, what is inside. */
static void T_(tile_add_part)(
    const T *a, const T *b, int64_t depth, T *c, int64_t ldc, int64_t rows, int64_t columns)
{
	T_(vector) sum[T_(HIGH)][T_(VECTORS)];
	T_(tile)(a, b, depth, sum);
	for (int64_t i = 0; i < rows; i++)
		for (int64_t j = 0; j < columns; j++)
			c[i * ldc + j] += sum[i][j / T_(LANES)][j % T_(LANES)];
}

/* Rows of a beside each other, DEPTH deep; those that fill up the last tile are zero. */
static void T_(rows_copy)(T *room, const T *a, int64_t lda, int64_t rows, int64_t depth)
{
	int64_t all = (rows + T_(HIGH) - 1) / T_(HIGH) * T_(HIGH);
	for (int64_t i = 0; i < all; i++) {
		if (i < rows)
			memcpy(room + i * T_(STEP), a + i * lda, (size_t)depth * sizeof(T));
		else
			memset(room + i * T_(STEP), 0, (size_t)depth * sizeof(T));
	}
}

/* Rows that room has place for, and some columns from a panel's first on. While a panel is
 * worked on, the next is fetched to where it will be soon, and so is what is added to. */
static void T_(block_add)(const T *room, const T *b, int64_t depth, int64_t k, T *c,
    int64_t ldc, int64_t rows, int64_t columns)
{
	int64_t tiles = (rows + T_(HIGH) - 1) / T_(HIGH);
	int64_t share = depth * T_(WIDE) / tiles;
	for (int64_t j = 0; j < columns; j += T_(WIDE), b += k * T_(WIDE)) {
		int64_t wide = cpu_min(T_(WIDE), columns - j);
		for (int64_t i = 0; i < rows; i += T_(HIGH)) {
			int64_t high = cpu_min(T_(HIGH), rows - i);
			const T *a = room + i * T_(STEP);
			const T *next = b + k * T_(WIDE) + i / T_(HIGH) * share;
			T *to = c + i * ldc + j;
			for (int64_t l = 0; j + T_(WIDE) < columns && l < share;
			     l += 64 / (int64_t)sizeof(T))
				__builtin_prefetch(next + l, 0, 2);
			for (int64_t l = 0; l < high; l++)
				__builtin_prefetch(to + l * ldc, 1, 3);
			if (high == T_(HIGH) && wide == T_(WIDE))
				T_(tile_add)(a, b, depth, to, ldc);
			else
				T_(tile_add_part)(a, b, depth, to, ldc, high, wide);
		}
	}
}

/* What the sums begin with, in c. */
static void T_(begin)(
    const struct cpu_packed *p, int64_t row, int64_t column, int64_t rows, int64_t columns)
{
	const T *bias = p->bias ? (const T *)p->bias + column : NULL;
	for (int64_t i = row; i < row + rows; i++) {
		T *c = (T *)p->c + i * p->ldc + column;
		const T *more = p->residual
		                    ? (const T *)p->residual + i * p->residual_row + column
		                    : NULL;
		if (bias && more)
			T_(with_row)(c, more, bias, 1, columns, false);
		else if (bias || more)
			memmove(c, bias ? bias : more, (size_t)columns * sizeof(T));
		else
			memset(c, 0, (size_t)columns * sizeof(T));
	}
}

/* The rows of one part of c: some blocks of k after the others, and of each, groups of
 * columns, which stay in the second cache meanwhile. */
static void T_(packed_rows)(const struct cpu_packed *p, int64_t row, int64_t rows, T *room)
{
	enum { PART = T_(ROWS_MOST) * T_(STEP), DEEP = T_(BLOCKS) * T_(DEPTH) };
	T *c = (T *)p->c + row * p->ldc;
	for (int64_t from = 0; from < p->k; from += DEEP) {
		int64_t until = cpu_min(p->k, from + DEEP);
		const T *a = (const T *)p->a + row * p->lda;
		for (int64_t l = from, i = 0; l < until; l += T_(DEPTH), i++)
			T_(rows_copy)
		(room + i * PART, a + l, p->lda, rows, cpu_min(T_(DEPTH), until - l));
		for (int64_t j = 0; j < p->n; j += T_(GROUP) * T_(WIDE)) {
			int64_t columns = cpu_min(T_(GROUP) * T_(WIDE), p->n - j);
			if (from == 0)
				T_(begin)(p, row, j, rows, columns);
			for (int64_t l = from, i = 0; l < until; l += T_(DEPTH), i++)
				T_(block_add)
			(room + i * PART, (const T *)p->b + j * p->k + l * T_(WIDE),
			    cpu_min(T_(DEPTH), until - l), p->k, c + j, p->ldc, rows,
			    columns);
			if (until < p->k || p->act == BACKEND_LINEAR)
				continue;
			for (int64_t i = 0; i < rows; i++)
				T_(act)(c + i * p->ldc + j, columns, p->act);
		}
	}
}

static void T_(packed)(const struct cpu_packed *p)
{
	int64_t parts = (p->m + T_(ROWS_MOST) - 1) / T_(ROWS_MOST);
	int64_t tiles = (p->m + T_(HIGH) - 1) / T_(HIGH);
	for (int64_t i = 0; i < parts; i++) {
		int64_t from = tiles * i / parts * T_(HIGH);
		int64_t until = cpu_min(p->m, tiles * (i + 1) / parts * T_(HIGH));
		T_(packed_rows)(p, from, until - from, p->room);
	}
}

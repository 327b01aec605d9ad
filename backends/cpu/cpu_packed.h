/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multiplies by weights that were packed once: c[m,n] += a[m,k] b[k,n]. A part of
 * cpu_kernels.h.
 *
 * OpenBLAS packs both operands in each call, which takes a tenth of the time for the
 * hundred or so rows of a layer; weights never change, so they are packed in advance. The
 * rest follows Goto and van de Geijn 2008: a part of the rows, DEPTH deep, stays in the
 * second cache, a panel of WIDE columns in the first, and a tile of at most HIGH rows in
 * registers. The tiles of a block have nearly equal heights, so that none is padded.
 * Long vectors consume a panel so fast that it may also stay in the second cache, if its
 * lines are fetched ahead: the panel can then be deeper, and the sums are stored less
 * often.
 */

enum {
	T_(VECTORS) = ISA_TILE_VECTORS,
	T_(HIGH) = ISA_TILE_ROWS,
	T_(WIDE) = T_(LANES) * T_(VECTORS),
	T_(PANEL_DEPTH) = ISA_PANEL_BYTES / (T_(WIDE) * sizeof(T)),
	T_(DEPTH) = T_(PANEL_DEPTH) < 384 ? T_(PANEL_DEPTH) : 384,
	/* Depths of rows that are copied at once: as many as fit into the second cache. */
	T_(BLOCKS) = 3072 / sizeof(T) / T_(DEPTH) > 0 ? 3072 / sizeof(T) / T_(DEPTH) : 1,
	/* Rows with this stride do not map to the same lines of the cache. */
	T_(STEP) = T_(DEPTH) + 16,
	T_(ROWS_MOST) = ISA_ROWS_MOST / ISA_TILE_ROWS * ISA_TILE_ROWS,
	/* The columns that are completed together, while they are in the second cache. */
	T_(GROUP) = 256 / T_(WIDE) > 0 ? 256 / T_(WIDE) : 1,
};

/* Packs b into panels of WIDE columns, each k deep; columns after n are zero. Transposed
 * rows are read one cache line at a time, because they often map to the same lines of the
 * first cache. */
static void T_(pack)(
    void *packed, const void *from, int64_t ldb, bool transpose, int64_t n, int64_t k)
{
	enum { LINE = 64 / sizeof(T) };
	T *to = packed;
	const T *b = from;
	for (int64_t panel = 0; panel < n; panel += T_(WIDE), to += k * T_(WIDE)) {
		int64_t wide = cpu_min(T_(WIDE), n - panel);
		if (wide < T_(WIDE))
			memset(to, 0, (size_t)(k * T_(WIDE)) * sizeof(T));
		for (int64_t l = 0; !transpose && l < k; l++)
			memcpy(to + l * T_(WIDE), b + l * ldb + panel,
			    (size_t)wide * sizeof(T));
		for (int64_t l = 0; transpose && l < k; l += LINE) {
			int64_t deep = cpu_min(LINE, k - l);
			for (int64_t j = 0; j < wide; j++)
				for (int64_t i = 0; i < deep; i++)
					to[(l + i) * T_(WIDE) + j] =
					    b[(panel + j) * ldb + l + i];
		}
	}
}

/* Computes the sums of a tile of `high` rows, a constant, from these rows and a panel. */
static inline __attribute__((always_inline)) void T_(tile_multiply)(const T *restrict a,
    int64_t lda, const T *restrict b, int64_t depth, T_(vector) sum[T_(HIGH)][T_(VECTORS)],
    int high)
{
	T_(vector) x[T_(HIGH)][T_(VECTORS)] = { 0 };
	for (int64_t l = 0; l < depth; l++, a++, b += T_(WIDE)) {
		T_(vector) y[T_(VECTORS)];
		_Pragma("GCC unroll 4") for (int j = 0; ISA_AHEAD > 0 && j < T_(VECTORS);
		                             j++)
		    __builtin_prefetch(b + ISA_AHEAD * T_(WIDE) + j * T_(LANES), 0, 3);
		_Pragma("GCC unroll 4") for (int j = 0; j < T_(VECTORS); j++) y[j] =
		    *(const T_(vector) *)(b + j * T_(LANES));
		_Pragma("GCC unroll 16") for (int i = 0; i < high; i++)
		{
			T_(vector) one = a[i * lda] - (T_(vector)){ 0 };
			_Pragma("GCC unroll 4") for (int j = 0; j < T_(VECTORS); j++)
			    x[i][j] += one * y[j];
		}
	}
	memcpy(sum, x, sizeof(x));
}

/* Adds a tile of `high` rows, a constant, and the first `wide` columns of a panel to c, or
 * stores it if c is fresh. */
static inline __attribute__((always_inline)) void T_(tile_add_high)(const T *a, int64_t lda,
    const T *b, int64_t depth, T *c, int64_t ldc, bool fresh, int64_t wide, int high)
{
	T_(vector) sum[T_(HIGH)][T_(VECTORS)];
	T_(tile_multiply)(a, lda, b, depth, sum, high);
	_Pragma("GCC unroll 16") for (int i = 0; i < high; i++)
	{
		_Pragma("GCC unroll 4") for (int j = 0; j < T_(VECTORS); j++)
		{
			T *to = c + i * ldc + j * T_(LANES);
			if (wide >= (j + 1) * T_(LANES)) {
				T_(vector) *all = (T_(vector) *)to;
				if (fresh)
					*all = sum[i][j];
				else
					*all += sum[i][j];
				continue;
			}
			T one[T_(LANES)];
			memcpy(one, &sum[i][j], sizeof(one));
			for (int64_t l = 0; l < wide - j * T_(LANES); l++)
				to[l] = fresh ? one[l] : to[l] + one[l];
		}
	}
}

/* Adds a tile of at most HIGH rows to c, or stores it if c is fresh. */
static void T_(tile_add)(const T *a, int64_t lda, const T *b, int64_t depth, T *c,
    int64_t ldc, bool fresh, int64_t wide, int64_t high)
{
	_Static_assert(T_(HIGH) <= 8, "each height needs a case");
#define TILE(rows)                                                               \
	case rows:                                                               \
		if (rows <= T_(HIGH))                                            \
			T_(tile_add_high)(a, lda, b, depth, c, ldc, fresh, wide, \
			    rows < T_(HIGH) ? rows : T_(HIGH));                  \
		break
	switch (high) {
		TILE(1);
		TILE(2);
		TILE(3);
		TILE(4);
		TILE(5);
		TILE(6);
		TILE(7);
		TILE(8);
	}
#undef TILE
}

/* Copies rows of a, DEPTH deep. */
static void T_(rows_copy)(T *room, const T *a, int64_t lda, int64_t rows, int64_t depth)
{
	for (int64_t i = 0; i < rows; i++)
		memcpy(room + i * T_(STEP), a + i * lda, (size_t)depth * sizeof(T));
}

/* A block: rows times columns, beginning with the first column of a panel. */
struct T_(block) {
	const T *a, *b;
	int64_t lda, depth, k;
	T *c;
	int64_t ldc, rows, columns;
	bool fresh;    /* whether c is set instead of added to */
	const T *then; /* the first panel of the next block; NULL: unknown */
};

/* Adds a block to c, and prefetches the elements of c meanwhile. The next panel is
 * prefetched for long vectors only: it delays shorter ones. */
static void T_(block_add)(const struct T_(block) * o)
{
	int64_t tiles = (o->rows + T_(HIGH) - 1) / T_(HIGH);
	int64_t share = o->depth * T_(WIDE) / tiles;
	const T *b = o->b;
	for (int64_t j = 0; j < o->columns; j += T_(WIDE), b += o->k * T_(WIDE)) {
		int64_t wide = cpu_min(T_(WIDE), o->columns - j);
		const T *next = j + T_(WIDE) < o->columns ? b + o->k * T_(WIDE) : o->then;
		for (int64_t i = 0; i < tiles; i++) {
			int64_t row = o->rows * i / tiles;
			int64_t high = o->rows * (i + 1) / tiles - row;
			T *to = o->c + row * o->ldc + j;
			for (int64_t l = 0; ISA_AHEAD > 0 && next && l < share;
			    l += 64 / (int64_t)sizeof(T))
				__builtin_prefetch(next + i * share + l, 0, 2);
			for (int64_t l = 0; l < high; l++)
				__builtin_prefetch(to + l * o->ldc, 1, 3);
			T_(tile_add)(o->a + row * o->lda, o->lda, b, o->depth, to, o->ldc,
			    o->fresh, wide, high);
		}
	}
}

/* Writes the initial values of the sums to c: bias, residual, or both. */
static void T_(sums_begin)(
    const struct cpu_packed *p, int64_t row, int64_t column, int64_t rows, int64_t columns)
{
	const T *bias = p->bias ? (const T *)p->bias + column : NULL;
	for (int64_t i = row; i < row + rows; i++) {
		T *c = (T *)p->c + i * p->ldc + column;
		const T *more = p->residual
		                    ? (const T *)p->residual + i * p->residual_row + column
		                    : NULL;
		if (bias && more)
			T_(row_combine)(c, more, bias, 1, columns, false);
		else
			memmove(c, bias ? bias : more, (size_t)columns * sizeof(T));
	}
}

/* Returns the first panel of the block after that of column j and depth l: the next depths
 * of the same columns, or the first ones of the next columns. */
static const T *T_(panel_after)(const struct cpu_packed *p, int64_t j, int64_t columns,
    int64_t from, int64_t l, int64_t until)
{
	const T *b = p->b;
	if (l + T_(DEPTH) < until)
		return b + j * p->k + (l + T_(DEPTH)) * T_(WIDE);
	return j + columns < p->n ? b + (j + columns) * p->k + from * T_(WIDE) : NULL;
}

/* Computes a part of the rows of c: block after block of k, and in each, groups of columns
 * that stay in the second cache. */
static void T_(packed_rows)(const struct cpu_packed *p, int64_t row, int64_t rows, T *room)
{
	enum { PART = T_(ROWS_MOST) * T_(STEP), DEEP = T_(BLOCKS) * T_(DEPTH) };
	T *c = (T *)p->c + row * p->ldc;
	bool bare = !p->bias && !p->residual;
	for (int64_t from = 0; from < p->k; from += DEEP) {
		int64_t until = cpu_min(p->k, from + DEEP);
		const T *a = (const T *)p->a + row * p->lda;
		for (int64_t l = from, i = 0; l < until; l += T_(DEPTH), i++)
			T_(rows_copy)
		(room + i * PART, a + l, p->lda, rows, cpu_min(T_(DEPTH), until - l));
		for (int64_t j = 0; j < p->n; j += T_(GROUP) * T_(WIDE)) {
			int64_t columns = cpu_min(T_(GROUP) * T_(WIDE), p->n - j);
			if (from == 0 && !bare)
				T_(sums_begin)(p, row, j, rows, columns);
			for (int64_t l = from, i = 0; l < until; l += T_(DEPTH), i++)
				T_(block_add)
			(&(struct T_(block)){ .a = room + i * PART,
			    .b = (const T *)p->b + j * p->k + l * T_(WIDE),
			    .lda = T_(STEP),
			    .depth = cpu_min(T_(DEPTH), until - l),
			    .k = p->k,
			    .c = c + j,
			    .ldc = p->ldc,
			    .rows = rows,
			    .columns = columns,
			    .fresh = bare && l == 0,
			    .then = T_(panel_after)(p, j, columns, from, l, until) });
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

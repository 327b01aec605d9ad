/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decision trees. Several walks from a root to a leaf take turns, so that the processor
 * does not wait for the memory of one node before it asks for that of another: those of one
 * tree for several rows, or of several trees for one row. A part of cpu_kernels.h.
 */

/* Takes TREES_LANES walks, whose nodes begin as at[], to their leaves. The features of a
 * walk begin at x[row[]]. All branches have this test, or any one if it is negative. */
static inline __attribute__((always_inline)) void T_(trees_walk)(const int32_t *node,
    const T *threshold, const T *x, const int32_t *row, int32_t *at, int32_t test)
{
	int32_t moves = 1;
	while (moves) {
		moves = 0;
		/* A walk that has ended remains at its leaf: branches that the processor
		 * cannot predict would take longer. */
		_Pragma("GCC unroll 8") for (int i = 0; i < TREES_LANES; i++)
		{
			const int32_t here = at[i], branch = node[2 * here],
			              no = node[2 * here + 1],
			              feature = branch < 0 ? 0 : branch >> 3,
			              kind = test < 0 ? branch & 7 : test;
			const T a = x[row[i] + feature], b = threshold[here];
			int32_t passes = (kind & 3) == 0   ? a <= b
			                 : (kind & 3) == 1 ? a < b
			                                   : a == b;
			passes |= (kind & 4) && a != a;
			const int32_t next = passes ? here + 1 : no;
			at[i] = branch < 0 ? here : next;
			moves |= branch >= 0;
		}
	}
}

/* Does so with the test that all branches of the operation have, if they have one. */
static void T_(trees_lanes)(
    const struct backend_op *op, const T *x, const int32_t *row, int32_t *at)
{
	const int32_t *node = cpu_i32(op->in[1]);
	const T *threshold = TENSOR(op->in[2]);
	switch (op->p.trees.test) {
	case 0:
		T_(trees_walk)(node, threshold, x, row, at, 0);
		break;
	case 1:
		T_(trees_walk)(node, threshold, x, row, at, 1);
		break;
	case 4:
		T_(trees_walk)(node, threshold, x, row, at, 4);
		break;
	case 5:
		T_(trees_walk)(node, threshold, x, row, at, 5);
		break;
	default:
		T_(trees_walk)(node, threshold, x, row, at, -1);
	}
}

/* Adds the entries of a leaf. */
static inline void T_(trees_add)(const struct backend_op *op, int32_t leaf, T *to)
{
	const int32_t *at = cpu_i32(op->in[1]) + 2 * leaf, *target = cpu_i32(op->in[3]);
	const T *weight = TENSOR(op->in[4]);
	for (int32_t e = at[1]; e < at[1] - 1 - at[0]; e++)
		to[target[e]] += weight[e];
}

/* Adds the trees to a few rows: the lanes are trees. */
static void T_(trees_few)(const struct backend_op *op, const T *x, T *to)
{
	const int32_t *root = cpu_i32(op->in[5]);
	const int64_t trees = cpu_count(op->in[5]);
	const int32_t row[TREES_LANES] = { 0 };
	for (int64_t t = 0; t < trees; t += TREES_LANES) {
		const int lanes = (int)cpu_min(TREES_LANES, trees - t);
		int32_t at[TREES_LANES];
		for (int i = 0; i < TREES_LANES; i++)
			at[i] = root[t + (i < lanes ? i : 0)];
		T_(trees_lanes)(op, x, row, at);
		for (int i = 0; i < lanes; i++)
			T_(trees_add)(op, at[i], to);
	}
}

/* Adds the trees to a block of rows: the lanes are rows. */
static void T_(trees_block)(
    const struct backend_op *op, const T *x, T *to, int64_t rows, int64_t first)
{
	const int32_t *root = cpu_i32(op->in[5]);
	const int64_t trees = cpu_count(op->in[5]), features = cpu_columns(op->in[0]),
	              targets = cpu_columns(op->out[0]);
	x += first * features;
	to += first * targets;
	for (int64_t t = 0; t < trees; t++)
		for (int64_t r = 0; r < rows; r += TREES_LANES) {
			const int lanes = (int)cpu_min(TREES_LANES, rows - r);
			int32_t row[TREES_LANES], at[TREES_LANES];
			for (int i = 0; i < TREES_LANES; i++) {
				row[i] = (int32_t)((i < lanes ? i : 0) * features);
				at[i] = root[t];
			}
			T_(trees_lanes)(op, x + r * features, row, at);
			for (int i = 0; i < lanes; i++)
				T_(trees_add)(op, at[i], to + (r + i) * targets);
		}
}

static void T_(trees)(struct backend_session *s, const struct backend_op *op)
{
	const int64_t rows = cpu_row_count(op->in[0]), features = cpu_columns(op->in[0]),
	              targets = cpu_columns(op->out[0]), trees = cpu_count(op->in[5]);
	const T *x = TENSOR(op->in[0]);
	T *to = TENSOR(op->out[0]);
	memset(to, 0, (size_t)(rows * targets) * sizeof(T));
	PARALLEL_FOR(s, rows * trees * TREES_WORK)
	for (int64_t first = 0; first < rows; first += TREES_ROWS) {
		const int64_t count = cpu_min(TREES_ROWS, rows - first);
		if (count >= TREES_LANES)
			T_(trees_block)(op, x, to, count, first);
		for (int64_t r = first; count < TREES_LANES && r < first + count; r++)
			T_(trees_few)(op, x + r * features, to + r * targets);
	}
	for (int64_t i = 0; op->p.trees.alpha != 1 && i < rows * targets; i++)
		to[i] *= (T)op->p.trees.alpha;
}

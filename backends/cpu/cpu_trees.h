/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decision trees. Several walks from a root to a leaf take turns, so that the processor
 * does not wait for the memory of one node before it asks for that of another: those of one
 * tree for several rows, or of several trees for one row. A part of cpu_kernels.h.
 */

/* Takes LANES walks, whose nodes begin as at[], to their leaves. Each has a row x[]. All
 * branches have this test, or any one if it is negative. */
static inline __attribute__((always_inline)) void T_(trees_walk)(
    const int32_t *node, const T *threshold, const T *const *x, int32_t *at, int32_t test)
{
	bool moves = true;
	while (moves) {
		moves = false;
		for (int i = 0; i < TREES_LANES; i++) {
			const int32_t here = at[i], branch = node[2 * here];
			if (branch < 0)
				continue;
			const T a = x[i][branch >> 3], b = threshold[here];
			const int32_t kind = test < 0 ? branch & 7 : test;
			bool passes = (kind & 3) == 0   ? a <= b
			              : (kind & 3) == 1 ? a < b
			                                : a == b;
			if (kind & 4)
				passes |= a != a;
			at[i] = passes ? here + 1 : node[2 * here + 1];
			moves = true;
		}
	}
}

/* Does so with the test that all branches of the operation have, if they have one. */
static void T_(trees_lanes)(const struct backend_op *op, const T *const *x, int32_t *at)
{
	const int32_t *node = cpu_i32(op->in[1]);
	const T *threshold = TENSOR(op->in[2]);
	switch (op->p.trees.test) {
	case 0:
		T_(trees_walk)(node, threshold, x, at, 0);
		break;
	case 1:
		T_(trees_walk)(node, threshold, x, at, 1);
		break;
	case 4:
		T_(trees_walk)(node, threshold, x, at, 4);
		break;
	case 5:
		T_(trees_walk)(node, threshold, x, at, 5);
		break;
	default:
		T_(trees_walk)(node, threshold, x, at, -1);
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
	const T *lane[TREES_LANES];
	for (int i = 0; i < TREES_LANES; i++)
		lane[i] = x;
	for (int64_t t = 0; t < trees; t += TREES_LANES) {
		const int lanes = (int)cpu_min(TREES_LANES, trees - t);
		int32_t at[TREES_LANES];
		for (int i = 0; i < TREES_LANES; i++)
			at[i] = root[t + (i < lanes ? i : 0)];
		T_(trees_lanes)(op, lane, at);
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
			const T *lane[TREES_LANES];
			int32_t at[TREES_LANES];
			for (int i = 0; i < TREES_LANES; i++) {
				lane[i] = x + (r + (i < lanes ? i : 0)) * features;
				at[i] = root[t];
			}
			T_(trees_lanes)(op, lane, at);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the largest elements of rows, and chooses experts. A part of cpu_kernels.h. */

/* Returns whether x comes before y: NaN do before all numbers. */
static inline bool T_(is_larger)(T x, T y)
{
	return x > y || (x != x && y == y);
}

/* Writes the indices of the k largest elements of a row in descending order, the lower
 * index first among equals. */
static void T_(row_best)(const T *x, int64_t n, int64_t k, int32_t *place)
{
	int64_t have = 0;
	for (int64_t i = 0; i < n; i++) {
		if (have == k && !T_(is_larger)(x[i], x[place[k - 1]]))
			continue;
		int64_t at = have < k ? have++ : k - 1;
		for (; at > 0 && T_(is_larger)(x[i], x[place[at - 1]]); at--)
			place[at] = place[at - 1];
		place[at] = (int32_t)i;
	}
}

static void T_(topk)(struct backend_session *s, const struct backend_op *op)
{
	int64_t rows = cpu_row_count(op->in[0]), n = cpu_columns(op->in[0]),
	        k = op->p.route.k;
	PARALLEL_FOR(s, rows * n)
	for (int64_t r = 0; r < rows; r++) {
		const T *x = TENSOR(op->in[0]) + cpu_row(op->in[0], r);
		int32_t *place = cpu_i32(op->out[1]) + r * k;
		T_(row_best)(x, n, k, place);
		for (int64_t i = 0; op->out[0] && i < k; i++)
			TENSOR(op->out[0])[r * k + i] = x[place[i]];
	}
}

static void T_(route)(struct backend_session *s, const struct backend_op *op)
{
	int64_t rows = cpu_row_count(op->in[0]), n = cpu_columns(op->in[0]),
	        k = op->p.route.k;
	PARALLEL_FOR(s, rows * n * 4)
	for (int64_t r = 0; r < rows; r++) {
		const T *x = TENSOR(op->in[0]) + cpu_row(op->in[0], r);
		T *to = TENSOR(op->out[0]) + r * k, sum = 0;
		int32_t *place = cpu_i32(op->out[1]) + r * k;
		T_(row_best)(x, n, k, place);
		T largest = x[place[0]];
		for (int64_t i = 0; i < k; i++)
			to[i] = T_(exp)(x[place[i]] - largest);
		if (op->p.route.renormalise) {
			sum = T_(row_sum)(to, k);
		} else {
			_Pragma("omp simd reduction(+ : sum)") for (int64_t i = 0; i < n;
			                                            i++) sum +=
			    T_(exp)(x[i] - largest);
		}
		for (int64_t i = 0; i < k; i++)
			to[i] /= sum;
	}
}

static void T_(combine)(struct backend_session *s, const struct backend_op *op)
{
	int64_t rows = cpu_row_count(op->out[0]), d = cpu_columns(op->out[0]),
	        k = op->p.route.k;
	PARALLEL_FOR(s, rows * d * k)
	for (int64_t r = 0; r < rows; r++) {
		T *to = TENSOR(op->out[0]) + r * d;
		if (op->in[2])
			memcpy(to, TENSOR(op->in[2]) + r * d, (size_t)d * sizeof(T));
		else
			memset(to, 0, (size_t)d * sizeof(T));
		for (int64_t j = 0; j < k; j++)
			T_(row_combine)
		(to, to, TENSOR(op->in[0]) + (r * k + j) * d, TENSOR(op->in[1])[r * k + j],
		    d, false);
	}
}

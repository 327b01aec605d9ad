/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pooling and resizing of planes [N,C,H,W]. A part of cpu_kernels.h. */

/* Returns the larger number, and NaN if either is. */
static inline T T_(larger)(T x, T than)
{
	return x > than || x != x ? x : than;
}

/* Computes the maxima, or sums, of n columns of `rows` rows. */
static void T_(columns_reduce)(
    T *to, const T *x, int64_t width, int64_t rows, int64_t n, bool average)
{
	memcpy(to, x, (size_t)n * sizeof(T));
	for (int64_t r = 1; r < rows; r++) {
		const T *row = x + r * width;
		if (average) {
			_Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] += row[i];
		} else {
			_Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] =
			    T_(larger)(row[i], to[i]);
		}
	}
}

/* Adds x[0], x[step] ... to n maxima or sums. */
static inline __attribute__((always_inline)) void T_(windows_add)(
    T *to, const T *x, int64_t step, int64_t n, bool average)
{
	if (average) {
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] += x[i * step];
	} else {
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] =
		    T_(larger)(x[i * step], to[i]);
	}
}

/* Returns the maximum, or sum, of n numbers: adds the last half to the first as long as
 * there are two. */
static T T_(numbers_reduce)(const T *x, int64_t n, bool average)
{
	T part[SPAN], all = average ? 0 : -(T)INFINITY;
	for (int64_t at = 0; at < n; at += SPAN) {
		int64_t count = cpu_min(SPAN, n - at);
		memcpy(part, x + at, (size_t)count * sizeof(T));
		for (int64_t half; count > 1; count -= half) {
			half = count / 2;
			T_(windows_add)(part, part + count - half, 1, half, average);
		}
		T_(windows_add)(&all, part, 1, 1, average);
	}
	return all;
}

/* Computes a row of results from `rows` rows of a plane: reduces each column, then the
 * columns of each window. */
static void T_(row_pool)(
    T *to, const T *x, int64_t width, int64_t rows, const struct backend_op *op)
{
	int64_t n = op->out[0]->size[3], step = op->p.pool.stride[1];
	int64_t kernel = op->p.pool.kernel[1], before = op->p.pool.before[1];
	bool average = op->p.pool.average;
	T column[SPAN];
	/* A window that has whole rows is one row. */
	if (n == 1 && before == 0 && kernel >= width && rows > 0) {
		*to = T_(numbers_reduce)(x, rows * width, average);
		*to /= average ? (T)(rows * width) : 1;
		return;
	}
	for (int64_t j = 0; j < n; j++)
		to[j] = average ? 0 : -(T)INFINITY;
	for (int64_t at = 0; at < width; at += SPAN) {
		int64_t count = rows > 0 ? cpu_min(SPAN, width - at) : 0;
		if (count)
			T_(columns_reduce)(column, x + at, width, rows, count, average);
		for (int64_t k = 0; k < kernel; k++) {
			/* Window j has its column k here if from <= j step < until. */
			int64_t from = cpu_max(0, at + before - k), until = from;
			until = cpu_max(from, at + count + before - k);
			int64_t first = (from + step - 1) / step;
			int64_t last = cpu_min(n, (until + step - 1) / step);
			const T *begin = column + first * step - before + k - at;
			if (step == 1)
				T_(windows_add)
				(to + first, begin, 1, last - first, average);
			else if (step == 2)
				T_(windows_add)
				(to + first, begin, 2, last - first, average);
			else
				T_(windows_add)
				(to + first, begin, step, last - first, average);
		}
	}
	for (int64_t j = 0; average && j < n; j++) {
		int64_t from = cpu_max(0, j * step - before),
		        until = cpu_min(width, j * step - before + kernel);
		to[j] /= (T)(rows * (until - from));
	}
}

static void T_(pool)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	const int64_t *kernel = op->p.pool.kernel;
	int64_t height = in->size[2], width = in->size[3];
	int64_t to_height = out->size[2], to_width = out->size[3];
	PARALLEL_FOR(s, cpu_count(out) * kernel[0] * kernel[1] / 4)
	for (int64_t r = 0; r < out->size[0] * out->size[1] * to_height; r++) {
		int64_t top = r % to_height * op->p.pool.stride[0] - op->p.pool.before[0];
		int64_t from = cpu_max(0, top), until = cpu_min(height, top + kernel[0]);
		const T *x = TENSOR(in) + (r / to_height * height + from) * width;
		T_(row_pool)(TENSOR(out) + r * to_width, x, width, until - from, op);
	}
}

/* Locates the two pixels of `from` around pixel i of `to`; returns the weight of the
 * second. */
static T T_(pixel_locate)(int64_t i, int64_t from, int64_t to, int64_t beside[2])
{
	T at = ((T)i + (T)0.5) * (T)from / (T)to - (T)0.5;
	at = at < 0 ? 0 : at;
	beside[0] = cpu_min((int64_t)at, from - 1);
	beside[1] = cpu_min(beside[0] + 1, from - 1);
	return at - (T)beside[0];
}

static void T_(resize_row)(T *to, int64_t width, const T *upper, const T *lower,
    int64_t from_width, T part, bool bilinear)
{
	for (int64_t j = 0; j < width; j++) {
		if (!bilinear) {
			to[j] = upper[j * from_width / width];
			continue;
		}
		int64_t x[2];
		T right = T_(pixel_locate)(j, from_width, width, x);
		T above = upper[x[0]] + right * (upper[x[1]] - upper[x[0]]);
		T below = lower[x[0]] + right * (lower[x[1]] - lower[x[0]]);
		to[j] = above + part * (below - above);
	}
}

static void T_(resize)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	int64_t height = in->size[2], width = in->size[3];
	int64_t to_height = out->size[2], to_width = out->size[3];
	bool bilinear = op->p.resize.bilinear;
	PARALLEL_FOR(s, cpu_count(out) * 8)
	for (int64_t r = 0; r < out->size[0] * out->size[1] * to_height; r++) {
		const T *plane = TENSOR(in) + r / to_height * height * width;
		int64_t i = r % to_height, y[2] = { i * height / to_height, 0 };
		T part = 0;
		if (bilinear)
			part = T_(pixel_locate)(i, height, to_height, y);
		T_(resize_row)
		(TENSOR(out) + r * to_width, to_width, plane + y[0] * width,
		    plane + y[1] * width, width, part, bilinear);
	}
}

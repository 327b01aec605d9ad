/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normalization over rows, groups and channels. A part of cpu_kernels.h. */

static T T_(row_sum)(const T *x, int64_t n)
{
	T sum = 0;
	_Pragma("omp simd reduction(+ : sum)") for (int64_t i = 0; i < n; i++) sum += x[i];
	return sum;
}

/* Returns the sum of (x - mean)^2 in a second pass, because a difference of sums would
 * cancel.
 */
static T T_(row_sum_squares)(const T *x, T mean, int64_t n)
{
	T sum = 0;
	_Pragma("omp simd reduction(+ : sum)") for (int64_t i = 0; i < n; i++) sum +=
	    (x[i] - mean) * (x[i] - mean);
	return sum;
}

/* Computes to = (x - mean) factor gain + shift; gain and shift may be NULL. */
static void T_(row_normalize)(
    T *to, const T *x, T mean, T factor, const T *gain, const T *shift, int64_t n)
{
	if (gain && shift) {
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] =
		    (x[i] - mean) * factor * gain[i] + shift[i];
	} else if (gain) {
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] =
		    (x[i] - mean) * factor * gain[i];
	} else {
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] =
		    (x[i] - mean) * factor;
		if (shift)
			T_(row_combine)(to, to, shift, 1, n, false);
	}
}

static void T_(layernorm)(struct backend_session *s, const struct backend_op *op)
{
	int64_t rows = cpu_row_count(op->out[0]), d = cpu_columns(op->out[0]);
	const T *gain = op->in[1] ? TENSOR(op->in[1]) : NULL;
	const T *shift = op->in[2] ? TENSOR(op->in[2]) : NULL;
	PARALLEL_FOR(s, rows * d)
	for (int64_t r = 0; r < rows; r++) {
		const T *x = TENSOR(op->in[0]) + cpu_row(op->in[0], r);
		T mean = T_(row_sum)(x, d) / (T)d;
		T variance = T_(row_sum_squares)(x, mean, d) / (T)d;
		T factor = 1 / T_(sqrt)(variance + (T)op->p.norm.eps);
		T_(row_normalize)
		(TENSOR(op->out[0]) + cpu_row(op->out[0], r), x, mean, factor, gain, shift,
		    d);
	}
}

static void T_(rmsnorm)(struct backend_session *s, const struct backend_op *op)
{
	int64_t rows = cpu_row_count(op->out[0]), d = cpu_columns(op->out[0]);
	const T *gain = op->in[1] ? TENSOR(op->in[1]) : NULL;
	PARALLEL_FOR(s, rows * d)
	for (int64_t r = 0; r < rows; r++) {
		const T *x = TENSOR(op->in[0]) + cpu_row(op->in[0], r);
		T mean = T_(row_sum_squares)(x, 0, d) / (T)d;
		T factor = (T)op->p.norm.alpha / T_(sqrt)(mean + (T)op->p.norm.eps);
		T_(row_normalize)
		(TENSOR(op->out[0]) + cpu_row(op->out[0], r), x, 0, factor, gain, NULL, d);
	}
}

/* Computes to = act(x by + plus) for the n numbers of a channel. */
static void T_(channel_scale)(
    T *to, const T *x, T by, T plus, int64_t n, enum backend_act act)
{
	for (int64_t at = 0; at < n; at += SPAN) {
		int64_t span = cpu_min(SPAN, n - at);
		_Pragma("omp simd") for (int64_t i = at; i < at + span; i++) to[i] =
		    x[i] * by + plus;
		T_(act)(to + at, span, act);
	}
}

static void T_(groupnorm)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0];
	int64_t groups = op->p.norm.groups, channels = in->size[1] / groups;
	int64_t plane = cpu_count(in) / (in->size[0] * in->size[1]), n = channels * plane;
	const T *gain = op->in[1] ? TENSOR(op->in[1]) : NULL;
	const T *shift = op->in[2] ? TENSOR(op->in[2]) : NULL;
	PARALLEL_FOR(s, cpu_count(in))
	for (int64_t g = 0; g < in->size[0] * groups; g++) {
		const T *x = TENSOR(in) + g * n;
		T *to = TENSOR(op->out[0]) + g * n;
		T mean = T_(row_sum)(x, n) / (T)n;
		T variance = T_(row_sum_squares)(x, mean, n) / (T)n;
		T factor = 1 / T_(sqrt)(variance + (T)op->p.norm.eps);
		for (int64_t c = 0; c < channels; c++) {
			int64_t place = g % groups * channels + c;
			T by = factor * (gain ? gain[place] : 1);
			T plus = (shift ? shift[place] : 0) - mean * by;
			T_(channel_scale)
			(to + c * plane, x + c * plane, by, plus, plane, op->act);
		}
	}
}

static void T_(batchnorm)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0];
	int64_t channels = in->size[1], plane = cpu_count(in) / (in->size[0] * channels);
	const T *gain = op->in[1] ? TENSOR(op->in[1]) : NULL;
	const T *shift = op->in[2] ? TENSOR(op->in[2]) : NULL;
	const T *mean = TENSOR(op->in[3]), *variance = TENSOR(op->in[4]);
	PARALLEL_FOR(s, cpu_count(in))
	for (int64_t i = 0; i < in->size[0] * channels; i++) {
		int64_t c = i % channels;
		T by = (gain ? gain[c] : 1) / T_(sqrt)(variance[c] + (T)op->p.norm.eps);
		T plus = (shift ? shift[c] : 0) - mean[c] * by;
		T_(channel_scale)
		(TENSOR(op->out[0]) + i * plane, TENSOR(in) + i * plane, by, plus, plane,
		    op->act);
	}
}

/* Computes x = softmax(x) for one row of n. */
static void T_(softmax_row)(T *x, int64_t n)
{
	T largest = -T_MAX, sum = 0;
	_Pragma("omp simd reduction(max : largest)") for (int64_t i = 0; i < n; i++)
	    largest = x[i] > largest ? x[i] : largest;
	_Pragma("omp simd reduction(+ : sum)") for (int64_t i = 0; i < n; i++)
	{
		x[i] = T_(exp)(x[i] - largest);
		sum += x[i];
	}
	T factor = 1 / sum;
	_Pragma("omp simd") for (int64_t i = 0; i < n; i++) x[i] *= factor;
}

static void T_(softmax)(struct backend_session *s, const struct backend_op *op)
{
	int64_t rows = cpu_row_count(op->out[0]), d = cpu_columns(op->out[0]);
	PARALLEL_FOR(s, rows * d * 2)
	for (int64_t r = 0; r < rows; r++) {
		T *to = TENSOR(op->out[0]) + cpu_row(op->out[0], r);
		const T *x = TENSOR(op->in[0]) + cpu_row(op->in[0], r);
		if (to != x)
			memcpy(to, x, (size_t)d * sizeof(T));
		T_(softmax_row)(to, d);
	}
}

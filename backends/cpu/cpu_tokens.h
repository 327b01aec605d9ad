/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of language models other than products. A part of cpu_kernels.h. */

static void T_(gather)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *table = op->in[0], *out = op->out[0];
	int64_t rows = cpu_row_count(out), d = cpu_columns(out), t = cpu_size(out, 2);
	const int32_t *index = op->in[1] ? cpu_i32(op->in[1]) : NULL;
	const bool dense = cpu_rows_are_dense(out), table_dense = cpu_rows_are_dense(table);
	const T alpha = (T)op->p.gather.alpha;
	PARALLEL_FOR(s, rows * d)
	for (int64_t r = 0; r < rows; r++) {
		const int64_t row = cpu_gather_row(op, index, r, t);
		const T *x = TENSOR(table) + (table_dense ? row * d : cpu_row(table, row));
		T *to = TENSOR(out) + (dense ? r * d : cpu_row(out, r));
		if (d == 1)
			*to = *x * alpha;
		else
			T_(scaled_cached)(to, x, x, alpha, d);
	}
}

/* Rotates the pairs of each head of one token; the angles are the same for all heads. */
static void T_(token_rotate)(T *to, const T *x, const T *angle, int64_t heads, int64_t half)
{
	const T *cosine = angle, *sine = angle + half;
	for (int64_t h = 0; h < heads; h++, to += 2 * half, x += 2 * half) {
		_Pragma("omp simd") for (int64_t i = 0; i < half; i++)
		{
			T a = x[i], b = x[i + half];
			to[i] = a * cosine[i] - b * sine[i];
			to[i + half] = b * cosine[i] + a * sine[i];
		}
	}
}

static void T_(rope)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	int64_t rows = cpu_row_count(out), t = cpu_size(out, 2), heads = op->p.rope.heads;
	int64_t half = cpu_columns(out) / heads / 2;
	double *rate = s->scratch;
	T *rooms = (T *)(rate + half);
	for (int64_t i = 0; i < half; i++)
		rate[i] = pow(op->p.rope.base, -(double)i / (double)half);
	PARALLEL_FOR(s, rows * half * (heads + 32))
	for (int64_t r = 0; r < rows; r++) {
		T *angle = rooms + omp_get_thread_num() * 2 * half;
		for (int64_t i = 0; i < half; i++) {
			double turned = (double)(op->past + r % t) * rate[i];
			angle[i] = (T)cos(turned);
			angle[half + i] = (T)sin(turned);
		}
		T_(token_rotate)
		(TENSOR(out) + cpu_row(out, r), TENSOR(in) + cpu_row(in, r), angle, heads,
		    half);
	}
}

static int64_t T_(relative_bucket)(const struct backend_op *op, int64_t distance)
{
	int64_t buckets = op->p.relative.buckets, first = 0;
	int64_t n = distance > 0 ? 0 : -distance;
	if (op->p.relative.both_ways) {
		buckets /= 2;
		first = distance > 0 ? buckets : 0;
		n = distance > 0 ? distance : -distance;
	}
	int64_t exact = buckets / 2;
	if (n < exact)
		return first + n;
	double part = log((double)n / (double)exact) /
	              log((double)op->p.relative.distance / (double)exact);
	int64_t bucket = exact + (int64_t)(part * (double)(buckets - exact));
	return first + cpu_min(bucket, buckets - 1);
}

static void T_(relative)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *table = op->in[0], *out = op->out[0];
	int64_t heads = cpu_size(out, 3), t = cpu_size(out, 2), columns = cpu_size(out, 1);
	int64_t used = op->p.relative.cached ? cpu_min(columns, op->past + t) : columns;
	PARALLEL_FOR(s, heads * t * used + t * used * 16)
	for (int64_t i = 0; i < t; i++) {
		for (int64_t j = 0; j < used; j++) {
			const T *row =
			    TENSOR(table) +
			    cpu_row(table, T_(relative_bucket)(op, j - (op->past + i)));
			T *to = TENSOR(out) + i * cpu_stride(out, 2) + j;
			for (int64_t h = 0; h < heads; h++)
				to[h * cpu_stride(out, 3)] = row[h];
		}
	}
}

static void T_(sinusoid)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *out = op->out[0];
	const float *x = cpu_f32(op->in[0]);
	int64_t rows = cpu_row_count(out), half = cpu_columns(out) / 2;
	(void)s;
	for (int64_t r = 0; r < rows; r++) {
		T *to = TENSOR(out) + r * 2 * half;
		for (int64_t i = 0; i < half; i++) {
			double angle = x[r] * pow(10000, -(double)i / (double)half);
			to[i] = (T)cos(angle);
			to[half + i] = (T)sin(angle);
		}
	}
}

/* Advances the state of one channel by one token; returns its output. */
static T T_(scan_step)(
    float *state, const T *decay, T dt, T x, const T *b, const T *c, int64_t states)
{
	T sum = 0, in = dt * x;
	_Pragma("omp simd reduction(+ : sum)") for (int64_t i = 0; i < states; i++)
	{
		T next = T_(exp)(decay[i] * dt) * (T)state[i] + in * b[i];
		state[i] = (float)next;
		sum += next * c[i];
	}
	return sum;
}

static void T_(scan)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *x = op->in[0], *step = op->in[1], *out = op->out[0];
	const T *logs = TENSOR(op->in[2]), *skip = TENSOR(op->in[5]),
	        *bias = TENSOR(op->in[6]);
	int64_t batch = cpu_size(x, 3), t = cpu_size(x, 2), channels = cpu_size(x, 1);
	int64_t states = cpu_size(op->in[2], 1);
	T *rooms = s->scratch;
	PARALLEL_FOR(s, batch * t * channels * states * 4)
	for (int64_t i = 0; i < batch * channels; i++) {
		int64_t b = i / channels, c = i % channels;
		T *decay = rooms + omp_get_thread_num() * states;
		float *state = cpu_f32(op->in[7]) + i * states;
		if (op->past == 0)
			memset(state, 0, (size_t)states * sizeof(*state));
		for (int64_t j = 0; j < states; j++)
			decay[j] = -T_(exp)(logs[c * states + j]);
		for (int64_t j = 0; j < t; j++) {
			int64_t row = b * t + j;
			T in = TENSOR(x)[cpu_row(x, row) + c];
			T dt = T_(softplus)(TENSOR(step)[cpu_row(step, row) + c] + bias[c]);
			T sum = T_(scan_step)(state, decay, dt, in,
			    TENSOR(op->in[3]) + cpu_row(op->in[3], row),
			    TENSOR(op->in[4]) + cpu_row(op->in[4], row), states);
			TENSOR(out)[cpu_row(out, row) + c] = sum + skip[c] * in;
		}
	}
}

static void T_(causal_conv)(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0], *weight = op->in[1], *out = op->out[0];
	int64_t rows = cpu_row_count(out), t = cpu_size(out, 2),
	        channels = cpu_size(out, 1);
	int64_t kernel = cpu_columns(weight), ahead = cpu_stride(in, 2);
	const T *bias = op->in[2] ? TENSOR(op->in[2]) : NULL;
	PARALLEL_FOR(s, rows * channels * kernel)
	for (int64_t r = 0; r < rows; r++) {
		T *to = TENSOR(out) + cpu_row(out, r);
		const T *x =
		    TENSOR(in) + r / t * cpu_stride(in, 3) + (op->past + r % t) * ahead;
		for (int64_t c = 0; c < channels; c++)
			to[c] = bias ? bias[c] : 0;
		for (int64_t k = 0; k < kernel; k++, x += ahead) {
			const T *w = TENSOR(weight) + k;
			_Pragma("omp simd") for (int64_t c = 0; c < channels; c++) to[c] +=
			    w[c * kernel] * x[c];
		}
		T_(act)(to, channels, op->act);
	}
}

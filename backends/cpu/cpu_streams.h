/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams over n numbers, and the chain of fused multiply-adds that measures the peak
 * arithmetic rate. A part of cpu_kernels.h.
 *
 * A stream larger than the caches is written with non-temporal stores if the instruction
 * set has them, because otherwise each line would be read before it is written.
 */

enum { T_(LANES) = ISA_BITS / 8 / sizeof(T) };

/* Defines the loop of a stream, to = element of x, y and alpha, for n numbers: with
 * ordinary stores and with non-temporal ones. */
#define STREAM_BODY(name, element)                                                        \
	static void T_(name##_cached)(T * to, const T *x, const T *y, T alpha, int64_t n) \
	{                                                                                 \
		(void)y;                                                                  \
		(void)alpha;                                                              \
		_Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] =               \
		    element(x[i], y[i]);                                                  \
	}                                                                                 \
	static void T_(name##_past)(T * to, const T *x, const T *y, T alpha, int64_t n)   \
	{                                                                                 \
		int64_t i = 0;                                                            \
		for (; i < n && (uintptr_t)(to + i) % (ISA_BITS / 8); i++)                \
			to[i] = element(x[i], y[i]);                                      \
		for (; i + T_(LANES) <= n; i += T_(LANES))                                \
			STORE_PAST(to + i, element(*(const T_(vector) *)(x + i),          \
			                       *(const T_(vector) *)(y + i)));            \
		T_(name##_cached)(to + i, x + i, y + i, alpha, n - i);                    \
	}

#define COPIED(a, b) (a)
#define SCALED(a, b) (alpha * (a))
#define ADDED(a, b) ((a) + alpha * (b))
STREAM_BODY(copied, COPIED)
STREAM_BODY(scaled, SCALED)
STREAM_BODY(added, ADDED)
#undef COPIED
#undef SCALED
#undef ADDED
#undef STREAM_BODY

typedef void T_(stream_part)(T *to, const T *x, const T *y, T alpha, int64_t n);

static void T_(stream)(struct backend_session *s, const struct backend_op *op, const T *y,
    T_(stream_part) * cached, T_(stream_part) * past)
{
	int64_t n = cpu_count(op->out[0]);
	T *to = TENSOR(op->out[0]);
	const T *x = TENSOR(op->in[0]);
	T alpha = (T)op->p.stream.alpha;
	bool large = (size_t)n * sizeof(T) > PAST_CACHES_BYTES;
	T_(stream_part) *part = large && STORES_PAST ? past : cached;
	PARALLEL_FOR(s, n / 4)
	for (int64_t at = 0; at < n; at += STREAM_SPAN)
		part(to + at, x + at, y + at, alpha, cpu_min(STREAM_SPAN, n - at));
	if (part == past)
		STORE_FENCE();
}

static void T_(copy)(struct backend_session *s, const struct backend_op *op)
{
	T_(stream)(s, op, TENSOR(op->in[0]), T_(copied_cached), T_(copied_past));
}

static void T_(scale)(struct backend_session *s, const struct backend_op *op)
{
	T_(stream)(s, op, TENSOR(op->in[0]), T_(scaled_cached), T_(scaled_past));
}

static void T_(triad)(struct backend_session *s, const struct backend_op *op)
{
	T_(stream)(s, op, TENSOR(op->in[1]), T_(added_cached), T_(added_past));
}

static void T_(axpy)(struct backend_session *s, const struct backend_op *op)
{
	int64_t n = cpu_count(op->out[0]);
	T *to = TENSOR(op->out[0]);
	const T *x = TENSOR(op->in[0]);
	T alpha = (T)op->p.stream.alpha;
	PARALLEL_FOR(s, n / 4)
	for (int64_t at = 0; at < n; at += STREAM_SPAN)
		T_(added_cached)
	(to + at, to + at, x + at, alpha, cpu_min(STREAM_SPAN, n - at));
}

static void T_(dot)(struct backend_session *s, const struct backend_op *op)
{
	int64_t n = cpu_count(op->in[0]);
	const T *x = TENSOR(op->in[0]), *y = TENSOR(op->in[1]);
	double total = 0;
	_Pragma("omp parallel for num_threads(cpu_team(s, n / 4)) schedule(static) \
		reduction(+ : total)") for (int64_t at = 0; at < n; at += SPAN)
	{
		int64_t until = cpu_min(n, at + SPAN);
		T sum = 0;
		_Pragma("omp simd reduction(+ : sum)") for (int64_t i = at; i < until; i++)
		    sum += x[i] * y[i];
		total += (double)sum;
	}
	if (op->out[0]->dtype == BACKEND_FLOAT64)
		*cpu_f64(op->out[0]) = total;
	else
		*cpu_f32(op->out[0]) = (float)total;
}

/* Enough chains in parallel to hide the latency of one, all in registers. */
enum { T_(CHAINS) = 12 };

static void T_(fused_block)(T *to, const T *from, T alpha, T beta, int64_t repeat)
{
	T_(vector) x[T_(CHAINS)];
	T_(vector) a = alpha - (T_(vector)){ 0 }, b = beta - (T_(vector)){ 0 };
	memcpy(x, from, sizeof(x));
	for (int64_t r = 0; r < repeat; r++) {
		_Pragma("GCC unroll 12") for (int j = 0; j < T_(CHAINS); j++) x[j] =
		    FUSED(x[j], a, b);
	}
	memcpy(to, x, sizeof(x));
}

static void T_(fused)(struct backend_session *s, const struct backend_op *op)
{
	enum { BLOCK = T_(CHAINS) * T_(LANES) };
	int64_t n = cpu_count(op->out[0]), repeat = op->p.stream.repeat;
	T *to = TENSOR(op->out[0]);
	const T *from = TENSOR(op->in[0]);
	T alpha = (T)op->p.stream.alpha, beta = (T)op->p.stream.beta;
	PARALLEL_FOR(s, n / 4 * repeat)
	for (int64_t at = 0; at < n; at += BLOCK) {
		T rest[BLOCK] = { 0 };
		size_t bytes = (size_t)cpu_min(BLOCK, n - at) * sizeof(T);
		if (bytes == sizeof(rest)) {
			T_(fused_block)(to + at, from + at, alpha, beta, repeat);
			continue;
		}
		memcpy(rest, from + at, bytes);
		T_(fused_block)(rest, rest, alpha, beta, repeat);
		memcpy(to + at, rest, bytes);
	}
}

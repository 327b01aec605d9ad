/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams over n numbers of 16 bits, which are converted in registers: the first cache has
 * too few bytes for copies in float32, and the second one is slower than memory is for 16
 * bits. A part of cpu_kernels.h.
 */

/* Stores a vector past the caches. */
#if ISA_BITS == 512
#define STORE_HALF_PAST(to, vector) \
	_mm256_stream_si256((__m256i *)(void *)(to), (__m256i)(vector))
#elif ISA_BITS == 256
#define STORE_HALF_PAST(to, vector) \
	_mm_stream_si128((__m128i *)(void *)(to), (__m128i)(vector))
#else
#define STORE_HALF_PAST(to, vector) memcpy(to, &(vector), sizeof(vector))
#endif

typedef void half_stream_part(
    uint16_t *to, const uint16_t *x, const uint16_t *y, float alpha, int64_t n, bool past);

static void half_stream(struct backend_session *s, const struct backend_op *op,
    const struct backend_tensor *y, double factor, half_stream_part *part)
{
	int64_t n = cpu_count(op->out[0]);
	uint16_t *to = cpu_u16(op->out[0]);
	const uint16_t *from = cpu_u16(op->in[0]), *more = cpu_u16(y);
	float alpha = (float)factor;
	bool past = STORES_PAST && (size_t)n * sizeof(*to) >= PAST_CACHES_BYTES;
	PARALLEL_FOR(s, n / 4)
	for (int64_t at = 0; at < n; at += STREAM_SPAN)
		part(to + at, from + at, more + at, alpha, cpu_min(STREAM_SPAN, n - at),
		    past);
	if (past)
		STORE_FENCE();
}

/* Defines a part of a stream, to = element of x, y and alpha, for n numbers of type H. */
#define HALF_STREAM_PART(H, name, element)                                                 \
	static void H##_##name(uint16_t *to, const uint16_t *x, const uint16_t *y,         \
	    float alpha, int64_t n, bool past)                                             \
	{                                                                                  \
		int64_t i = 0;                                                             \
		(void)y;                                                                   \
		for (; past && i < n && (uintptr_t)(to + i) % sizeof(vector_u16); i++)     \
			to[i] = H##_of(element(H##_value(x[i]), H##_value(y[i])));         \
		for (; past && i + LANES_f32 <= n; i += LANES_f32) {                       \
			vector_u16 half;                                                   \
			H##_store(                                                         \
			    (uint16_t *)&half, element(H##_load(x + i), H##_load(y + i))); \
			STORE_HALF_PAST(to + i, half);                                     \
		}                                                                          \
		for (; i + LANES_f32 <= n; i += LANES_f32)                                 \
			H##_store(to + i, element(H##_load(x + i), H##_load(y + i)));      \
		for (; i < n; i++)                                                         \
			to[i] = H##_of(element(H##_value(x[i]), H##_value(y[i])));         \
	}

#define SCALED(a, b) (alpha * (a))
#define ADDED(a, b) ((a) + alpha * (b))
#define MULTIPLIED(a, b) ((a) * (alpha * (b)))

/* Defines the streams of type H. */
#define HALF_STREAMS(H)                                                                  \
	HALF_STREAM_PART(H, scaled, SCALED)                                              \
	HALF_STREAM_PART(H, added, ADDED)                                                \
	HALF_STREAM_PART(H, multiplied, MULTIPLIED)                                      \
	static void H##_scale(struct backend_session *s, const struct backend_op *op)    \
	{                                                                                \
		half_stream(s, op, op->in[0], op->p.stream.alpha, H##_scaled);           \
	}                                                                                \
	static void H##_triad(struct backend_session *s, const struct backend_op *op)    \
	{                                                                                \
		half_stream(s, op, op->in[1], op->p.stream.alpha, H##_added);            \
	}                                                                                \
	static void H##_axpy(struct backend_session *s, const struct backend_op *op)     \
	{                                                                                \
		int64_t n = cpu_count(op->out[0]);                                       \
		uint16_t *to = cpu_u16(op->out[0]);                                      \
		const uint16_t *x = cpu_u16(op->in[0]);                                  \
		float alpha = (float)op->p.stream.alpha;                                 \
		PARALLEL_FOR(s, n / 4)                                                   \
		for (int64_t at = 0; at < n; at += STREAM_SPAN)                          \
			H##_added(to + at, to + at, x + at, alpha,                       \
			    cpu_min(STREAM_SPAN, n - at), false);                        \
	}                                                                                \
	static void H##_binary(struct backend_session *s, const struct backend_op *op)   \
	{                                                                                \
		half_stream(s, op, op->in[1], op->p.element.alpha,                       \
		    op->p.element.multiply ? H##_multiplied : H##_added);                \
	}                                                                                \
	/* Returns the product of n numbers. */                                          \
	static float H##_product(const uint16_t *x, const uint16_t *y, int64_t n)        \
	{                                                                                \
		vector_f32 sum[4] = { 0 };                                               \
		float rest = 0;                                                          \
		int64_t i = 0;                                                           \
		for (; i + 4 * LANES_f32 <= n; i += 4 * LANES_f32) {                     \
			_Pragma("GCC unroll 4") for (int j = 0; j < 4; j++) sum[j] +=    \
			    H##_load(x + i + j * LANES_f32) *                            \
			    H##_load(y + i + j * LANES_f32);                             \
		}                                                                        \
		for (; i < n; i++)                                                       \
			rest += H##_value(x[i]) * H##_value(y[i]);                       \
		return rest + lanes_sum_f32((sum[0] + sum[1]) + (sum[2] + sum[3]));      \
	}                                                                                \
	static void H##_dot(struct backend_session *s, const struct backend_op *op)      \
	{                                                                                \
		int64_t n = cpu_count(op->in[0]);                                        \
		const uint16_t *x = cpu_u16(op->in[0]), *y = cpu_u16(op->in[1]);         \
		double total = 0;                                                        \
		_Pragma("omp parallel for num_threads(cpu_team(s, n / 4)) \
			schedule(static) reduction(+ : total)") for (int64_t at = 0;     \
		                                                     at < n; at += SPAN) \
		    total += (double)H##_product(x + at, y + at, cpu_min(SPAN, n - at)); \
		if (op->out[0]->dtype == BACKEND_FLOAT64)                                \
			*cpu_f64(op->out[0]) = total;                                    \
		else                                                                     \
			*cpu_f32(op->out[0]) = (float)total;                             \
	}
HALF_STREAMS(float16)
HALF_STREAMS(bfloat16)
#undef SCALED
#undef ADDED
#undef MULTIPLIED

/* The streams of type H, by kind. */
#define HALF_STREAMS_RUN(H)                                               \
	{                                                                 \
		[BACKEND_SCALE] = H##_scale, [BACKEND_TRIAD] = H##_triad, \
		[BACKEND_AXPY] = H##_axpy, [BACKEND_DOT] = H##_dot,       \
		[BACKEND_BINARY] = H##_binary,                            \
	}

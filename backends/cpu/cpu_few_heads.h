/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two products of attention with a few queries. All heads are computed together, so
 * that keys and values are read once, in the order of memory. A part of cpu_kernels.h.
 */

enum {
	SCORE_KEYS = 4,  /* keys whose scores are computed together */
	SCORE_AHEAD = 8, /* keys by which reading runs ahead there */
	MIX_KEYS = 8,    /* keys whose values are added at once, */
	MIX_ROWS = 4,    /* to rows that share them */
	MIX_VECTORS = 4, /* vectors of a single row that are added at once */
	MIX_AHEAD = 16   /* keys by which reading runs ahead there */
};

#if ISA_BITS >= 256
/* Stores the sums of the lanes of four vectors, multiplied by a number. */
static inline void lanes_sums_f32(const vector_f32 x[SCORE_KEYS], float alpha, float *to)
{
	__m256 part[SCORE_KEYS];
	for (int i = 0; i < SCORE_KEYS; i++) {
#if ISA_BITS == 512
		part[i] = _mm256_add_ps(_mm512_castps512_ps256((__m512)x[i]),
		    _mm256_castpd_ps(_mm512_extractf64x4_pd((__m512d)x[i], 1)));
#else
		part[i] = (__m256)x[i];
#endif
	}
	__m256 ab = _mm256_add_ps(
	    _mm256_unpacklo_ps(part[0], part[1]), _mm256_unpackhi_ps(part[0], part[1]));
	__m256 cd = _mm256_add_ps(
	    _mm256_unpacklo_ps(part[2], part[3]), _mm256_unpackhi_ps(part[2], part[3]));
	__m256 all =
	    _mm256_add_ps(_mm256_shuffle_ps(ab, cd, 0x44), _mm256_shuffle_ps(ab, cd, 0xee));
	__m128 sum = _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1));
	_mm_storeu_ps(to, _mm_mul_ps(sum, _mm_set1_ps(alpha)));
}
#else
static inline void lanes_sums_f32(const vector_f32 x[SCORE_KEYS], float alpha, float *to)
{
	for (int i = 0; i < SCORE_KEYS; i++)
		to[i] = alpha * lanes_sum_f32(x[i]);
}
#endif

static inline void lanes_sums_f64(const vector_f64 x[SCORE_KEYS], double alpha, double *to)
{
	for (int i = 0; i < SCORE_KEYS; i++)
		to[i] = alpha * lanes_sum_f64(x[i]);
}

/* Defines name_scores(), which computes the scores of all keys, before the softmax, and
 * name_mix(), which adds all values, weighted by the scores, to rows that begin as zeros.
 * Keys and values have the type B, of whose elements convert##_load() and
 * convert##_value() make vectors and numbers of T. FEW_PRODUCT defines name_row(). */
#define FEW_HEADS(name, T, suffix, B, convert)                                             \
	/* Computes the scores of key j and a head, before the softmax. */                 \
	static inline __attribute__((always_inline)) void name##_score(                    \
	    const struct cpu_few_heads *p, const B *k, int64_t h, int64_t j)               \
	{                                                                                  \
		struct cpu_few f = { .k = p->d,                                            \
			.a = (const T *)p->q + h * p->q_head,                              \
			.lda = p->q_row,                                                   \
			.b = k,                                                            \
			.ldb = p->k_row,                                                   \
			.c = (T *)p->scores + h * p->rows * p->scores_row,                 \
			.ldc = p->scores_row,                                              \
			.alpha = p->scale };                                               \
		int64_t i = 0;                                                             \
		for (; i + FEW_TOGETHER <= p->rows; i += FEW_TOGETHER)                     \
			name##_row(&f, i, j, FEW_TOGETHER);                                \
		for (; i < p->rows; i++)                                                   \
			name##_row(&f, i, j, 1);                                           \
	}                                                                                  \
	/* Computes the scores of SCORE_KEYS keys and `rows` rows, a constant number,      \
	 * before the softmax. */                                                          \
	static inline __attribute__((always_inline)) void name##_score_rows(               \
	    const struct cpu_few_heads *p, const B *k, int64_t h, int64_t i, int64_t j,    \
	    int rows)                                                                      \
	{                                                                                  \
		enum { LANES = sizeof(vector_##suffix) / sizeof(T) };                      \
		vector_##suffix sum[2][SCORE_KEYS] = { 0 };                                \
		const T *q = (const T *)p->q + h * p->q_head + i * p->q_row;               \
		T *to = (T *)p->scores + (h * p->rows + i) * p->scores_row + j;            \
		int64_t l = 0;                                                             \
		for (; l + LANES <= p->d; l += LANES) {                                    \
			_Pragma("GCC unroll 4") for (int n = 0; n < SCORE_KEYS; n++)       \
			{                                                                  \
				__builtin_prefetch(k + (n + SCORE_AHEAD) * p->k_row + l);  \
				vector_##suffix y = convert##_load(k + n * p->k_row + l);  \
				_Pragma("GCC unroll 2") for (int r = 0; r < rows; r++)     \
				    sum[r][n] +=                                           \
				    *(const vector_##suffix *)(q + r * p->q_row + l) * y;  \
			}                                                                  \
		}                                                                          \
		_Pragma("GCC unroll 2") for (int r = 0; r < rows; r++)                     \
		{                                                                          \
			lanes_sums_##suffix(sum[r], (T)p->scale, to + r * p->scores_row);  \
			for (int n = 0; n < SCORE_KEYS && l < p->d; n++)                   \
				to[r * p->scores_row + n] +=                               \
				    (T)p->scale * name##_rest(q + r * p->q_row + l,        \
				                      k + n * p->k_row + l, p->d - l);     \
		}                                                                          \
	}                                                                                  \
	/* Computes the scores of SCORE_KEYS keys and a head. */                           \
	static void name##_score_head(                                                     \
	    const struct cpu_few_heads *p, const B *k, int64_t h, int64_t j)               \
	{                                                                                  \
		int64_t i = 0;                                                             \
		for (; i + 2 <= p->rows; i += 2)                                           \
			name##_score_rows(p, k, h, i, j, 2);                               \
		if (i < p->rows)                                                           \
			name##_score_rows(p, k, h, i, j, 1);                               \
	}                                                                                  \
	static void name##_scores(const struct cpu_few_heads *p)                           \
	{                                                                                  \
		int64_t heads = p->kv_heads * p->share, j = 0;                             \
		for (; j + SCORE_KEYS <= p->keys; j += SCORE_KEYS)                         \
			for (int64_t h = 0; h < heads; h++)                                \
				name##_score_head(p,                                       \
				    (const B *)p->k + h / p->share * p->d + j * p->k_row,  \
				    h, j);                                                 \
		for (; j < p->keys; j++)                                                   \
			for (int64_t h = 0; h < heads; h++)                                \
				name##_score(                                              \
				    p, (const B *)p->k + h / p->share * p->d, h, j);       \
	}                                                                                  \
	/* Adds `keys` values of a head with their weights to columns [at, at + columns)   \
	 * of a row; `vectors` is a constant. */                                           \
	static inline __attribute__((always_inline)) void name##_mix_part(                 \
	    T *out, const T *weight, const B *v, int64_t v_row, int64_t keys, int vectors) \
	{                                                                                  \
		enum { LANES = sizeof(vector_##suffix) / sizeof(T) };                      \
		vector_##suffix sum[MIX_VECTORS];                                          \
		_Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) sum[i] =         \
		    *(const vector_##suffix *)(out + i * LANES);                           \
		for (int64_t j = 0; j < keys; j++) {                                       \
			const B *row = v + j * v_row;                                      \
			_Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++)          \
			{                                                                  \
				__builtin_prefetch(row + MIX_AHEAD * v_row + i * LANES);   \
				sum[i] += weight[j] * convert##_load(row + i * LANES);     \
			}                                                                  \
		}                                                                          \
		_Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) *                \
		    (vector_##suffix *)(out + i * LANES) = sum[i];                         \
	}                                                                                  \
	static void name##_mix_head(                                                       \
	    T *out, const T *weight, const B *v, int64_t v_row, int64_t keys, int64_t dv)  \
	{                                                                                  \
		enum { LANES = sizeof(vector_##suffix) / sizeof(T) };                      \
		int64_t at = 0;                                                            \
		for (; at + MIX_VECTORS * LANES <= dv; at += MIX_VECTORS * LANES)          \
			name##_mix_part(                                                   \
			    out + at, weight, v + at, v_row, keys, MIX_VECTORS);           \
		for (; at + LANES <= dv; at += LANES)                                      \
			name##_mix_part(out + at, weight, v + at, v_row, keys, 1);         \
		for (; at < dv; at++)                                                      \
			for (int64_t j = 0; j < keys; j++)                                 \
				out[at] += weight[j] * convert##_value(v[j * v_row + at]); \
	}                                                                                  \
	/* Adds `keys` values of a head with their weights to two vectors of each of       \
	 * `rows` rows, a constant number. */                                              \
	static inline __attribute__((always_inline)) void name##_mix_block(T *out,         \
	    int64_t out_row, const T *weight, int64_t weight_row, const B *v,              \
	    int64_t v_row, int64_t keys, int rows)                                         \
	{                                                                                  \
		enum { LANES = sizeof(vector_##suffix) / sizeof(T) };                      \
		vector_##suffix sum[MIX_ROWS][2];                                          \
		_Pragma("GCC unroll 4") for (int r = 0; r < rows; r++)                     \
		    _Pragma("GCC unroll 2") for (int i = 0; i < 2; i++) sum[r][i] =        \
		        *(const vector_##suffix *)(out + r * out_row + i * LANES);         \
		for (int64_t j = 0; j < keys; j++) {                                       \
			const B *row = v + j * v_row;                                      \
			for (size_t at = 0; at < 2 * LANES * sizeof(B); at += 64)          \
				__builtin_prefetch(                                        \
				    (const char *)(row + MIX_AHEAD * v_row) + at);         \
			_Pragma("GCC unroll 2") for (int i = 0; i < 2; i++)                \
			{                                                                  \
				vector_##suffix y = convert##_load(row + i * LANES);       \
				_Pragma("GCC unroll 4") for (int r = 0; r < rows; r++)     \
				    sum[r][i] += weight[r * weight_row + j] * y;           \
			}                                                                  \
		}                                                                          \
		_Pragma("GCC unroll 4") for (int r = 0; r < rows; r++)                     \
		        _Pragma("GCC unroll 2") for (int i = 0; i < 2; i++) *              \
		    (vector_##suffix *)(out + r * out_row + i * LANES) = sum[r][i];        \
	}                                                                                  \
	/* Adds values to rows [i, i + rows) of a head; `rows` is a constant. */           \
	static inline __attribute__((always_inline)) void name##_mix_together(             \
	    const struct cpu_few_heads *p, const B *v, int64_t h, int64_t i, int64_t j,    \
	    int64_t keys, int rows)                                                        \
	{                                                                                  \
		enum { WIDE = 2 * sizeof(vector_##suffix) / sizeof(T) };                   \
		const T *weight =                                                          \
		    (const T *)p->scores + (h * p->rows + i) * p->scores_row + j;          \
		T *out = (T *)p->out + h * p->out_head + i * p->out_row;                   \
		int64_t at = 0;                                                            \
		for (; at + WIDE <= p->dv; at += WIDE)                                     \
			name##_mix_block(out + at, p->out_row, weight, p->scores_row,      \
			    v + at, p->v_row, keys, rows);                                 \
		for (int r = 0; r < rows && at < p->dv; r++)                               \
			name##_mix_head(out + r * p->out_row + at,                         \
			    weight + r * p->scores_row, v + at, p->v_row, keys,            \
			    p->dv - at);                                                   \
	}                                                                                  \
	/* Adds the values of keys [j, j + MIX_KEYS) to the rows of a head. */             \
	static void name##_mix_rows(                                                       \
	    const struct cpu_few_heads *p, const B *v, int64_t h, int64_t j)               \
	{                                                                                  \
		int64_t keys = cpu_min(MIX_KEYS, cpu_few_seen(p, 0) - j), i = 0;           \
		bool alike = keys == MIX_KEYS || p->seen_more == 0;                        \
		for (; alike && i + MIX_ROWS <= p->rows; i += MIX_ROWS)                    \
			name##_mix_together(p, v, h, i, j, keys, MIX_ROWS);                \
		for (; alike && i + 2 <= p->rows; i += 2)                                  \
			name##_mix_together(p, v, h, i, j, keys, 2);                       \
		for (; i < p->rows; i++)                                                   \
			name##_mix_head((T *)p->out + h * p->out_head + i * p->out_row,    \
			    (const T *)p->scores + (h * p->rows + i) * p->scores_row + j,  \
			    v, p->v_row, cpu_min(MIX_KEYS, cpu_few_seen(p, i) - j),        \
			    p->dv);                                                        \
	}                                                                                  \
	static void name##_mix(const struct cpu_few_heads *p)                              \
	{                                                                                  \
		for (int64_t j = 0; j < p->keys; j += MIX_KEYS)                            \
			for (int64_t g = 0; g < p->kv_heads; g++)                          \
				for (int64_t h = g * p->share; h < (g + 1) * p->share;     \
				    h++)                                                   \
					name##_mix_rows(p,                                 \
					    (const B *)p->v + g * p->dv + j * p->v_row, h, \
					    j);                                            \
	}

FEW_HEADS(few_f32, float, f32, float, f32)
FEW_HEADS(few_f64, double, f64, double, f64)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two products of attention with a few queries. All heads are computed together, so
 * that keys and values are read once, in the order of memory. A part of cpu_kernels.h.
 */

/* The keys whose values are added at once, the vectors of their sums, and the keys by which
 * reading runs ahead. */
enum { MIX_KEYS = 8, MIX_VECTORS = 4, MIX_AHEAD = 16 };

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
	static void name##_scores(const struct cpu_few_heads *p)                           \
	{                                                                                  \
		for (int64_t j = 0; j < p->keys; j++)                                      \
			for (int64_t g = 0; g < p->kv_heads; g++)                          \
				for (int64_t h = g * p->share; h < (g + 1) * p->share;     \
				     h++)                                                  \
					name##_score(p, (const B *)p->k + g * p->d, h, j); \
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
	/* Adds the values of keys [j, j + MIX_KEYS) to the rows of a head. */             \
	static void name##_mix_rows(                                                       \
	    const struct cpu_few_heads *p, const B *v, int64_t h, int64_t j)               \
	{                                                                                  \
		for (int64_t i = 0; i < p->rows; i++) {                                    \
			const T *weight =                                                  \
			    (const T *)p->scores + (h * p->rows + i) * p->scores_row + j;  \
			int64_t seen = cpu_few_seen(p, i) - j;                             \
			name##_mix_head((T *)p->out + h * p->out_head + i * p->out_row,    \
			    weight, v, p->v_row, cpu_min(MIX_KEYS, seen), p->dv);          \
		}                                                                          \
	}                                                                                  \
	static void name##_mix(const struct cpu_few_heads *p)                              \
	{                                                                                  \
		for (int64_t j = 0; j < p->keys; j += MIX_KEYS)                            \
			for (int64_t g = 0; g < p->kv_heads; g++)                          \
				for (int64_t h = g * p->share; h < (g + 1) * p->share;     \
				     h++)                                                  \
					name##_mix_rows(p,                                 \
					    (const B *)p->v + g * p->dv + j * p->v_row, h, \
					    j);                                            \
	}

FEW_HEADS(few_f32, float, f32, float, f32)
FEW_HEADS(few_f64, double, f64, double, f64)

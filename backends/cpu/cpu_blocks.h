/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the maxima of windows of planes whose channels are in blocks (cpu_dnn.c).
 * oneDNN's are not used, because they lose NaN. A part of cpu_kernels.h.
 */

static inline void f32_store(float *to, vector_f32 x)
{
	*(vector_f32 *)to = x;
}

/*
 * A maximum of lanes: that of the numbers, and which lanes had NaN. These are apart, so
 * that each number waits only for one instruction on the previous one.
 */
#if ISA_BITS == 512
struct lanes_maximum {
	__m512 largest;
	__mmask16 nan;
};

static inline void lanes_maximum_add(struct lanes_maximum *m, vector_f32 x)
{
	m->largest = _mm512_max_ps((__m512)x, m->largest);
	m->nan |= _mm512_cmp_ps_mask((__m512)x, (__m512)x, _CMP_UNORD_Q);
}

static inline vector_f32 lanes_maximum_of(const struct lanes_maximum *m)
{
	return (vector_f32)_mm512_mask_mov_ps(m->largest, m->nan, _mm512_set1_ps(NAN));
}
#else
struct lanes_maximum {
	vector_f32 largest;
	vector_u32 nan;
};

static inline void lanes_maximum_add(struct lanes_maximum *m, vector_f32 x)
{
	vector_u32 larger = (vector_u32)(x > m->largest);
	m->largest =
	    (vector_f32)((larger & (vector_u32)x) | (~larger & (vector_u32)m->largest));
	m->nan |= (vector_u32)(x != x);
}

static inline vector_f32 lanes_maximum_of(const struct lanes_maximum *m)
{
	return (vector_f32)(m->nan | (vector_u32)m->largest);
}
#endif

/* Defines name(), the pooling of tensors of type B, of whose elements convert##_load() and
 * convert##_store() make vectors. The threads share the rows of results. */
#define POOL_BLOCKS(name, B, first, convert)                                             \
	static inline __attribute__((always_inline)) vector_f32 name##_window(           \
	    const B *x, int64_t row, int64_t rows, int64_t count, int64_t block)         \
	{                                                                                \
		struct lanes_maximum m = { .largest = -INFINITY - (vector_f32){ 0 } };   \
		for (int64_t y = 0; y < rows; y++)                                       \
			for (int64_t i = 0; i < count; i++)                              \
				lanes_maximum_add(                                       \
				    &m, convert##_load(x + y * row + i * block));        \
		return lanes_maximum_of(&m);                                             \
	}                                                                                \
	static void name(                                                                \
	    struct backend_session *s, const struct backend_op *op, int64_t block)       \
	{                                                                                \
		const struct backend_tensor *in = op->in[0], *out = op->out[0];          \
		const int64_t *kernel = op->p.pool.kernel, *step = op->p.pool.stride;    \
		const int64_t *before = op->p.pool.before;                               \
		int64_t height = in->size[2], width = in->size[3];                       \
		int64_t to_height = out->size[2], to_width = out->size[3];               \
		int64_t blocks = out->size[0] * out->size[1] / block;                    \
		PARALLEL_FOR(s, cpu_count(out) * kernel[0] * kernel[1] / LANES_f32)      \
		for (int64_t r = 0; r < blocks * to_height; r++) {                       \
			int64_t top = r % to_height * step[0] - before[0];               \
			int64_t y = cpu_max(0, top), row = width * block;                \
			int64_t rows = cpu_min(height, top + kernel[0]) - y;             \
			const B *x = first(in) + (r / to_height * height + y) * row;     \
			B *to = first(out) + r * to_width * block;                       \
			for (int64_t i = 0; i < to_width; i++) {                         \
				int64_t left = i * step[1] - before[1];                  \
				int64_t at = cpu_max(0, left);                           \
				int64_t count = cpu_min(width, left + kernel[1]) - at;   \
				for (int64_t c = 0; c < block; c += LANES_f32)           \
					convert##_store(to + i * block + c,              \
					    name##_window(x + at * block + c, row, rows, \
					        count, block));                          \
			}                                                                \
		}                                                                        \
	}
POOL_BLOCKS(pool_blocks_f32, float, cpu_f32, f32)
POOL_BLOCKS(pool_blocks_bfloat16, uint16_t, cpu_u16, bfloat16)
#undef POOL_BLOCKS

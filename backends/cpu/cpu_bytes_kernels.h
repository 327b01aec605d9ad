/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes on results of ROUND that are kept as bytes (cpu_bytes.h). The compiler
 * vectorizes these loops. A part of cpu_kernels.h.
 */

static inline uint8_t byte_larger(uint8_t x, uint8_t than)
{
	return x > than ? x : than;
}

/* Extends n maxima to x[0], x[step] ... */
static inline __attribute__((always_inline)) void bytes_extend(
    uint8_t *restrict to, const uint8_t *restrict x, int64_t step, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		to[i] = byte_larger(x[i * step], to[i]);
}

/* Returns the larger bytes. */
static inline bytes_16 bytes_larger(bytes_16 x, bytes_16 y)
{
	const bytes_16 larger = (bytes_16)(x > y);
	return (x & larger) | (y & ~larger);
}

/* Extends n maxima to a row. */
static inline void bytes_extend_row(uint8_t *to, const uint8_t *x, int64_t n)
{
	int64_t i = 0;
	for (; i + 16 <= n; i += 16)
		*(bytes_16 *)(to + i) =
		    bytes_larger(*(const bytes_16 *)(to + i), *(const bytes_16 *)(x + i));
	for (; i < n; i++)
		to[i] = byte_larger(x[i], to[i]);
}

/* The bytes of two vectors with even numbers, from 0, or odd numbers, from 1. */
#define EACH_SECOND(a, b, from)                                                          \
	__builtin_shufflevector(a, b, from, (from) + 2, (from) + 4, (from) + 6,          \
	    (from) + 8, (from) + 10, (from) + 12, (from) + 14, (from) + 16, (from) + 18, \
	    (from) + 20, (from) + 22, (from) + 24, (from) + 26, (from) + 28, (from) + 30)

static void bytes_split_pairs(const struct cpu_split *p)
{
	const uint8_t *x = p->x;
	uint8_t *even = p->even, *odd = p->odd;
	for (int64_t line = 0; line < p->lines;
	    line++, x += p->apart, even += p->pitch, odd += p->pitch)
		for (int64_t i = 0; i < p->n; i += 32) {
			const bytes_16 a = *(const bytes_16 *)(x + i),
			               b = *(const bytes_16 *)(x + i + 16);
			*(bytes_16 *)(even + i / 2) = EACH_SECOND(a, b, 0);
			*(bytes_16 *)(odd + i / 2) = EACH_SECOND(a, b, 1);
		}
}

/* Computes the maxima of n pairs. */
static void bytes_pool_pairs(uint8_t *to, const uint8_t *x, int64_t n)
{
	int64_t i = 0;
	for (; i + 16 <= n; i += 16) {
		const bytes_16 a = *(const bytes_16 *)(x + 2 * i),
		               b = *(const bytes_16 *)(x + 2 * i + 16);
		*(bytes_16 *)(to + i) =
		    bytes_larger(EACH_SECOND(a, b, 0), EACH_SECOND(a, b, 1));
	}
	for (; i < n; i++)
		to[i] = byte_larger(x[2 * i], x[2 * i + 1]);
}
#undef EACH_SECOND

/* Computes a row of maxima from `rows` rows: those of each column, then those of the
 * columns of each window. */
static void bytes_pool_row(
    uint8_t *to, const uint8_t *x, int64_t rows, const struct cpu_pool_bytes *p)
{
	const int64_t n = p->to_width, step = p->stride[1], before = p->before[1];
	uint8_t column[CPU_POOL_WIDTH_MOST];
	memcpy(column, x, (size_t)p->width);
	for (int64_t r = 1; r < rows; r++)
		bytes_extend_row(column, x + r * p->width, p->width);
	if (p->kernel[1] == 2 && step == 2 && before == 0 && 2 * n <= p->width) {
		bytes_pool_pairs(to, column, n);
		return;
	}
	memset(to, 0, (size_t)n);
	for (int64_t k = 0; k < p->kernel[1]; k++) {
		/* Window j has its column k here if 0 <= j step + k - before < width. */
		const int64_t first = cpu_max(0, before - k + step - 1) / step;
		const int64_t last =
		    cpu_min(n, cpu_max(0, p->width + before - k + step - 1) / step);
		if (first >= last)
			continue;
		const uint8_t *begin = column + first * step + k - before;
		if (step == 1)
			bytes_extend_row(to + first, begin, last - first);
		else if (step == 2)
			bytes_extend(to + first, begin, 2, last - first);
		else
			bytes_extend(to + first, begin, step, last - first);
	}
}

static void bytes_pool(uint8_t *out, const uint8_t *x, const struct cpu_pool_bytes *p)
{
	for (int64_t r = 0; r < p->to_height; r++) {
		const int64_t top = r * p->stride[0] - p->before[0], from = cpu_max(0, top),
		              until = cpu_min(p->height, top + p->kernel[0]);
		bytes_pool_row(out + r * p->to_width, x + from * p->width, until - from, p);
	}
}

/* Vectors of bytes whose sums fit in 16 bits for each pair. */
enum { ADDED_MOST = UINT16_MAX / (2 * UINT8_MAX) };

static int64_t bytes_add(const uint8_t *x, int64_t n)
{
	int64_t sum = 0;
	while (n >= 16) {
		pairs_8 pairs = { 0 };
		for (int i = 0; i < ADDED_MOST && n >= 16; i++, x += 16, n -= 16) {
			const pairs_8 both = (pairs_8) * (const bytes_16 *)x;
			pairs += (both & UINT8_MAX) + (both >> 8);
		}
		for (int i = 0; i < 8; i++)
			sum += pairs[i];
	}
	for (int64_t i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

static void bytes_sum(uint8_t *restrict out, int64_t n, const struct cpu_sum_bytes *f)
{
	/* The sum of this number and a small one ends in the rounded one. */
	const float whole = 12582912;
	const float low = (float)f->low, high = (float)f->high, a = f->by[0], b = f->by[1],
	            bias = f->bias;
	const uint8_t *x = f->x[0], *y = f->x[1];
	const int32_t base = f->base;
	for (int64_t i = 0; i < n; i++) {
		float sum = a * (float)x[i] + (b * (float)y[i] + bias);
		sum = sum < low ? low : sum;
		sum = sum > high ? high : sum;
		sum += whole;
		int32_t bits;
		memcpy(&bits, &sum, sizeof(bits));
		out[i] = (uint8_t)(bits - base);
	}
}

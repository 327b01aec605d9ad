/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Follows device.h: the functions of kernels/prelude.cu that contain assembler, which
 * convert numbers of 16 bits, use the tensor cores and copy to shared memory.
 */
/* Numbers of 16 bits. */
static inline float half_to_float(unsigned short x)
{
	return (float)fake_bits<_Float16>(x);
}
static inline unsigned short float_to_half(float x)
{
	return fake_bits<unsigned short>((_Float16)x);
}
static inline float fake_from_bfloat16(unsigned short x)
{
	return __uint_as_float((unsigned)x << 16);
}
static inline unsigned short fake_to_bfloat16(float x)
{
	const unsigned bits = __float_as_uint(x);

	if ((bits & 0x7fffffffu) > 0x7f800000u)
		return (unsigned short)(bits >> 16 | 0x40u);
	return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
static inline unsigned pair_float16(float low, float high)
{
	return float_to_half(low) | (unsigned)float_to_half(high) << 16;
}
static inline unsigned pair_bfloat16(float low, float high)
{
	return fake_to_bfloat16(low) | (unsigned)fake_to_bfloat16(high) << 16;
}
static inline float fast_exp2(float x)
{
	return exp2(x);
}
static inline float lane_exchange(float x, int by)
{
	return __shfl_xor_sync(0xffffffffu, x, by);
}

/* The tensor cores: mma.m16n8k16, whose fragments PTX defines. Sums are in double. */
struct fake_fragments {
	float a[4][2], b[2][2];
};
template <typename Convert>
static inline void fake_multiply(
    float *c, const unsigned *a, const unsigned *b, Convert convert)
{
	const int lane = fake_lane();
	fake_fragments mine;

	for (int e = 0; e < 4; e++)
		for (int half = 0; half < 2; half++)
			mine.a[e][half] = convert((unsigned short)(a[e] >> half * 16));
	for (int e = 0; e < 2; e++)
		for (int half = 0; half < 2; half++)
			mine.b[e][half] = convert((unsigned short)(b[e] >> half * 16));
	const fake_given<fake_fragments> all = fake_give(mine);

	for (int e = 0; e < 4; e++) {
		const int row = lane / 4 + e / 2 * 8, column = lane % 4 * 2 + e % 2;
		double sum = c[e];

		for (int k = 0; k < 16; k++)
			sum += (double)all[row % 8 * 4 + k % 8 / 2]
			           .a[row / 8 + k / 8 * 2][k % 2] *
			       all[column * 4 + k % 8 / 2].b[k / 8][k % 2];
		c[e] = (float)sum;
	}
}
static inline void multiply_float16(float *c, const unsigned *a, const unsigned *b)
{
	fake_multiply(c, a, b, half_to_float);
}
static inline void multiply_bfloat16(float *c, const unsigned *a, const unsigned *b)
{
	fake_multiply(c, a, b, fake_from_bfloat16);
}
/* ldmatrix: lane i gives the address of row i % 8 of matrix i / 8. */
static inline void load_matrices(unsigned *x, const void *row)
{
	const int lane = fake_lane();
	const fake_given<const void *> rows = fake_give(row);

	for (int m = 0; m < 4; m++)
		__builtin_memcpy(&x[m], (const char *)rows[m * 8 + lane / 4] + lane % 4 * 4,
		    sizeof(x[m]));
}
static inline void load_matrices_transposed(unsigned *x, const void *row)
{
	const int lane = fake_lane();
	const fake_given<const void *> rows = fake_give(row);

	for (int m = 0; m < 4; m++) {
		const unsigned low =
		    ((const unsigned short *)rows[m * 8 + lane % 4 * 2])[lane / 4];
		const unsigned high =
		    ((const unsigned short *)rows[m * 8 + lane % 4 * 2 + 1])[lane / 4];

		x[m] = low | high << 16;
	}
}

/* Asynchronous copies take place when a thread waits for them, so that a missing wait
 * shows. */
enum { FAKE_COPIES = 128 };
static struct fake_copy {
	void *to;
	const void *from;
	int valid, commit;
} fake_copies[1024][FAKE_COPIES];
static int fake_copy_count[1024], fake_commits[1024];
static inline void fake_copies_begin(void)
{
	fake_copy_count[fake_thread()] = fake_commits[fake_thread()] = 0;
}
static inline void copy_async_wait(int n)
{
	const unsigned me = fake_thread();
	int left = 0;

	for (int i = 0; i < fake_copy_count[me]; i++) {
		const fake_copy c = fake_copies[me][i];

		if (c.commit >= fake_commits[me] - n)
			fake_copies[me][left++] = c;
		else if (c.valid)
			__builtin_memcpy(c.to, c.from, 16);
		else
			__builtin_memset(c.to, 0, 16);
	}
	fake_copy_count[me] = left;
}
static inline void copy_async(void *to, const void *from, int valid)
{
	const unsigned me = fake_thread();

	if (((size_t)to | (valid ? (size_t)from : 0)) & 15 ||
	    fake_copy_count[me] == FAKE_COPIES)
		__builtin_trap();
	fake_copies[me][fake_copy_count[me]++] = { to, from, valid, fake_commits[me] };
}
static inline void copy_async_commit(void)
{
	fake_commits[fake_thread()]++;
}

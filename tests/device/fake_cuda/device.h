/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Precedes each program that the fake compiler compiles: CUDA C++ for g++. It defines
 * CUDA's built-in names, and the functions of kernels/prelude.cu that contain assembler,
 * which the fake compiler removes. The fake compiler replaces __global__ and __shared__
 * itself. No header is included, so that programs compile fast.
 */
#define __CUDACC_RTC__ 1
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __noinline__
#define __restrict__ __restrict
#define __grid_constant__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

typedef unsigned long size_t;
struct fake_dim {
	unsigned x, y, z;
};
static fake_dim threadIdx, blockIdx, blockDim, gridDim;

/* As in fake.h. */
struct fake_program {
	fake_dim *thread, *block, *block_size, *grid;
	void (*barrier)(void);
	void *(*exchange)(const void *mine, unsigned bytes);
	void *shared;
};
extern "C" {
__attribute__((visibility("default")))
fake_program fake_cuda_program = { &threadIdx, &blockIdx, &blockDim, &gridDim, 0, 0, 0 };
}
#define fake_cuda_shared (fake_cuda_program.shared)

/* Calls a kernel with arguments from an array of their addresses. */
template <int...> struct fake_list {
};
template <typename... A> struct fake_caller {
	static constexpr unsigned sizes[] = { sizeof(A)..., 0 };
	template <int... I>
	static void call(void (*f)(A...), void **argument, fake_list<I...>)
	{
		f(*(A *)argument[I]...);
	}
};
template <typename... A> constexpr unsigned fake_caller<A...>::sizes[];
template <typename... A> static void fake_call(void (*f)(A...), void **argument)
{
	fake_caller<A...>::call(f, argument, fake_list<__integer_pack(sizeof...(A))...>());
}
template <typename... A> static constexpr const unsigned *fake_sizes(void (*)(A...))
{
	return fake_caller<A...>::sizes;
}
/* As in fake.h. The fake compiler defines one for each kernel. */
struct fake_kernel {
	void (*call)(void **argument);
	const unsigned *sizes;
};

/* Vectors. */
#define FAKE_VECTORS(type, name)                                                       \
	struct __attribute__((aligned(2 * sizeof(type)))) name##2                      \
	{                                                                              \
		type x, y;                                                             \
	};                                                                             \
	struct __attribute__((aligned(4 * sizeof(type) > 16 ? 16 : 4 * sizeof(type)))) \
	name##4                                                                        \
	{                                                                              \
		type x, y, z, w;                                                       \
	};                                                                             \
	static inline name##2 make_##name##2(type x, type y)                           \
	{                                                                              \
		return { x, y };                                                       \
	}                                                                              \
	static inline name##4 make_##name##4(type x, type y, type z, type w)           \
	{                                                                              \
		return { x, y, z, w };                                                 \
	}
FAKE_VECTORS(float, float)
FAKE_VECTORS(double, double)
FAKE_VECTORS(int, int)
FAKE_VECTORS(unsigned, uint)
FAKE_VECTORS(short, short)
FAKE_VECTORS(unsigned short, ushort)
FAKE_VECTORS(signed char, char)
FAKE_VECTORS(unsigned char, uchar)

/* Mathematics. */
#define FAKE_MATH_1(name)                      \
	static inline float name(float x)      \
	{                                      \
		return __builtin_##name##f(x); \
	}                                      \
	static inline double name(double x)    \
	{                                      \
		return __builtin_##name(x);    \
	}                                      \
	static inline float name##f(float x)   \
	{                                      \
		return __builtin_##name##f(x); \
	}
#define FAKE_MATH_2(name)                                \
	static inline float name(float x, float y)       \
	{                                                \
		return __builtin_##name##f(x, y);        \
	}                                                \
	static inline double name(double x, double y)    \
	{                                                \
		return __builtin_##name(x, y);           \
	}                                                \
	static inline double name(float x, double y)     \
	{                                                \
		return __builtin_##name(x, y);           \
	}                                                \
	static inline double name(double x, float y)     \
	{                                                \
		return __builtin_##name(x, y);           \
	}                                                \
	static inline float name(int x, float y)         \
	{                                                \
		return __builtin_##name##f((float)x, y); \
	}                                                \
	static inline float name(float x, int y)         \
	{                                                \
		return __builtin_##name##f(x, (float)y); \
	}                                                \
	static inline double name(int x, double y)       \
	{                                                \
		return __builtin_##name(x, y);           \
	}                                                \
	static inline double name(double x, int y)       \
	{                                                \
		return __builtin_##name(x, y);           \
	}                                                \
	static inline float name##f(float x, float y)    \
	{                                                \
		return __builtin_##name##f(x, y);        \
	}
FAKE_MATH_1(exp)
FAKE_MATH_1(exp2)
FAKE_MATH_1(expm1)
FAKE_MATH_1(log)
FAKE_MATH_1(log2)
FAKE_MATH_1(log1p)
FAKE_MATH_1(sin)
FAKE_MATH_1(cos)
FAKE_MATH_1(tanh)
FAKE_MATH_1(erf)
FAKE_MATH_1(sqrt)
FAKE_MATH_1(fabs)
FAKE_MATH_1(rint)
FAKE_MATH_1(floor)
FAKE_MATH_1(ceil)
FAKE_MATH_2(fmin)
FAKE_MATH_2(fmax)
FAKE_MATH_2(pow)
FAKE_MATH_2(fmod)
static inline float fma(float x, float y, float z)
{
	return __builtin_fmaf(x, y, z);
}
static inline double fma(double x, double y, double z)
{
	return __builtin_fma(x, y, z);
}
static inline float fmaf(float x, float y, float z)
{
	return __builtin_fmaf(x, y, z);
}
static inline float rsqrtf(float x)
{
	return 1 / sqrt(x);
}
static inline float rsqrt(float x)
{
	return 1 / sqrt(x);
}
static inline double rsqrt(double x)
{
	return 1 / sqrt(x);
}
#define __expf expf
#define __logf logf
#define __fdividef(x, y) ((x) / (y))
#define __frcp_rn(x) (1 / (x))
#define __fmaf_rn fmaf
static inline int min(int x, int y)
{
	return x < y ? x : y;
}
static inline int max(int x, int y)
{
	return x > y ? x : y;
}
static inline long min(long x, long y)
{
	return x < y ? x : y;
}
static inline long max(long x, long y)
{
	return x > y ? x : y;
}
static inline int __popc(unsigned x)
{
	return __builtin_popcount(x);
}
static inline int __ffs(int x)
{
	return __builtin_ffs(x);
}
static inline int __clz(int x)
{
	return x ? __builtin_clz((unsigned)x) : 32;
}
static inline unsigned __umulhi(unsigned x, unsigned y)
{
	return (unsigned)((unsigned long)x * y >> 32);
}
static inline unsigned long __umul64hi(unsigned long x, unsigned long y)
{
	return (unsigned long)((unsigned __int128)x * y >> 64);
}

/* Bits. */
template <typename To, typename From> static inline To fake_bits(From x)
{
	static_assert(sizeof(To) == sizeof(From), "the sizes differ");
	To y;

	__builtin_memcpy(&y, &x, sizeof(y));
	return y;
}
static inline unsigned __float_as_uint(float x)
{
	return fake_bits<unsigned>(x);
}
static inline int __float_as_int(float x)
{
	return fake_bits<int>(x);
}
static inline float __uint_as_float(unsigned x)
{
	return fake_bits<float>(x);
}
static inline float __int_as_float(int x)
{
	return fake_bits<float>(x);
}
static inline long long __double_as_longlong(double x)
{
	return fake_bits<long long>(x);
}
static inline double __longlong_as_double(long long x)
{
	return fake_bits<double>(x);
}

/* Memory. */
template <typename T> static inline T __ldg(const T *p)
{
	return *p;
}
template <typename T> static inline T __ldcs(const T *p)
{
	return *p;
}
template <typename T> static inline void __stcs(T *p, T x)
{
	*p = x;
}
template <typename T, typename U> static inline T atomicAdd(T *p, U x)
{
	const T old = *p;

	*p = (T)(old + x);
	return old;
}
template <typename T, typename U> static inline T atomicMax(T *p, U x)
{
	const T old = *p;

	if ((T)x > old)
		*p = (T)x;
	return old;
}
static inline void __threadfence(void)
{
}
static inline size_t __cvta_generic_to_shared(const void *p)
{
	return (size_t)p;
}
static inline size_t __cvta_generic_to_global(const void *p)
{
	return (size_t)p;
}

/* Threads. */
static inline unsigned fake_thread(void)
{
	return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
static inline int fake_lane(void)
{
	return (int)(fake_thread() % 32);
}
static inline void __syncthreads(void)
{
	fake_cuda_program.barrier();
}
template <typename T> struct fake_given {
	const char *all;
	const T &operator[](int lane) const
	{
		return *(const T *)(all + lane * 64);
	}
};
template <typename T> static inline fake_given<T> fake_give(const T &mine)
{
	return { (const char *)fake_cuda_program.exchange(&mine, sizeof(mine)) };
}
static inline void __syncwarp(unsigned mask = 0xffffffffu)
{
	(void)mask;
	fake_give(0);
}
template <typename T> static inline T __shfl_sync(unsigned, T x, int lane, int width = 32)
{
	const int me = fake_lane();

	return fake_give(x)[me / width * width + lane % width];
}
template <typename T> static inline T __shfl_xor_sync(unsigned, T x, int by, int width = 32)
{
	const int me = fake_lane(), from = me ^ by;

	return fake_give(x)[from / width == me / width ? from : me];
}
template <typename T>
static inline T __shfl_down_sync(unsigned, T x, int by, int width = 32)
{
	const int me = fake_lane();

	return fake_give(x)[me % width + by < width ? me + by : me];
}
template <typename T> static inline T __shfl_up_sync(unsigned, T x, int by, int width = 32)
{
	const int me = fake_lane();

	return fake_give(x)[me % width >= by ? me - by : me];
}
static inline unsigned __ballot_sync(unsigned mask, int x)
{
	const fake_given<int> all = fake_give(x ? 1 : 0);
	unsigned bits = 0;

	for (int lane = 0; lane < 32; lane++)
		if (mask >> lane & 1 && all[lane])
			bits |= 1u << lane;
	return bits;
}
static inline int __any_sync(unsigned mask, int x)
{
	return __ballot_sync(mask, x) != 0;
}
static inline int __all_sync(unsigned mask, int x)
{
	return __ballot_sync(mask, x) == mask;
}

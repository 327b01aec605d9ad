/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dialect of the kernel files in this directory, defined for CUDA C++ and HIP C++; prelude.cl
 * defines it for OpenCL. No header is included: the run-time compilers need none.
 */
#define KERNEL extern "C" __global__ void
#define FUNCTION static __device__ inline
#define CALLED static __device__ __noinline__
#define GLOBAL
#define SHARED __shared__
#define SHARED_POINTER
#define GROUP_ID ((int)blockIdx.x)
#define LOCAL_ID ((int)threadIdx.x)
/* LOCAL_ID, of which compilers know that it is not negative: they divide it by shifts, but NVRTC may
 * then split a store of 16 bytes at an address that depends on it. */
#define WORK_ITEM ((int)(threadIdx.x & 1023u))
#define BARRIER __syncthreads()

typedef unsigned short ushort;
typedef unsigned char uchar;
typedef unsigned int uint;

#ifndef INFINITY
#define INFINITY __uint_as_float(0x7f800000u)
#endif

/* HIP has the type, CUDA only its instructions. */
#ifdef __HIP__
#define type_float16 _Float16
#define load_float16(p, i) ((float)(p)[i])
#define store_float16(p, i, x) ((p)[i] = (_Float16)(float)(x))
#define value_float16(x) ((float)(x))
#define set_float16(to, x) ((to) = (_Float16)(float)(x))
#else
#define type_float16 ushort
FUNCTION float half_to_float(ushort h)
{
	float x;

	asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
	return x;
}
FUNCTION ushort float_to_half(float x)
{
	ushort h;

	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
	return h;
}
#define load_float16(p, i) half_to_float((p)[i])
#define store_float16(p, i, x) ((p)[i] = float_to_half((float)(x)))
#define value_float16(x) half_to_float(x)
#define set_float16(to, x) ((to) = float_to_half((float)(x)))
#endif

/* Returns the x of lane l ^ by of the warp in lane l. Only CUDA's warps have 32 lanes. */
#ifndef __HIP__
#define WARPS_OF_32
template <typename X> FUNCTION X lane_exchange(const X x, const int by)
{
	return __shfl_xor_sync(0xffffffffu, x, by);
}
#endif

/*
 * Tensor cores, and copies to shared memory. A warp computes c[16,8] += a[16,16] b[16,8], whose
 * elements its lanes hold as mma.m16n8k16 of PTX defines it. load_matrices loads four matrices of
 * 8 x 8 elements of 16 bits, of which lane i gives the address of row i % 8 of matrix i / 8.
 * copy_async copies 16 bytes, or writes zeros if they are not valid; wait waits until all but the
 * last n commits are complete.
 */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define TENSOR_CORES
FUNCTION void multiply_float16(float *c, const uint *a, const uint *b)
{
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
	             "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
	             : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
	             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
FUNCTION void multiply_bfloat16(float *c, const uint *a, const uint *b)
{
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
	             "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
	             : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
	             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
FUNCTION uint shared_address(const void *p)
{
	return (uint)__cvta_generic_to_shared(p);
}
FUNCTION void load_matrices(uint *x, const void *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
	             : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
	             : "r"(shared_address(row))
	             : "memory");
}
FUNCTION void load_matrices_transposed(uint *x, const void *row)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
	             : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
	             : "r"(shared_address(row))
	             : "memory");
}
FUNCTION void copy_async(void *to, const void *from, const int valid)
{
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)),
	             "l"(__cvta_generic_to_global(from)), "r"(valid ? 16 : 0)
	             : "memory");
}
FUNCTION void copy_async_commit(void)
{
	asm volatile("cp.async.commit_group;" ::: "memory");
}
#define copy_async_wait(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
/* Returns 2^x with a relative error of 2^-22. */
FUNCTION float fast_exp2(const float x)
{
	float y;

	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
}
/* Return two numbers of 16 bits, the first in the lower half. */
FUNCTION uint pair_float16(const float low, const float high)
{
	uint x;

	asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(high), "f"(low));
	return x;
}
FUNCTION uint pair_bfloat16(const float low, const float high)
{
	uint x;

	asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(high), "f"(low));
	return x;
}
#endif
#define bits_of_float(x) __float_as_uint(x)
#define float_of_bits(x) __uint_as_float(x)

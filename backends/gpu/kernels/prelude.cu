/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dialect of the kernel files in this directory, defined for CUDA C++ and HIP C++; prelude.cl
 * defines it for OpenCL. No header is included: the run-time compilers need none.
 */
#define KERNEL extern "C" __global__ void
#define FUNCTION static __device__ inline
#define GLOBAL
#define SHARED __shared__
#define SHARED_POINTER
#define GROUP_ID ((int)blockIdx.x)
#define LOCAL_ID ((int)threadIdx.x)
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
#endif
#define bits_of_float(x) __float_as_uint(x)
#define float_of_bits(x) __uint_as_float(x)

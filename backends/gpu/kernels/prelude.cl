/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dialect of the kernel files in this directory, defined for OpenCL C; prelude.cu defines it for
 * CUDA and HIP.
 */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define KERNEL __kernel void
#define FUNCTION static inline
#define CALLED static
#define GLOBAL __global
#define SHARED __local
#define SHARED_POINTER __local
#define GROUP_ID ((int)get_group_id(0))
#define LOCAL_ID ((int)get_local_id(0))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)

/* Stored as bits, so that moving them does not require cl_khr_fp16. */
#define type_float16 ushort
#define load_float16(p, i) vload_half(i, (GLOBAL const half *)(p))
#define store_float16(p, i, x) vstore_half((float)(x), i, (GLOBAL half *)(p))
#define value_float16(x) vload_half(0, (const half *)&(x))
#define set_float16(to, x) vstore_half((float)(x), 0, (half *)&(to))
#define bits_of_float(x) as_uint(x)
#define float_of_bits(x) as_float(x)

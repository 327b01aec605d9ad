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

/* Stored as bits, and converted by built-in functions that do not require cl_khr_fp16. They read and
 * write private variables, so that an element may be in any address space. */
#define type_float16 ushort
FUNCTION float half_to_float(const ushort h)
{
	return vload_half(0, (const half *)&h);
}
FUNCTION ushort float_to_half(const float x)
{
	ushort h;

	vstore_half_rte(x, 0, (half *)&h);
	return h;
}
#define load_float16(p, i) half_to_float((p)[i])
#define store_float16(p, i, x) ((p)[i] = float_to_half((float)(x)))
#define value_float16(x) half_to_float(x)
#define set_float16(to, x) ((to) = float_to_half((float)(x)))
#define bits_of_float(x) as_uint(x)
#define float_of_bits(x) as_float(x)

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The backend hip runs operations on AMD's devices through HIP, with kernels compiled by
 * hiprtc and matrix products of rocBLAS. It needs no headers of AMD; see hip_abi.h.
 */
#include <stdio.h>

#include "cudahip.h"
#include "hip_abi.h"

static const char *const driver_names[] = { "libamdhip64.so.7", "libamdhip64.so.6",
	"libamdhip64.so.5", NULL };
/* until ROCm 5.2 the compiler was a part of the driver */
static const char *const compiler_names[] = { "libhiprtc.so.7", "libhiprtc.so.6",
	"libhiprtc.so.5", "libamdhip64.so.5", NULL };
static const char *const blas_names[] = { "librocblas.so.5", "librocblas.so.4",
	"librocblas.so.3", "librocblas.so.0", NULL };
static const char *const places[] = { "$ROCM_PATH/lib", "/opt/rocm/lib", NULL };

static const struct cudahip_function functions[] = {
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipInit", init),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipDriverGetVersion", driver_version),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipGetDeviceCount", device_count),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipDeviceGet", device_get),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipDeviceGetName", device_name),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipDeviceTotalMem", device_memory),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipMemGetInfo", memory_info),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipDeviceGetAttribute", device_attribute),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipDevicePrimaryCtxRetain", context_retain),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipDevicePrimaryCtxRelease", context_release),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipCtxSetCurrent", context_use),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipMalloc", alloc),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipFree", free),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipMemcpyHtoD", to_device),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipMemcpyDtoH", to_host),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipStreamCreateWithFlags", stream_create),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipStreamDestroy", stream_destroy),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipStreamSynchronize", stream_wait),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipModuleLoadData", module_load),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipModuleUnload", module_unload),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipModuleGetFunction", module_function),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipModuleLaunchKernel", launch),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipDeviceGetPCIBusId", device_pci),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipEventCreateWithFlags", event_create),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipEventDestroy", event_destroy),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipEventRecordWithFlags", event_record),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipEventElapsedTime", event_elapsed),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipStreamBeginCapture", stream_record),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipStreamEndCapture", stream_recorded),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipGraphInstantiateWithFlags", graph_prepare),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipGraphUpload", graph_upload),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipGraphLaunch", graph_launch),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipGraphExecDestroy", graph_free),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipGraphDestroy", graph_drop),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "hipMemsetD32Async", set_int),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "hipGetErrorName", error_name),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "hiprtcCreateProgram", program_create),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "hiprtcDestroyProgram", program_destroy),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "hiprtcCompileProgram", program_compile),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "hiprtcGetProgramLogSize", program_log_size),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "hiprtcGetProgramLog", program_log),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "hiprtcGetCodeSize", program_code_size),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "hiprtcGetCode", program_code),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "hiprtcVersion", compiler_version),
	CUDAHIP_FUNCTION(CUDAHIP_BLAS, "rocblas_create_handle", blas_create),
	CUDAHIP_FUNCTION(CUDAHIP_BLAS, "rocblas_destroy_handle", blas_destroy),
	CUDAHIP_FUNCTION(CUDAHIP_BLAS, "rocblas_set_stream", blas_stream),
	CUDAHIP_OPTIONAL(CUDAHIP_BLAS, "rocblas_set_workspace", blas_workspace),
	CUDAHIP_FUNCTION(CUDAHIP_BLAS, "rocblas_gemm_strided_batched_ex", blas_product),
};

/* The rocblas_datatype of a type, and of the type that its products are computed in. */
static const struct {
	int type, compute;
} types[BACKEND_DTYPES] = {
	[BACKEND_FLOAT32] = { ROCBLAS_FLOAT32, ROCBLAS_FLOAT32 },
	[BACKEND_FLOAT64] = { ROCBLAS_FLOAT64, ROCBLAS_FLOAT64 },
	[BACKEND_FLOAT16] = { ROCBLAS_FLOAT16, ROCBLAS_FLOAT32 },
	[BACKEND_BFLOAT16] = { ROCBLAS_BFLOAT16, ROCBLAS_FLOAT32 },
	[BACKEND_INT8] = { ROCBLAS_INT8, ROCBLAS_INT32 },
	[BACKEND_INT32] = { ROCBLAS_INT32, ROCBLAS_INT32 },
};

/* Computes a product. A row-major matrix is a transposed column-major one, so
 * c' = b' a'. */
static int hip_product(void *handle, const struct cudahip_api *api,
    const struct gpu_product *p, const struct cudahip_operands *x)
{
	int (*const gemm)(void *, int, int, int, int, int, const void *, const void *, int,
	    int, int64_t, const void *, int, int, int64_t, const void *, const void *, int,
	    int, int64_t, void *, int, int, int64_t, int, int, int, int32_t, uint32_t) =
	    (__typeof__(gemm))api->blas_product;

	return gemm(handle, p->transpose_b ? ROCBLAS_TRANSPOSE : ROCBLAS_NONE, ROCBLAS_NONE,
	    (int)p->n, (int)p->m, (int)p->k, x->alpha, x->b, types[p->dtype].type,
	    (int)p->b_ld, p->b_step, x->a, types[p->dtype].type, (int)p->a_ld, p->a_step,
	    x->beta, x->c, types[p->out].type, (int)p->c_ld, p->c_step, x->c,
	    types[p->out].type, (int)p->c_ld, p->c_step, (int)p->batch,
	    types[p->dtype].compute, ROCBLAS_STANDARD, 0, 0);
}

static void hip_interface(char *text, size_t size, int number)
{
	snprintf(text, size, "HIP %d.%d.%d", number / 10000000, number / 100000 % 100,
	    number % 100000);
}

/* Writes no option, because hiprtc compiles for the current device. */
static void hip_architecture(char *option, size_t size, int major, int minor)
{
	(void)major;
	(void)minor;
	snprintf(option, size, "%s", "");
}

static uint32_t hip_dtypes(int major)
{
	(void)major;
	return 1u << BACKEND_FLOAT32 | 1u << BACKEND_FLOAT64 | 1u << BACKEND_FLOAT16 |
	       1u << BACKEND_BFLOAT16 | 1u << BACKEND_INT8 | 1u << BACKEND_INT32 |
	       1u << BACKEND_UINT8;
}

const struct cudahip_family hip_family = {
	.remedy = "check that this machine has a GPU of AMD, that the kernel module amdgpu "
	          "is loaded, and that you may open /dev/kfd",
	.library = {
		[CUDAHIP_DRIVER] = {
			.what = "libamdhip64.so",
			.names = driver_names,
			.file = "libamdhip64.so.[0-9]*",
			.remedy = "it comes with AMD's ROCm",
			.places = places,
		},
		[CUDAHIP_COMPILER] = {
			.what = "hiprtc",
			.names = compiler_names,
			.file = "libhiprtc.so.[0-9]*",
			.remedy = "it comes with AMD's ROCm",
			.places = places,
		},
		[CUDAHIP_BLAS] = {
			.what = "rocBLAS",
			.names = blas_names,
			.file = "librocblas.so.[0-9]*",
			.remedy = "it comes with AMD's ROCm",
			.places = places,
		},
	},
	.function = functions,
	.functions = sizeof(functions) / sizeof(functions[0]),
	.units = HIP_ATTRIBUTE_UNITS,
	.major = HIP_ATTRIBUTE_MAJOR,
	.minor = HIP_ATTRIBUTE_MINOR,
	.generation = "GFX",
	.interface = hip_interface,
	.architecture = hip_architecture,
	.dtypes = hip_dtypes,
	.product = hip_product,
	.driver = { .name = "hip", CUDAHIP_HOOKS },
};

CUDAHIP_BACKEND(hip, "AMD's devices: kernels of benchutils, matrix products by rocBLAS");

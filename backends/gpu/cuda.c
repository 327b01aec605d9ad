/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The backend cuda runs operations on NVIDIA's devices through the CUDA driver, with
 * kernels compiled by NVRTC, matrix products of cuBLAS, and convolutions of cuDNN if that
 * is installed. These libraries round float32 to TF32 only for products of the type tf32.
 * Products of int8 are summed in int32, all others in their own type, at least float32.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_abi.h"
#include "cuda_nvml.h"
#include "cuda_dnn.h"
#include "cuda_lt.h"
#include "cudahip.h"

static const char *const driver_names[] = { "libcuda.so.1", NULL };
static const char *const compiler_names[] = { "libnvrtc.so.13", "libnvrtc.so.12",
	"libnvrtc.so.11.2", NULL };
static const char *const blas_names[] = { "libcublas.so.13", "libcublas.so.12",
	"libcublas.so.11", NULL };
/* CUDA_HOME and CUDA_PATH are variables of NVIDIA's and other build tools. */
static const char *const places[] = { "$CUDA_HOME/lib64", "$CUDA_PATH/lib64",
	"/usr/local/cuda/lib64", "$CONDA_PREFIX/lib", NULL };

static const struct cudahip_function functions[] = {
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuInit", init),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuDriverGetVersion", driver_version),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuDeviceGetCount", device_count),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuDeviceGet", device_get),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuDeviceGetName", device_name),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuDeviceTotalMem_v2", device_memory),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuMemGetInfo_v2", memory_info),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuDeviceGetAttribute", device_attribute),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuDevicePrimaryCtxRetain", context_retain),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuDevicePrimaryCtxRelease_v2", context_release),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuCtxSetCurrent", context_use),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuMemAlloc_v2", alloc),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuMemFree_v2", free),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuMemcpyHtoD_v2", to_device),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuMemcpyDtoH_v2", to_host),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuStreamCreate", stream_create),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuStreamDestroy_v2", stream_destroy),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuStreamSynchronize", stream_wait),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuModuleLoadData", module_load),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuModuleUnload", module_unload),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuModuleGetFunction", module_function),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuLaunchKernel", launch),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuDeviceGetPCIBusId", device_pci),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuEventCreate", event_create),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuEventDestroy_v2", event_destroy),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuEventRecordWithFlags", event_record),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuEventElapsedTime", event_elapsed),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuStreamBeginCapture_v2", stream_record),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuStreamEndCapture", stream_recorded),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuGraphInstantiateWithFlags", graph_prepare),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuGraphUpload", graph_upload),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuGraphLaunch", graph_launch),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuGraphExecDestroy", graph_free),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuGraphDestroy", graph_drop),
	CUDAHIP_OPTIONAL(CUDAHIP_DRIVER, "cuMemsetD32Async", set_int),
	CUDAHIP_FUNCTION(CUDAHIP_DRIVER, "cuGetErrorName", error_into),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "nvrtcCreateProgram", program_create),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "nvrtcDestroyProgram", program_destroy),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "nvrtcCompileProgram", program_compile),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "nvrtcGetProgramLogSize", program_log_size),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "nvrtcGetProgramLog", program_log),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "nvrtcGetCUBINSize", program_code_size),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "nvrtcGetCUBIN", program_code),
	CUDAHIP_FUNCTION(CUDAHIP_COMPILER, "nvrtcVersion", compiler_version),
	CUDAHIP_FUNCTION(CUDAHIP_BLAS, "cublasCreate_v2", blas_create),
	CUDAHIP_FUNCTION(CUDAHIP_BLAS, "cublasDestroy_v2", blas_destroy),
	CUDAHIP_FUNCTION(CUDAHIP_BLAS, "cublasSetStream_v2", blas_stream),
	CUDAHIP_FUNCTION(CUDAHIP_BLAS, "cublasSetMathMode", blas_option),
	CUDAHIP_OPTIONAL(CUDAHIP_BLAS, "cublasSetWorkspace_v2", blas_workspace),
	CUDAHIP_FUNCTION(CUDAHIP_BLAS, "cublasGemmStridedBatchedEx", blas_product),
};

/* The library's numbers of a type and of the type that its products are computed in. */
static const struct {
	int type, compute;
} types[BACKEND_DTYPES] = {
	[BACKEND_FLOAT32] = { CUDA_TYPE_FLOAT32, CUBLAS_IN_FLOAT32 },
	[BACKEND_FLOAT64] = { CUDA_TYPE_FLOAT64, CUBLAS_IN_FLOAT64 },
	[BACKEND_FLOAT16] = { CUDA_TYPE_FLOAT16, CUBLAS_IN_FLOAT32 },
	[BACKEND_BFLOAT16] = { CUDA_TYPE_BFLOAT16, CUBLAS_IN_FLOAT32 },
	[BACKEND_TF32] = { CUDA_TYPE_FLOAT32, CUBLAS_IN_TF32 },
	[BACKEND_INT8] = { CUDA_TYPE_INT8, CUBLAS_IN_INT32 },
	[BACKEND_INT32] = { CUDA_TYPE_INT32, CUBLAS_IN_INT32 },
};

/* Computes a product. A row-major matrix is a transposed column-major one, so c' = b' a'.
 */
static int cuda_product(void *handle, const struct cudahip_api *api,
    const struct gpu_product *p, const struct cudahip_operands *x)
{
	int (*const gemm)(void *, int, int, int, int, int, const void *, const void *, int,
	    int, long long, const void *, int, int, long long, const void *, void *, int,
	    int, long long, int, int, int) = (__typeof__(gemm))api->blas_product;

	return gemm(handle, p->transpose_b ? CUBLAS_TRANSPOSED : CUBLAS_AS_STORED,
	    CUBLAS_AS_STORED, (int)p->n, (int)p->m, (int)p->k, x->alpha, x->b,
	    types[p->dtype].type, (int)p->b_ld, p->b_step, x->a, types[p->dtype].type,
	    (int)p->a_ld, p->a_step, x->beta, x->c, types[p->out].type, (int)p->c_ld,
	    p->c_step, (int)p->batch, types[p->dtype].compute, CUBLAS_ALGORITHM_DEFAULT);
}

static void cuda_interface(char *text, size_t size, int number)
{
	snprintf(text, size, "CUDA %d.%d", number / 1000, number % 1000 / 10);
}

static void cuda_architecture(char *option, size_t size, int major, int minor)
{
	snprintf(option, size, "--gpu-architecture=sm_%d%d", major, minor);
}

/* Returns whether a variable of the environment stops the libraries from using TF32. */
static bool tf32_is_off(void)
{
	const char *value = getenv("NVIDIA_TF32_OVERRIDE");

	return value && strcmp(value, "0") == 0;
}

/* Returns the dtypes of a device. The hardware has bfloat16 and TF32 from compute
 * capability 8.0. */
static uint32_t cuda_dtypes(int major)
{
	const uint32_t all = 1u << BACKEND_FLOAT32 | 1u << BACKEND_FLOAT64 |
	                     1u << BACKEND_FLOAT16 | 1u << BACKEND_INT8 |
	                     1u << BACKEND_INT32 | 1u << BACKEND_UINT8;

	const uint32_t newer =
	    1u << BACKEND_BFLOAT16 | (tf32_is_off() ? 0 : 1u << BACKEND_TF32);

	return major >= 8 ? all | newer : all;
}

/* Returns a plan of cuDNN, which is opened for the first convolution. */
static const void *cuda_convolution(
    struct gpu *g, const struct gpu_convolution *v, size_t *room)
{
	void *stream = cudahip_stream(g);
	char why[BACKEND_WHY];

	if (!g->dnn)
		g->dnn = cuda_dnn_open(stream, why);
	const struct cuda_dnn_plan *plan = g->dnn ? cuda_dnn_plan(g->dnn, v, why) : NULL;

	*room = plan ? cuda_dnn_room(plan) : 0;
	return plan;
}

static int cuda_convolve(
    struct gpu *g, const void *plan, const struct gpu_convolution_operands *x, char *why)
{
	cudahip_stream(g);
	return cuda_dnn_run(g->dnn, plan, x, why);
}

static const void *cuda_joined_plan(
    struct gpu *g, const struct gpu_product *p, size_t *room)
{
	cudahip_stream(g);
	if (!g->lt)
		g->lt = cuda_lt_open();
	return g->lt ? cuda_lt_plan(g->lt, p, room) : NULL;
}

static int cuda_joined_product(
    struct gpu *g, const void *plan, const struct gpu_product *p, void *room, char *why)
{
	const int status = cuda_lt_run(g->lt, plan, p, room, cudahip_stream(g));

	return status ? hook_fail(why, "cuda: cublasLt returned status %d", status) : 0;
}

static void cuda_close(struct gpu *g)
{
	cuda_lt_close(g->lt);
	cuda_dnn_close(g->dnn);
}

const struct cudahip_family cuda_family = {
	.remedy = "check that nvidia-smi lists a GPU",
	.library = {
		[CUDAHIP_DRIVER] = {
			.what = "libcuda.so.1",
			.names = driver_names,
			.file = "libcuda.so.1",
			.remedy = "it comes with NVIDIA's driver",
		},
		[CUDAHIP_COMPILER] = {
			.what = "NVRTC",
			.names = compiler_names,
			.file = "libnvrtc.so.1[0-9]*",
			.package = "nvidia/{cu1[0-9],cuda_nvrtc}/lib",
			.remedy = "install the CUDA toolkit, or the Python package nvidia-cuda-nvrtc",
			.places = places,
		},
		[CUDAHIP_BLAS] = {
			.what = "cuBLAS",
			.names = blas_names,
			.file = "libcublas.so.1[0-9]*",
			.package = "nvidia/{cu1[0-9],cublas}/lib",
			.remedy = "install the CUDA toolkit, or the Python package nvidia-cublas",
			.places = places,
		},
	},
	.function = functions,
	.functions = sizeof(functions) / sizeof(functions[0]),
	.units = CUDA_ATTRIBUTE_UNITS,
	.major = CUDA_ATTRIBUTE_MAJOR,
	.minor = CUDA_ATTRIBUTE_MINOR,
	.tensor_cores = 8,
	.architecture = cuda_architecture,
	.generation = "compute capability",
	.version = cuda_nvml_version,
	.interface = cuda_interface,
	.used = cuda_nvml_used,
	.dtypes = cuda_dtypes,
	.blas_option = CUBLAS_MATH_WITHOUT_REDUCED_REDUCTION,
	.product = cuda_product,
	.other_library = cuda_dnn_find,
	.close = cuda_close,
	.driver = { .name = "cuda",
	    .own_rows = true,
	    .transposed_int8 = true,
	    CUDAHIP_HOOKS,
	    .joined_plan = cuda_joined_plan,
	    .joined_product = cuda_joined_product,
	    .convolution = cuda_convolution,
	    .convolve = cuda_convolve },
};

CUDAHIP_BACKEND(cuda,
    "NVIDIA's devices: kernels of benchutils, products by cuBLAS, convolutions by cuDNN");

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fakes HIP's driver, so that the backend hip runs on a machine without a GPU: each
 * function calls the one of the fake of CUDA's driver. Attributes and errors have the
 * numbers and names of HIP.
 */
#include "../../../backends/gpu/hip_abi.h"
#include "../fake_cuda/fake.h"

/* The fake of CUDA's driver. */
int cuInit(unsigned flags);
int cuDeviceGetCount(int *count);
int cuDeviceGet(int *device, int ordinal);
int cuDeviceTotalMem_v2(size_t *bytes, int device);
int cuMemGetInfo_v2(size_t *left, size_t *all);
int cuDevicePrimaryCtxRetain(void **handle, int device);
int cuDevicePrimaryCtxRelease_v2(int device);
int cuDeviceGetPCIBusId(char *text, int size, int device);
int cuCtxSetCurrent(void *handle);
int cuMemAlloc_v2(void **address, size_t bytes);
int cuMemFree_v2(void *address);
int cuMemcpyHtoD_v2(void *address, const void *from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, void *address, size_t bytes);
int cuMemsetD32Async(void *to, unsigned value, size_t count, void *stream);
int cuStreamCreate(void **stream, unsigned flags);
int cuStreamDestroy_v2(void *stream);
int cuStreamSynchronize(void *stream);
int cuStreamBeginCapture_v2(void *stream, int mode);
int cuStreamEndCapture(void *stream, void **graph);
int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags);
int cuGraphUpload(void *graph, void *stream);
int cuGraphLaunch(void *graph, void *stream);
int cuGraphExecDestroy(void *graph);
int cuGraphDestroy(void *graph);
int cuEventCreate(void **event, unsigned flags);
int cuEventDestroy_v2(void *event);
int cuEventRecordWithFlags(void *event, void *stream, unsigned flags);
int cuEventElapsedTime(float *ms, const void *from, const void *to);
int cuModuleLoadData(void **module, const void *code);
int cuModuleUnload(void *module);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
    void *stream, void **argument, void **extra);

FAKE_API int hipInit(unsigned flags)
{
	return cuInit(flags);
}

FAKE_API int hipDriverGetVersion(int *version)
{
	*version = 60443484;
	return FAKE_OK;
}

FAKE_API int hipGetDeviceCount(int *count)
{
	return cuDeviceGetCount(count);
}

FAKE_API int hipDeviceGet(int *device, int ordinal)
{
	return cuDeviceGet(device, ordinal);
}

FAKE_API int hipDeviceGetName(char *name, int size, int device)
{
	static const char fake[] = "Fake Radeon";

	for (int i = 0; i < size && i < (int)sizeof(fake); i++)
		name[i] = fake[i];
	return fake_called(__func__, "%d", device);
}

FAKE_API int hipDeviceTotalMem(size_t *bytes, int device)
{
	return cuDeviceTotalMem_v2(bytes, device);
}

FAKE_API int hipMemGetInfo(size_t *left, size_t *all)
{
	return cuMemGetInfo_v2(left, all);
}

FAKE_API int hipDeviceGetAttribute(int *value, int attribute, int device)
{
	static const struct {
		int attribute, value;
	} attributes[] = {
		{ HIP_ATTRIBUTE_UNITS, 4 },
		{ HIP_ATTRIBUTE_MAJOR, 11 },
		{ HIP_ATTRIBUTE_MINOR, 0 },
	};

	(void)device;
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		if (attributes[i].attribute == attribute) {
			*value = attributes[i].value;
			return FAKE_OK;
		}
	return FAKE_INVALID_VALUE;
}

FAKE_API int hipDevicePrimaryCtxRetain(void **handle, int device)
{
	return cuDevicePrimaryCtxRetain(handle, device);
}

FAKE_API int hipDevicePrimaryCtxRelease(int device)
{
	return cuDevicePrimaryCtxRelease_v2(device);
}

FAKE_API int hipDeviceGetPCIBusId(char *text, int size, int device)
{
	return cuDeviceGetPCIBusId(text, size, device);
}

FAKE_API int hipCtxSetCurrent(void *handle)
{
	return cuCtxSetCurrent(handle);
}

FAKE_API int hipMalloc(void **address, size_t bytes)
{
	return cuMemAlloc_v2(address, bytes);
}

FAKE_API int hipFree(void *address)
{
	return cuMemFree_v2(address);
}

FAKE_API int hipMemcpyHtoD(void *address, const void *from, size_t bytes)
{
	return cuMemcpyHtoD_v2(address, from, bytes);
}

FAKE_API int hipMemcpyDtoH(void *to, void *address, size_t bytes)
{
	return cuMemcpyDtoH_v2(to, address, bytes);
}

FAKE_API int hipMemsetD32Async(void *to, unsigned value, size_t count, void *stream)
{
	return cuMemsetD32Async(to, value, count, stream);
}

FAKE_API int hipStreamCreateWithFlags(void **stream, unsigned flags)
{
	return cuStreamCreate(stream, flags);
}

FAKE_API int hipStreamDestroy(void *stream)
{
	return cuStreamDestroy_v2(stream);
}

FAKE_API int hipStreamSynchronize(void *stream)
{
	return cuStreamSynchronize(stream);
}

FAKE_API int hipStreamBeginCapture(void *stream, int mode)
{
	return cuStreamBeginCapture_v2(stream, mode);
}

FAKE_API int hipStreamEndCapture(void *stream, void **graph)
{
	return cuStreamEndCapture(stream, graph);
}

FAKE_API int hipGraphInstantiateWithFlags(
    void **executable, void *graph, unsigned long long flags)
{
	return cuGraphInstantiateWithFlags(executable, graph, flags);
}

FAKE_API int hipGraphUpload(void *graph, void *stream)
{
	return cuGraphUpload(graph, stream);
}

FAKE_API int hipGraphLaunch(void *graph, void *stream)
{
	return cuGraphLaunch(graph, stream);
}

FAKE_API int hipGraphExecDestroy(void *graph)
{
	return cuGraphExecDestroy(graph);
}

FAKE_API int hipGraphDestroy(void *graph)
{
	return cuGraphDestroy(graph);
}

FAKE_API int hipEventCreateWithFlags(void **event, unsigned flags)
{
	return cuEventCreate(event, flags);
}

FAKE_API int hipEventDestroy(void *event)
{
	return cuEventDestroy_v2(event);
}

FAKE_API int hipEventRecordWithFlags(void *event, void *stream, unsigned flags)
{
	return cuEventRecordWithFlags(event, stream, flags);
}

FAKE_API int hipEventElapsedTime(float *ms, const void *from, const void *to)
{
	return cuEventElapsedTime(ms, from, to);
}

FAKE_API int hipModuleLoadData(void **module, const void *code)
{
	return cuModuleLoadData(module, code);
}

FAKE_API int hipModuleUnload(void *module)
{
	return cuModuleUnload(module);
}

FAKE_API int hipModuleGetFunction(void **function, void *module, const char *name)
{
	return cuModuleGetFunction(function, module, name);
}

FAKE_API int hipModuleLaunchKernel(void *function, unsigned grid_x, unsigned grid_y,
    unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
    unsigned shared_bytes, void *stream, void **argument, void **extra)
{
	return cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
	    shared_bytes, stream, argument, extra);
}

FAKE_API const char *hipGetErrorName(int error)
{
	switch (error) {
	case FAKE_INVALID_VALUE:
		return "hipErrorInvalidValue";
	case FAKE_OUT_OF_MEMORY:
		return "hipErrorOutOfMemory";
	case FAKE_NO_DEVICE:
		return "hipErrorNoDevice";
	default:
		return "hipErrorUnknown";
	}
}

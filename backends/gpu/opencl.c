/*
 * The opencl backend: any device of any OpenCL platform whose compiler is there, in the
 * order in which the platforms and devices are given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { PLATFORMS_MAX = 16, DEVICES_MAX = 64 };

static const struct {
	cl_int code;
	const char *name;
} errors[] = {
	{ CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND" },
	{ CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE" },
	{ CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE" },
	{ CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE" },
	{ CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES" },
	{ CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY" },
	{ CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE" },
	{ CL_INVALID_VALUE, "CL_INVALID_VALUE" },
	{ CL_INVALID_DEVICE, "CL_INVALID_DEVICE" },
	{ CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT" },
	{ CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE" },
	{ CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT" },
	{ CL_INVALID_BINARY, "CL_INVALID_BINARY" },
	{ CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS" },
	{ CL_INVALID_PROGRAM_EXECUTABLE, "CL_INVALID_PROGRAM_EXECUTABLE" },
	{ CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME" },
	{ CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX" },
	{ CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE" },
	{ CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS" },
	{ CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE" },
	{ CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE" },
	{ CL_INVALID_GLOBAL_WORK_SIZE, "CL_INVALID_GLOBAL_WORK_SIZE" },
	{ -1001, "CL_PLATFORM_NOT_FOUND_KHR" },
};

int opencl_fail(char *why, const char *what, cl_int code)
{
	for (size_t i = 0; i < COUNT(errors); i++)
		if (errors[i].code == code)
			return gpu_fail(why, "%s: %s", what, errors[i].name);
	return gpu_fail(why, "%s: OpenCL error %d", what, (int)code);
}

/* A device's text without spaces at its ends; empty when it has none. */
static void device_text(cl_device_id device, cl_device_info what, char *to, size_t size)
{
	char text[1024] = "";
	const char *from = text;

	if (clGetDeviceInfo(device, what, sizeof(text) - 1, text, NULL) != CL_SUCCESS)
		text[0] = '\0';
	from += strspn(from, " ");
	snprintf(to, size, "%s", from);
	for (size_t n = strlen(to); n > 0 && to[n - 1] == ' '; n--)
		to[n - 1] = '\0';
}

static bool device_has(cl_device_id device, cl_device_info what)
{
	cl_bool yes = CL_FALSE;

	return clGetDeviceInfo(device, what, sizeof(yes), &yes, NULL) == CL_SUCCESS && yes;
}

static bool device_extends(cl_device_id device, const char *extension)
{
	static const size_t most = 65536;
	char *all = calloc(1, most);
	bool found = all &&
	             clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, most - 1, all, NULL) ==
	                 CL_SUCCESS &&
	             strstr(all, extension);

	free(all);
	return found;
}

static uint32_t device_dtypes(cl_device_id device)
{
	uint32_t dtypes = 1u << BACKEND_FLOAT32 | 1u << BACKEND_INT8 | 1u << BACKEND_INT32 |
	                  1u << BACKEND_UINT8;

	if (device_extends(device, "cl_khr_fp64"))
		dtypes |= 1u << BACKEND_FLOAT64;
	if (device_extends(device, "cl_khr_fp16"))
		dtypes |= 1u << BACKEND_FLOAT16;
	return dtypes;
}

static cl_device_type device_type(cl_device_id device)
{
	cl_device_type type = 0;

	clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
	return type;
}

static uint32_t device_units(cl_device_id device)
{
	cl_uint units = 0;

	clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL);
	return units;
}

struct found {
	cl_platform_id platform;
	cl_device_id device;
};

/* Devices that can be used, at most max; why has the reasons of those that cannot. */
static int find_devices(struct found *list, size_t max, char *why)
{
	cl_platform_id platform[PLATFORMS_MAX];
	cl_uint platforms = 0;
	size_t count = 0, at = 0;
	const cl_int error = clGetPlatformIDs(PLATFORMS_MAX, platform, &platforms);

	why[0] = '\0';
	if (error != CL_SUCCESS || platforms == 0) {
		gpu_fail(why, "no OpenCL platform is installed");
		return 0;
	}
	platforms = platforms < PLATFORMS_MAX ? platforms : PLATFORMS_MAX;
	for (cl_uint i = 0; i < platforms; i++) {
		cl_device_id device[DEVICES_MAX];
		cl_uint devices = 0;
		char name[64] = "";

		clGetPlatformInfo(
		    platform[i], CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL);
		if (clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_ALL, DEVICES_MAX, device,
		        &devices) != CL_SUCCESS)
			devices = 0;
		devices = devices < DEVICES_MAX ? devices : DEVICES_MAX;
		if (devices == 0 && at < BACKEND_WHY)
			at += (size_t)snprintf(why + at, BACKEND_WHY - at,
			    "%splatform %s: no device", at ? "; " : "", name);
		for (cl_uint d = 0; d < devices; d++) {
			if (device_has(device[d], CL_DEVICE_AVAILABLE) &&
			    device_has(device[d], CL_DEVICE_COMPILER_AVAILABLE)) {
				if (count < max)
					list[count++] =
					    (struct found){ platform[i], device[d] };
				continue;
			}
			char device_name[64];

			device_text(
			    device[d], CL_DEVICE_NAME, device_name, sizeof(device_name));
			if (at < BACKEND_WHY)
				at += (size_t)snprintf(why + at, BACKEND_WHY - at,
				    "%s%s: %s", at ? "; " : "", device_name,
				    device_has(device[d], CL_DEVICE_AVAILABLE)
				        ? "no compiler"
				        : "not available");
		}
	}
	return (int)count;
}

static int probe(struct backend_device *list, size_t max, char *why)
{
	struct found found[DEVICES_MAX];
	const int count = find_devices(found, max < DEVICES_MAX ? max : DEVICES_MAX, why);

	for (int i = 0; i < count; i++) {
		struct backend_device *d = &list[i];
		cl_device_id device = found[i].device;
		const cl_device_type type = device_type(device);
		char platform[96] = "", version[96];
		cl_ulong memory = 0;

		*d = (struct backend_device){ .units = device_units(device),
			.dtypes = device_dtypes(device) };
		device_text(device, CL_DEVICE_NAME, d->name, sizeof(d->name));
		device_text(device, CL_DRIVER_VERSION, d->version, sizeof(d->version));
		device_text(device, CL_DEVICE_VERSION, version, sizeof(version));
		clGetPlatformInfo(found[i].platform, CL_PLATFORM_NAME, sizeof(platform) - 1,
		    platform, NULL);
		snprintf(d->detail, sizeof(d->detail), "%.60s, %.60s", platform, version);
		snprintf(d->type, sizeof(d->type), "%s",
		    type & CL_DEVICE_TYPE_GPU   ? "gpu"
		    : type & CL_DEVICE_TYPE_CPU ? "cpu"
		                                : "accelerator");
		clGetDeviceInfo(
		    device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(memory), &memory, NULL);
		d->memory_bytes = memory;
	}
	return count;
}

static void *cl_alloc(struct gpu *g, size_t bytes, char *why)
{
	const struct opencl *cl = g->device;
	cl_int error;
	cl_mem buffer = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
	char what[64];

	if (error == CL_SUCCESS)
		return buffer;
	snprintf(what, sizeof(what), "a buffer of %zu bytes", bytes);
	opencl_fail(why, what, error);
	return NULL;
}

static void cl_free(struct gpu *g, void *buffer)
{
	(void)g;
	clReleaseMemObject(buffer);
}

static int cl_write(
    struct gpu *g, void *buffer, size_t at, const void *from, size_t bytes, char *why)
{
	const struct opencl *cl = g->device;
	const cl_int error = clEnqueueWriteBuffer(
	    cl->queue, buffer, CL_TRUE, at, bytes, from, 0, NULL, NULL);

	return error ? opencl_fail(why, "writing to the device", error) : 0;
}

static int cl_read(
    struct gpu *g, void *buffer, size_t at, void *to, size_t bytes, char *why)
{
	const struct opencl *cl = g->device;
	const cl_int error =
	    clEnqueueReadBuffer(cl->queue, buffer, CL_TRUE, at, bytes, to, 0, NULL, NULL);

	return error ? opencl_fail(why, "reading from the device", error) : 0;
}

static void *build(struct gpu *g, const char *source, const char *options, char *why)
{
	return opencl_build(g, source, options, why);
}

static void unbuild(struct gpu *g, void *program)
{
	(void)g;
	clReleaseProgram(program);
}

static void *kernel(struct gpu *g, void *program, const char *name, char *why)
{
	cl_int error;
	cl_kernel k = clCreateKernel(program, name, &error);

	(void)g;
	if (error == CL_SUCCESS)
		return k;
	opencl_fail(why, name, error);
	return NULL;
}

static void drop(struct gpu *g, void *k)
{
	(void)g;
	clReleaseKernel(k);
}

static size_t arg_size(const struct gpu_arg *arg)
{
	static const size_t sizes[] = {
		[GPU_BUFFER] = sizeof(cl_mem),
		[GPU_INT] = sizeof(cl_int),
		[GPU_LONG] = sizeof(cl_long),
		[GPU_FLOAT] = sizeof(cl_float),
		[GPU_DOUBLE] = sizeof(cl_double),
	};

	return sizes[arg->type];
}

static int launch(struct gpu *g, void *k, uint32_t groups, uint32_t group_size,
    const struct gpu_arg *arg, size_t args, char *why)
{
	const struct opencl *cl = g->device;
	const size_t local = group_size, global = (size_t)groups * group_size;
	cl_int error = CL_SUCCESS;

	for (size_t i = 0; i < args && !error; i++)
		error = clSetKernelArg(k, (cl_uint)i, arg_size(&arg[i]), &arg[i].value);
	if (!error)
		error = clEnqueueNDRangeKernel(
		    cl->queue, k, 1, NULL, &global, &local, 0, NULL, NULL);
	return error ? opencl_fail(why, "starting a kernel", error) : 0;
}

static int cl_sync(struct gpu *g, char *why)
{
	const struct opencl *cl = g->device;
	const cl_int error = clFinish(cl->queue);

	return error ? opencl_fail(why, "waiting for the device", error) : 0;
}

static void cl_close(struct gpu *g)
{
	struct opencl *cl = g->device;

	if (cl->queue)
		clReleaseCommandQueue(cl->queue);
	if (cl->context)
		clReleaseContext(cl->context);
	free(cl);
}

static const struct gpu_driver driver = {
	.name = "opencl",
	.prelude = "prelude.cl",
	.own_rows = true,
	.alloc = cl_alloc,
	.free = cl_free,
	.write = cl_write,
	.read = cl_read,
	.build = build,
	.unbuild = unbuild,
	.kernel = kernel,
	.drop = drop,
	.launch = launch,
	.has_product = opencl_has_product,
	.product = opencl_product,
	.sync = cl_sync,
	.close = cl_close,
};

/* What a tile of backends/gpu/kernels/matrix.cl takes on a processor. */
static const cl_ulong wide_bytes = 288 * 1024;

/* Those for a processor or for a GPU: by the device, or as the user says. */
static int choose_kernels(struct gpu *g, char *why)
{
	const struct opencl *cl = g->device;
	const char *said = getenv("BENCH_OPENCL_KERNELS");
	cl_ulong local_bytes = 0;

	if (said && strcmp(said, "cpu") != 0 && strcmp(said, "gpu") != 0)
		return gpu_fail(
		    why, "BENCH_OPENCL_KERNELS is \"%.32s\", not cpu or gpu", said);
	clGetDeviceInfo(
	    cl->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(local_bytes), &local_bytes, NULL);
	g->wide =
	    said ? strcmp(said, "cpu") == 0 : device_type(cl->device) & CL_DEVICE_TYPE_CPU;
	g->wide = g->wide && local_bytes >= wide_bytes;
	return 0;
}

static int open_device(struct gpu *g, const struct found *found, char *why)
{
	struct opencl *cl = calloc(1, sizeof(*cl));
	char name[128], version[128], device_version[128];
	cl_int error;

	if (!cl)
		return gpu_fail(why, "out of memory");
	g->device = cl;
	cl->platform = found->platform;
	cl->device = found->device;
	device_text(cl->device, CL_DEVICE_NAME, name, sizeof(name));
	device_text(cl->device, CL_DRIVER_VERSION, version, sizeof(version));
	device_text(cl->device, CL_DEVICE_VERSION, device_version, sizeof(device_version));
	snprintf(
	    g->identity, sizeof(g->identity), "%s\n%s\n%s", name, version, device_version);
	if (choose_kernels(g, why))
		return -1;
	g->dtypes = device_dtypes(cl->device);
	g->units = device_units(cl->device);
	cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &error);
	if (error)
		return opencl_fail(why, "creating a context", error);
	cl->queue = clCreateCommandQueue(cl->context, cl->device, 0, &error);
	return error ? opencl_fail(why, "creating a queue", error) : 0;
}

static struct backend_session *open(const struct backend_config *config, char *why)
{
	struct found found[DEVICES_MAX];
	const int count = find_devices(found, DEVICES_MAX, why);

	if ((int64_t)config->device >= count) {
		if (count)
			gpu_fail(
			    why, "there is no device %u, only %d", config->device, count);
		return NULL;
	}
	struct gpu *g = gpu_new(&driver, config, why);

	if (g && open_device(g, &found[config->device], why)) {
		gpu_close((struct backend_session *)g);
		return NULL;
	}
	return (struct backend_session *)g;
}

__attribute__((visibility("default"))) extern const struct backend bench_backend;
const struct backend bench_backend = {
	.name = "opencl",
	.summary = "OpenCL devices: kernels of benchutils, matrix products by CLBlast",
	.probe = probe,
	.open = open,
	GPU_HOOKS,
};

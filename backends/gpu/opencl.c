/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The backend opencl runs operations on any device of an OpenCL platform with a compiler.
 */
#include <stdio.h>
#include <stdlib.h>

#include "gpu.h"
#include "opencl_priv.h"

static void *buffer_alloc(struct gpu *g, size_t bytes, char *why)
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

static void buffer_free(struct gpu *g, void *buffer)
{
	(void)g;
	clReleaseMemObject(buffer);
}

static int buffer_write(
    struct gpu *g, void *buffer, size_t at, const void *from, size_t bytes, char *why)
{
	const struct opencl *cl = g->device;
	const cl_int error = clEnqueueWriteBuffer(
	    cl->queue, buffer, CL_TRUE, at, bytes, from, 0, NULL, NULL);

	return error ? opencl_fail(why, "writing to the device", error) : 0;
}

static int buffer_read(
    struct gpu *g, void *buffer, size_t at, void *to, size_t bytes, char *why)
{
	const struct opencl *cl = g->device;
	const cl_int error =
	    clEnqueueReadBuffer(cl->queue, buffer, CL_TRUE, at, bytes, to, 0, NULL, NULL);

	return error ? opencl_fail(why, "reading from the device", error) : 0;
}

static void program_release(struct gpu *g, void *program)
{
	(void)g;
	clReleaseProgram(program);
}

static void *kernel_create(struct gpu *g, void *program, const char *name, char *why)
{
	cl_int error;
	cl_kernel k = clCreateKernel(program, name, &error);

	(void)g;
	if (error == CL_SUCCESS)
		return k;
	opencl_fail(why, name, error);
	return NULL;
}

static void kernel_release(struct gpu *g, void *k)
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

static int kernel_launch(struct gpu *g, void *k, uint32_t groups, uint32_t group_size,
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

static int queue_wait(struct gpu *g, char *why)
{
	const struct opencl *cl = g->device;
	const cl_int error = clFinish(cl->queue);

	return error ? opencl_fail(why, "waiting for the device", error) : 0;
}

static void device_close(struct gpu *g)
{
	struct opencl *cl = g->device;

	if (cl->queue)
		clReleaseCommandQueue(cl->queue);
	if (cl->context)
		clReleaseContext(cl->context);
	free(cl);
}

static const struct gpu_driver opencl_driver = {
	.name = "opencl",
	.prelude = "prelude.cl",
	.own_rows = true,
	.alloc = buffer_alloc,
	.free = buffer_free,
	.write = buffer_write,
	.read = buffer_read,
	.build = opencl_build,
	.unbuild = program_release,
	.kernel = kernel_create,
	.drop = kernel_release,
	.launch = kernel_launch,
	.has_product = opencl_has_product,
	.product = opencl_product,
	.sync = queue_wait,
	.close = device_close,
};

static int device_open(struct gpu *g, const struct opencl_found *found, char *why)
{
	struct opencl *cl = calloc(1, sizeof(*cl));
	cl_int error;

	if (!cl)
		return hook_fail(why, "out of memory");
	g->device = cl;
	cl->platform = found->platform;
	cl->device = found->device;
	if (opencl_describe(g, why))
		return -1;
	cl->context = clCreateContext(NULL, 1, &cl->device, NULL, NULL, &error);
	if (error)
		return opencl_fail(why, "creating a context", error);
	cl->queue = clCreateCommandQueue(cl->context, cl->device, 0, &error);
	return error ? opencl_fail(why, "creating a queue", error) : 0;
}

static struct backend_session *session_open(const struct backend_config *config, char *why)
{
	struct opencl_found found[OPENCL_DEVICES_MAX];
	const int count = opencl_find(found, OPENCL_DEVICES_MAX, why);

	if ((int64_t)config->device >= count) {
		if (count)
			hook_fail(why, "no device %u; there are %d", config->device, count);
		return NULL;
	}
	struct gpu *g = gpu_new(&opencl_driver, config, why);

	if (g && device_open(g, &found[config->device], why)) {
		gpu_close((struct backend_session *)g);
		return NULL;
	}
	return (struct backend_session *)g;
}

__attribute__((visibility("default"))) extern const struct backend bench_backend;
const struct backend bench_backend = {
	.name = "opencl",
	.summary = "OpenCL devices: kernels of benchutils, matrix products by CLBlast",
	.probe = opencl_probe,
	.open = session_open,
	GPU_HOOKS,
};

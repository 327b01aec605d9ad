/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds OpenCL programs, or takes them from the cache.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_cache.h"
#include "opencl_priv.h"

static cl_program cache_load(struct gpu *g, const char *source, const char *options)
{
	const struct opencl *cl = g->device;
	size_t bytes;
	cl_int status = CL_SUCCESS, error;
	unsigned char *data = gpu_cache_get(g, source, options, &bytes);

	if (!data)
		return NULL;
	cl_program program = clCreateProgramWithBinary(cl->context, 1, &cl->device, &bytes,
	    (const unsigned char **)&data, &status, &error);

	free(data);
	if (error)
		return NULL;
	if (status || clBuildProgram(program, 1, &cl->device, options, NULL, NULL)) {
		clReleaseProgram(program);
		return NULL;
	}
	return program;
}

static void cache_store(
    struct gpu *g, const char *source, const char *options, cl_program program)
{
	size_t bytes = 0;
	unsigned char *data = NULL;

	if (!clGetProgramInfo(
	        program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL) &&
	    bytes)
		data = malloc(bytes);
	if (data &&
	    !clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(data), &data, NULL))
		gpu_cache_put(g, source, options, data, bytes);
	free(data);
}

/* Writes to why the first line of the log that has an error, else its first line. */
static void log_report(const struct opencl *cl, cl_program program, char *why)
{
	enum { LOG = 1 << 16 };
	char *log = calloc(1, LOG);
	const char *line;

	hook_fail(why, "a kernel does not compile");
	if (!log)
		return;
	if (clGetProgramBuildInfo(
	        program, cl->device, CL_PROGRAM_BUILD_LOG, LOG - 1, log, NULL) == 0) {
		line = strstr(log, "error:");
		line = line ? line : log + strspn(log, " \n");
		if (*line)
			hook_fail(why, "a kernel does not compile: %.*s",
			    (int)strcspn(line, "\n"), line);
	}
	free(log);
}

void *opencl_build(struct gpu *g, const char *source, const char *options, char *why)
{
	const struct opencl *cl = g->device;
	cl_program program = cache_load(g, source, options);
	cl_int error;

	if (program)
		return program;
	program = clCreateProgramWithSource(cl->context, 1, &source, NULL, &error);
	if (error) {
		opencl_fail(why, "creating a program", error);
		return NULL;
	}
	error = clBuildProgram(program, 1, &cl->device, options, NULL, NULL);
	if (error) {
		log_report(cl, program, why);
		clReleaseProgram(program);
		return NULL;
	}
	cache_store(g, source, options, program);
	return program;
}

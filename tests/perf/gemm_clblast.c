/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A product of two N by N matrices of float32 by CLBlast with its default parameters:
 * gemm_clblast DEVICE N prints the median of the rates in flop/s on the first device of
 * this name. Queue and buffers are created once. Status 1 means that there is no such
 * device.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <clblast_c.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLATFORMS = 16, DEVICES = 16, SAMPLES = 11, WARMUPS = 3 };

static cl_device_id find(const char *wanted)
{
	cl_platform_id platform[PLATFORMS];
	cl_uint platforms = 0;

	if (clGetPlatformIDs(PLATFORMS, platform, &platforms) != CL_SUCCESS)
		return NULL;
	for (cl_uint p = 0; p < platforms && p < PLATFORMS; p++) {
		cl_device_id device[DEVICES];
		cl_uint devices = 0;

		if (clGetDeviceIDs(platform[p], CL_DEVICE_TYPE_ALL, DEVICES, device,
		        &devices) != CL_SUCCESS)
			continue;
		for (cl_uint d = 0; d < devices && d < DEVICES; d++) {
			char name[256] = "";

			clGetDeviceInfo(
			    device[d], CL_DEVICE_NAME, sizeof(name) - 1, name, NULL);
			if (strcmp(name, wanted) == 0)
				return device[d];
		}
	}
	return NULL;
}

static cl_mem matrix(cl_context context, size_t n)
{
	float *host = malloc(n * n * sizeof(*host));
	cl_int error;

	if (!host)
		err(2, "%zu floats", n * n);
	for (size_t i = 0; i < n * n; i++)
		host[i] = (float)rand() / (float)RAND_MAX - 0.5F;
	cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
	    n * n * sizeof(*host), host, &error);
	if (error != CL_SUCCESS)
		errx(2, "clCreateBuffer: %d", error);
	free(host);
	return m;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	cl_int error;

	if (argc != 3)
		errx(2, "usage: gemm_clblast DEVICE N");
	const size_t n = strtoul(argv[2], NULL, 10);
	cl_device_id device = find(argv[1]);
	if (!device)
		errx(1, "there is no device '%s'", argv[1]);
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	if (error != CL_SUCCESS)
		errx(2, "clCreateContext: %d", error);
	cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
	if (error != CL_SUCCESS)
		errx(2, "clCreateCommandQueue: %d", error);
	cl_mem a = matrix(context, n), b = matrix(context, n), c = matrix(context, n);

	double seconds[SAMPLES];
	for (int i = -WARMUPS; i < SAMPLES; i++) {
		struct timespec from, to;

		clock_gettime(CLOCK_MONOTONIC, &from);
		CLBlastStatusCode status = CLBlastSgemm(CLBlastLayoutRowMajor,
		    CLBlastTransposeNo, CLBlastTransposeNo, n, n, n, 1, a, 0, n, b, 0, n, 0,
		    c, 0, n, &queue, NULL);
		if (status != CLBlastSuccess)
			errx(2, "CLBlastSgemm: %d", status);
		clFinish(queue);
		clock_gettime(CLOCK_MONOTONIC, &to);
		if (i >= 0)
			seconds[i] = (double)(to.tv_sec - from.tv_sec) +
			             (double)(to.tv_nsec - from.tv_nsec) / 1e9;
	}
	qsort(seconds, SAMPLES, sizeof(*seconds), ascending);
	printf("%.6g\n", 2 * (double)(n * n * n) / seconds[SAMPLES / 2]);
	return 0;
}

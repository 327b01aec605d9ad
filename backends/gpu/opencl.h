/*
 * What the files of the opencl backend share.
 */
#ifndef OPENCL_H
#define OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "gpu.h"

/* struct gpu's device. */
struct opencl {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	char
	    identity[512]; /* device, driver and platform, as a cached program depends on */
};

/* "what: CL_OUT_OF_RESOURCES (-5)"; -1. */
int opencl_fail(char *why, const char *what, cl_int code);

/* From the cache or built, and then cached; NULL and why. */
cl_program opencl_build(struct gpu *g, const char *source, const char *options, char *why);

/* CLBlast's products. */
bool opencl_has_product(struct gpu *g, const struct gpu_product *p);
int opencl_product(struct gpu *g, const struct gpu_product *p, char *why);

#endif

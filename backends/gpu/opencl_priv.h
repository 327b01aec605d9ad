/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares the devices, programs and products that the driver in opencl.c uses.
 */
#ifndef GPU_OPENCL_PRIV_H
#define GPU_OPENCL_PRIV_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "gpu_session.h"

/* The `device` of struct gpu. */
struct opencl {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
};

enum { OPENCL_DEVICES_MAX = 64 };

/* A device that can be used. */
struct opencl_found {
	cl_platform_id platform;
	cl_device_id device;
};

/* Writes "what: CL_OUT_OF_RESOURCES" to why and returns -1. */
int opencl_fail(char *why, const char *what, cl_int code);

/* Stores at most max devices that can be used and returns their number. Writes the reasons
 * for rejecting others to why. */
int opencl_find(struct opencl_found *list, size_t max, char *why);
/* Describes the devices, as the hook of struct backend. */
int opencl_probe(struct backend_device *list, size_t max, char *why);
/* Stores the properties of the device in g. Returns 0, or -1 and why. */
int opencl_describe(struct gpu *g, char *why);

/* Returns a program from the cache, or builds and caches it. Returns NULL and why on
 * failure. */
void *opencl_build(struct gpu *g, const char *source, const char *options, char *why);

/* These return whether CLBlast computes a product, and compute it. */
bool opencl_has_product(struct gpu *g, const struct gpu_product *p);
int opencl_product(struct gpu *g, const struct gpu_product *p, char *why);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the devices of OpenCL: those with a compiler, in the order in which the platforms
 * list them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl_priv.h"

enum { PLATFORMS_MAX = 16 };

/* Reads a string of a device and trims spaces; empty if the device has none. */
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

/* Returns the types that a device computes in. Those of 16 bits are only stored: they are
 * computed in float32, even on a device with cl_khr_fp16, so all devices have them. */
static uint32_t device_dtypes(cl_device_id device)
{
	uint32_t dtypes = 1u << BACKEND_FLOAT32 | 1u << BACKEND_FLOAT16 |
	                  1u << BACKEND_BFLOAT16 | 1u << BACKEND_INT8 |
	                  1u << BACKEND_INT32 | 1u << BACKEND_UINT8;

	if (device_extends(device, "cl_khr_fp64"))
		dtypes |= 1u << BACKEND_FLOAT64;
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

/* Appends a platform or device, and why it cannot be used, to a text of BACKEND_WHY bytes.
 */
static void add_reason(char *why, const char *kind, const char *name, const char *reason)
{
	const size_t at = strlen(why);

	snprintf(
	    why + at, BACKEND_WHY - at, "%s%s%s: %s", at ? "; " : "", kind, name, reason);
}

/* Returns why a device cannot be used, or NULL. */
static const char *device_lacks(cl_device_id device)
{
	if (!device_has(device, CL_DEVICE_AVAILABLE))
		return "not available";
	return device_has(device, CL_DEVICE_COMPILER_AVAILABLE) ? NULL : "no compiler";
}

/* Adds the devices of a platform, up to max in all. Returns the new number of devices. */
static size_t find_on_platform(
    cl_platform_id platform, struct opencl_found *list, size_t count, size_t max, char *why)
{
	cl_device_id device[OPENCL_DEVICES_MAX];
	cl_uint devices = 0;
	char name[64] = "";

	clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL);
	if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, OPENCL_DEVICES_MAX, device,
	        &devices) != CL_SUCCESS)
		devices = 0;
	devices = devices < OPENCL_DEVICES_MAX ? devices : OPENCL_DEVICES_MAX;
	if (devices == 0)
		add_reason(why, "platform ", name, "no device");
	for (cl_uint d = 0; d < devices; d++) {
		const char *lacks = device_lacks(device[d]);

		if (lacks) {
			device_text(device[d], CL_DEVICE_NAME, name, sizeof(name));
			add_reason(why, "", name, lacks);
		} else if (count < max)
			list[count++] = (struct opencl_found){ platform, device[d] };
	}
	return count;
}

int opencl_find(struct opencl_found *list, size_t max, char *why)
{
	cl_platform_id platform[PLATFORMS_MAX];
	cl_uint platforms = 0;
	size_t count = 0;
	const cl_int error = clGetPlatformIDs(PLATFORMS_MAX, platform, &platforms);

	why[0] = '\0';
	if (error != CL_SUCCESS || platforms == 0) {
		hook_fail(why, "no OpenCL platform is installed");
		return 0;
	}
	platforms = platforms < PLATFORMS_MAX ? platforms : PLATFORMS_MAX;
	for (cl_uint i = 0; i < platforms; i++)
		count = find_on_platform(platform[i], list, count, max, why);
	return (int)count;
}

/* Stores the platform, the version, and the arithmetic of the types of 16 bits or a missing
 * extension. The version is shortened if they do not fit. */
static void device_detail(
    const struct opencl_found *found, const char *version, char *to, size_t size)
{
	const char *arithmetic =
	    device_extends(found->device, "cl_khr_fp64")
	        ? "; float16 and bfloat16 in float32"
	        : "; without cl_khr_fp64; float16 and bfloat16 in float32";
	const size_t most = size - 1 - strlen(arithmetic);
	char platform[96] = "";

	clGetPlatformInfo(
	    found->platform, CL_PLATFORM_NAME, sizeof(platform) - 1, platform, NULL);
	const int length = snprintf(to, most + 1, "%.60s, %s", platform, version);
	const size_t shown = (size_t)length < most ? (size_t)length : most;

	snprintf(to + shown, size - shown, "%s", arithmetic);
}

/* Writes the PCI address of a device whose driver has cl_khr_pci_bus_info. */
static void device_pci(cl_device_id device, char *to, size_t size)
{
	cl_device_pci_bus_info_khr at;

	if (clGetDeviceInfo(device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof(at), &at, NULL) ==
	    CL_SUCCESS)
		snprintf(to, size, "%04x:%02x:%02x.%x", at.pci_domain, at.pci_bus,
		    at.pci_device, at.pci_function);
}

int opencl_probe(struct backend_device *list, size_t max, char *why)
{
	struct opencl_found found[OPENCL_DEVICES_MAX];
	const int count =
	    opencl_find(found, max < OPENCL_DEVICES_MAX ? max : OPENCL_DEVICES_MAX, why);

	for (int i = 0; i < count; i++) {
		struct backend_device *d = &list[i];
		cl_device_id device = found[i].device;
		const cl_device_type type = device_type(device);
		char version[96];
		cl_ulong memory = 0;

		*d = (struct backend_device){ .units = device_units(device),
			.dtypes = device_dtypes(device) };
		device_text(device, CL_DEVICE_NAME, d->name, sizeof(d->name));
		device_text(device, CL_DRIVER_VERSION, d->version, sizeof(d->version));
		device_text(device, CL_DEVICE_VERSION, version, sizeof(version));
		device_detail(&found[i], version, d->detail, sizeof(d->detail));
		device_pci(device, d->pci, sizeof(d->pci));
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

/* The local memory of a tile of kernels/matrix.cl on a processor. */
static const cl_ulong wide_bytes = 288 * 1024;

/* Chooses the kernels for a processor or for a GPU, by the device or the user's setting. */
static int device_choose_kernels(struct gpu *g, char *why)
{
	const struct opencl *cl = g->device;
	const char *said = getenv("BENCH_OPENCL_KERNELS");
	cl_ulong local_bytes = 0;

	if (said && strcmp(said, "cpu") != 0 && strcmp(said, "gpu") != 0)
		return hook_fail(
		    why, "BENCH_OPENCL_KERNELS is \"%.32s\", not cpu or gpu", said);
	clGetDeviceInfo(
	    cl->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(local_bytes), &local_bytes, NULL);
	g->wide =
	    said ? strcmp(said, "cpu") == 0 : device_type(cl->device) & CL_DEVICE_TYPE_CPU;
	g->wide = g->wide && local_bytes >= wide_bytes;
	return 0;
}

/* Returns the size of the vectors that the kernels for processors use: 64 bytes if the
 * device has them, and otherwise 32. */
static uint32_t device_vector_bytes(cl_device_id device)
{
	cl_uint floats = 0;

	clGetDeviceInfo(
	    device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof(floats), &floats, NULL);
	return floats >= 16 ? 64 : 32;
}

int opencl_describe(struct gpu *g, char *why)
{
	const struct opencl *cl = g->device;
	char name[128], version[128], device_version[128];

	device_text(cl->device, CL_DEVICE_NAME, name, sizeof(name));
	device_text(cl->device, CL_DRIVER_VERSION, version, sizeof(version));
	device_text(cl->device, CL_DEVICE_VERSION, device_version, sizeof(device_version));
	snprintf(
	    g->identity, sizeof(g->identity), "%s\n%s\n%s", name, version, device_version);
	g->dtypes = device_dtypes(cl->device);
	g->units = device_units(cl->device);
	g->vector_bytes = device_vector_bytes(cl->device);
	return device_choose_kernels(g, why);
}

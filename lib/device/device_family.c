/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses devices of families, and for auto; see device_family_priv.h.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_family_priv.h"

enum { WAYS_MAX = 4 };

/* A way to the devices of a family: a backend and which of its devices. */
struct family_way {
	const char *backend; /* NULL after the last way */
	/* A glob for the word of the device; NULL means any. */
	const char *word;
	/* A glob for the name, the platform or the version of a device other than a
	 * processor; NULL means any device. */
	const char *about;
};

/* The families, with their ways from the best one to the last; see bench-kernels(7). */
static const struct device_family {
	const char *name;
	struct family_way way[WAYS_MAX + 1];
	const char *what;   /* the meaning of the name, if no backend is made for it */
	const char *remedy; /* what to install */
} families[] = {
	{ "cuda",
	    { { "cuda", NULL, NULL }, { "onnxruntime", "cuda", NULL },
	        { "opencl", NULL, "*NVIDIA*" } },
	    NULL, NULL },
	{ "rocm",
	    { { "hip", NULL, NULL }, { "onnxruntime", "migraphx", NULL },
	        { "onnxruntime", "rocm", NULL }, { "opencl", NULL, "*AMD*" } },
	    NULL, NULL },
	{ "hip",
	    { { "hip", NULL, NULL }, { "onnxruntime", "migraphx", NULL },
	        { "onnxruntime", "rocm", NULL }, { "opencl", NULL, "*AMD*" } },
	    NULL, NULL },
	{ "mps", { { "onnxruntime", "coreml", NULL }, { "opencl", NULL, "*Apple*" } },
	    "Apple's GPUs, which only macOS supports", NULL },
	{ "openvino",
	    { { "openvino", NULL, NULL }, { "onnxruntime", "openvino", NULL },
	        { "opencl", NULL, "*Intel*" } },
	    NULL, NULL },
	{ "qnn", { { "onnxruntime", "qnn", NULL }, { "opencl", NULL, "*QUALCOMM*" } },
	    "Qualcomm's accelerators",
	    "install their provider, as with pip install onnxruntime onnxruntime-qnn" },
	{ "tpu", { { NULL, NULL, NULL } },
	    "Google's accelerators, which have no driver for C programs", NULL },
	{ "webgpu", { { "onnxruntime", "webgpu", NULL }, { "opencl", NULL, "*" } },
	    "the GPU interface of browsers",
	    "install ONNX Runtime with its provider WebGPU" },
	{ "webnn",
	    { { "openvino", "npu", NULL }, { "openvino", "gpu*", NULL },
	        { "opencl", NULL, "*" } },
	    "the accelerator interface of browsers",
	    "install OpenVINO and the driver of an NPU or GPU" },
};

/* The choices of auto: the first backend that has a device of the type, where NULL means
 * any. */
static const struct {
	const char *backend, *type;
} best[] = {
	{ "cuda", NULL },
	{ "hip", NULL },
	{ "opencl", "gpu" },
	{ "opencl", "accelerator" },
	{ "cpu", NULL },
	{ "opencl", NULL },
	{ "ref", NULL },
};

/* How to get the plug-in of a backend that this build lacks. */
static const struct {
	const char *backend, *remedy;
} builds[] = {
	{ "opencl", "install ocl-icd-opencl-dev and libclblast-dev, as on Debian, and run "
	            "make again" },
};

const char *device_family_build(const char *backend)
{
	for (size_t i = 0; i < COUNT(builds); i++)
		if (strcmp(builds[i].backend, backend) == 0)
			return builds[i].remedy;
	return "run make again";
}

const struct device_family *device_family(const char *name)
{
	for (size_t i = 0; i < COUNT(families); i++)
		if (strcmp(families[i].name, name) == 0)
			return &families[i];
	return NULL;
}

const char *device_family_name(size_t index)
{
	return index < COUNT(families) ? families[index].name : NULL;
}

bool device_family_needs(const struct device_family *family, const char *backend)
{
	for (size_t i = 0; !family && i < COUNT(best); i++)
		if (strcmp(best[i].backend, backend) == 0)
			return true;
	for (size_t i = 0; family && family->way[i].backend; i++)
		if (strcmp(family->way[i].backend, backend) == 0)
			return true;
	return false;
}

bool device_family_of_any(const char *backend)
{
	bool any = device_family_needs(NULL, backend);

	for (size_t i = 0; i < COUNT(families); i++)
		any = any || device_family_needs(&families[i], backend);
	return any;
}

/* Returns whether a glob matches the name, detail or version of a device. */
static bool matches_about(const struct backend_device *d, const char *glob)
{
	return fnmatch(glob, d->name, FNM_CASEFOLD) == 0 ||
	       fnmatch(glob, d->detail, FNM_CASEFOLD) == 0 ||
	       fnmatch(glob, d->version, FNM_CASEFOLD) == 0;
}

static bool is_on_way(const struct family_way *way, const struct backend_device *d)
{
	if (way->word && fnmatch(way->word, d->word, FNM_CASEFOLD) != 0)
		return false;
	return !way->about || (strcmp(d->type, "cpu") != 0 && matches_about(d, way->about));
}

/* Returns whether a device is usable, on a way and of a type; NULL means any type. */
static bool is_taken(
    const struct backend_device *d, const struct family_way *way, const char *type)
{
	return !*d->unusable && is_on_way(way, d) && (!type || strcmp(d->type, type) == 0);
}

/* Stores the devices of a way that are taken. Returns whether there is one. */
static bool take_way(const struct devices *d, const struct family_way *way,
    const char *type, const struct device_backend *b, struct device_choice *out)
{
	size_t taken = 0;

	for (size_t i = b->first; i < b->first + b->count; i++)
		taken += is_taken(&d->device[i].about, way, type);
	if (!taken)
		return false;
	*out = (struct device_choice){ .backend = b,
		.device = mem_zero(taken, sizeof(*out->device)) };
	for (size_t i = b->first; i < b->first + b->count; i++)
		if (is_taken(&d->device[i].about, way, type))
			out->device[out->count++] = &d->device[i];
	return true;
}

/* Chooses for auto. Returns 0, or -1 and the message. */
static int choose_best(
    const struct devices *d, struct device_choice *out, struct buf *note, struct fault *f)
{
	static const struct family_way any = { 0 };

	for (size_t i = 0; i < COUNT(best); i++) {
		const struct device_backend *b = devices_backend(d, best[i].backend);

		if (b && take_way(d, &any, best[i].type, b, out)) {
			buf_printf(note, "backend auto: %s (%s)\n", b->file->name,
			    out->device[0]->about.name);
			return 0;
		}
	}
	return fault_set(f, "backend auto: no backend has a device");
}

/* Appends why a way leads to no device. */
static void explain_way(const struct devices *d, const struct device_family *family,
    const struct family_way *way, struct buf *why)
{
	const struct device_backend *b = devices_backend(d, way->backend);
	bool native = way == family->way && !way->word;

	if (why->len)
		buf_str(why, "; ");
	if (!b) {
		buf_printf(why, "this build has no plug-in '%s' (%s)", way->backend,
		    device_family_build(way->backend));
		return;
	}
	for (size_t i = b->first; i < b->first + b->count; i++) {
		const struct backend_device *about = &d->device[i].about;

		if (!is_on_way(way, about))
			continue;
		buf_printf(why, "%s:%s: %s", way->backend, about->word, about->unusable);
		return;
	}
	if (native && !b->count)
		buf_str(why, b->why);
	else if (way->word && !b->count)
		/* Without its remedy, which is not that of the family. */
		buf_printf(
		    why, "%s: %.*s", way->backend, (int)strcspn(b->why, ":"), b->why);
	else
		buf_printf(why, "%s has no such device",
		    strcmp(way->backend, "opencl") == 0 ? "OpenCL" : way->backend);
}

/* Sets the message about a family none of whose ways leads to a device. Returns -1. */
static int explain_family(
    const struct devices *d, const struct device_family *family, struct fault *f)
{
	struct buf why = { 0 };

	if (family->what)
		buf_str(&why, family->what);
	if (!family->way[0].backend)
		buf_str(&why, "; there is no backend for this");
	for (const struct family_way *way = family->way; way->backend; way++) {
		const struct device_backend *b = devices_backend(d, way->backend);
		bool first = way == family->way;

		/* One reason for each backend; a missing plug-in matters only for a
		 * native one. */
		if (first ? !way->word || b
		          : b && strcmp(way[-1].backend, way->backend) != 0)
			explain_way(d, family, way, &why);
		/* The reason of a native backend is sufficient. */
		if (first && b && !way->word)
			break;
	}
	if (family->remedy)
		buf_printf(&why, "; %s", family->remedy);
	fault_set(f, "backend '%s' is unavailable: %s", family->name, why.ptr);
	buf_free(&why);
	return -1;
}

/* Stores the devices of the first way that leads to some, without ways to engines if
 * `kernel` is true. Returns whether there is one. */
static bool try_ways(const struct devices *d, const struct device_family *family,
    bool kernel, struct device_choice *out)
{
	for (const struct family_way *way = family->way; way->backend; way++) {
		const struct device_backend *b = devices_backend(d, way->backend);

		if (b && !(kernel && *b->formats) && take_way(d, way, NULL, b, out))
			return true;
	}
	return false;
}

int device_family_choose(const struct devices *d, const struct device_family *family,
    bool kernel, struct device_choice *out, struct buf *note, struct fault *f)
{
	const char *name;

	if (!family)
		return choose_best(d, out, note, f);
	if (!(kernel && try_ways(d, family, true, out)) && !try_ways(d, family, false, out))
		return explain_family(d, family, f);
	name = out->backend->file->name;
	if (strcmp(name, family->name) != 0)
		buf_printf(note, "backend %s: through %s (%s)\n", family->name, name,
		    out->device[0]->about.name);
	return 0;
}

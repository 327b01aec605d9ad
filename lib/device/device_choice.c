/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choosing; see device_choice.h.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_choice.h"
#include "text/units.h"

static const char cuda_headers[] = "CUDA's headers, nvidia-cuda-dev on Debian",
                  hip_headers[] = "HIP's headers, libamdhip64-dev on Debian";

/*
 * Families by other names: a backend of their own where there is one, else OpenCL, where a
 * device of it that is no processor has such a name, platform or version. bench-run(1)
 * documents all of them, and people ask for devices by the names that their frameworks
 * use: those without a backend here may have an OpenCL driver (openvino: an Intel GPU), and
 * otherwise the error says what the name stands for instead of "there is no backend".
 */
static const struct device_family {
	const char *name, *native, *opencl;
	const char *headers; /* what the native plug-in is built with ... */
	const char *what;    /* ... or, where there is none, what the name stands for */
} families[] = {
	{ "cuda", "cuda", "*NVIDIA*", cuda_headers, NULL },
	{ "rocm", "hip", "*AMD*", hip_headers, NULL },
	{ "hip", "hip", "*AMD*", hip_headers, NULL },
	{ "mps", NULL, "*Apple*", NULL, "Apple's GPUs, on macOS alone" },
	{ "openvino", NULL, "*Intel*", NULL, "Intel's GPUs and NPUs" },
	{ "qnn", NULL, "*QUALCOMM*", NULL, "Qualcomm's accelerators" },
	{ "tpu", NULL, NULL, NULL,
	    "Google's accelerators, which have no driver for C programs here" },
	{ "webgpu", NULL, "*", NULL, "a browser's way to the GPU" },
	{ "webnn", NULL, "*", NULL, "a browser's way to accelerators" },
};

/* What auto takes: the first of these that has a device of this type (NULL: any). */
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

static bool matches_name(const struct backend_device *d, const char *glob)
{
	return fnmatch(glob, d->name, FNM_CASEFOLD) == 0 ||
	       fnmatch(glob, d->detail, FNM_CASEFOLD) == 0 ||
	       fnmatch(glob, d->version, FNM_CASEFOLD) == 0;
}

/* The backend's devices of a type that match; NULL: all. */
static void add_matches(const struct devices *d, const struct device_backend *b,
    const char *type, const char *glob, struct device_choice *out)
{
	*out = (struct device_choice){ .backend = b,
		.device = mem_zero(b->count + 1, sizeof(*out->device)) };
	for (size_t i = b->first; i < b->first + b->count; i++) {
		const struct backend_device *about = &d->device[i].about;

		if ((!type || strcmp(about->type, type) == 0) &&
		    (!glob ||
		        (strcmp(about->type, "cpu") != 0 && matches_name(about, glob))))
			out->device[out->count++] = &d->device[i];
	}
	if (!out->count)
		device_choice_free(out);
}

static int choose_best(
    const struct devices *d, struct device_choice *out, struct buf *note, struct fault *f)
{
	for (size_t i = 0; i < COUNT(best); i++) {
		const struct device_backend *b = devices_backend(d, best[i].backend);

		if (!b)
			continue;
		add_matches(d, b, best[i].type, NULL, out);
		if (!out->count)
			continue;
		buf_printf(note, "backend auto: %s (%s)\n", b->file->name,
		    out->device[0]->about.name);
		return 0;
	}
	return fault_set(f, "backend auto: there is no device at all");
}

/* Through OpenCL, when no backend of its own has one. */
static int choose_family(const struct devices *d, const struct device_family *family,
    struct device_choice *out, struct buf *note, struct fault *f)
{
	const struct device_backend *native =
	    family->native ? devices_backend(d, family->native) : NULL;
	const struct device_backend *opencl = devices_backend(d, "opencl");

	if (native && native->count) {
		add_matches(d, native, NULL, NULL, out);
		return 0;
	}
	if (opencl && family->opencl) {
		add_matches(d, opencl, NULL, family->opencl, out);
		if (out->count) {
			buf_printf(note, "backend %s: through opencl (%s)\n", family->name,
			    out->device[0]->about.name);
			return 0;
		}
	}
	if (native)
		return fault_set(
		    f, "backend '%s' is unavailable: %s", family->name, native->why);
	if (family->native)
		return fault_set(f,
		    "backend '%s' is unavailable: this build has no plug-in '%s' (install "
		    "%s "
		    "and run make again), and OpenCL has no such device",
		    family->name, family->native, family->headers);
	return fault_set(f, "backend '%s' is unavailable: %s; it has no backend here%s",
	    family->name, family->what,
	    family->opencl ? ", and OpenCL has no such device" : "");
}

bool device_names_backend(const char *name)
{
	for (size_t i = 0; i < COUNT(families); i++)
		if (strcmp(families[i].name, name) == 0)
			return false;
	return strcmp(name, "auto") != 0;
}

int device_choose_backend(const struct devices *d, const char *name,
    struct device_choice *out, struct buf *note, struct fault *f)
{
	const struct device_backend *b;

	*out = (struct device_choice){ 0 };
	if (strcmp(name, "auto") == 0)
		return choose_best(d, out, note, f);
	for (size_t i = 0; i < COUNT(families); i++)
		if (strcmp(families[i].name, name) == 0)
			return choose_family(d, &families[i], out, note, f);
	b = devices_backend(d, name);
	if (!b)
		return fault_set(
		    f, "there is no backend '%s' (see bench-list backends)", name);
	if (!b->count)
		return fault_set(f, "backend '%s' is unavailable: %s", name, b->why);
	add_matches(d, b, NULL, NULL, out);
	return 0;
}

static bool contains_text(const char *text, struct text part)
{
	for (; *text; text++)
		if (strncasecmp(text, part.ptr, part.len) == 0)
			return true;
	return false;
}

/* By number, or the first whose name has this in it. */
static const struct device *find_device(const struct device_choice *of, struct text what)
{
	uint64_t number;

	if (what.len && bits_parse(what, &number) && isdigit((unsigned char)*what.ptr))
		return number < of->count ? of->device[number] : NULL;
	for (size_t i = 0; what.len && i < of->count; i++)
		if (contains_text(of->device[i]->about.name, what))
			return of->device[i];
	return NULL;
}

int device_choose(const struct device_choice *of, const char *value,
    struct device_choice *out, struct fault *f)
{
	size_t most = value ? strlen(value) + 1 : 1;

	*out = (struct device_choice){ .backend = of->backend,
		.device = mem_zero(most, sizeof(*out->device)) };
	if (!value) {
		out->device[out->count++] = of->device[0];
		return 0;
	}
	for (const char *p = value;; p++) {
		struct text what = { p, strcspn(p, "+") };
		const struct device *device = find_device(of, what);

		if (!device) {
			device_choice_free(out);
			return fault_set(f,
			    "backend '%s' has no device '%.*s' (see bench-list devices)",
			    of->backend->file->name, (int)what.len, what.ptr);
		}
		out->device[out->count++] = device;
		p += what.len;
		if (!*p)
			return 0;
	}
}

void device_choice_free(struct device_choice *c)
{
	free(c->device);
	*c = (struct device_choice){ 0 };
}

char *device_name(const struct devices *d, const struct device *device)
{
	for (size_t i = 0; i < d->count; i++)
		if (&d->device[i] != device && d->device[i].backend == device->backend &&
		    strcmp(d->device[i].about.name, device->about.name) == 0)
			return str_format("%s #%u", device->about.name, device->index);
	return str_copy(device->about.name);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses devices; see device_choice.h.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_choice.h"
#include "text/near_name.h"
#include "text/units.h"

static const char build_again[] = "run make again",
                  hip_headers[] = "install HIP's headers, libamdhip64-dev on Debian, and "
                                  "run make again";

/*
 * Families of devices, by the names that frameworks use; bench-run(1) documents them. A
 * family selects its native backend if there is one. Otherwise it selects OpenCL, if that
 * has a device other than a processor with a matching name, platform or version; for
 * example, openvino selects an Intel GPU. If neither has a device, the message explains the
 * name.
 */
static const struct device_family {
	const char *name, *native, *opencl;
	const char *remedy; /* how to build the native plug-in */
	const char *what;   /* the meaning of the name, if there is no native plug-in */
} families[] = {
	{ "cuda", "cuda", "*NVIDIA*", build_again, NULL },
	{ "rocm", "hip", "*AMD*", hip_headers, NULL },
	{ "hip", "hip", "*AMD*", hip_headers, NULL },
	{ "mps", NULL, "*Apple*", NULL, "Apple's GPUs, which only macOS supports" },
	{ "openvino", NULL, "*Intel*", NULL, "Intel's GPUs and NPUs" },
	{ "qnn", NULL, "*QUALCOMM*", NULL, "Qualcomm's accelerators" },
	{ "tpu", NULL, NULL, NULL,
	    "Google's accelerators, which have no driver for C programs" },
	{ "webgpu", NULL, "*", NULL, "the GPU interface of browsers" },
	{ "webnn", NULL, "*", NULL, "the accelerator interface of browsers" },
};

/* The choices of auto: the first backend that has a device of the type, where NULL means
 * any.
 */
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

/* Returns whether a glob matches the name, detail or version of a device. */
static bool matches_name(const struct backend_device *d, const char *glob)
{
	return fnmatch(glob, d->name, FNM_CASEFOLD) == 0 ||
	       fnmatch(glob, d->detail, FNM_CASEFOLD) == 0 ||
	       fnmatch(glob, d->version, FNM_CASEFOLD) == 0;
}

/* Stores the devices of a backend that are of a type and match a glob; NULL means any. */
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

/* Chooses for auto. Returns 0, or -1 and the message. */
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
	return fault_set(f, "backend auto: no backend has a device");
}

/* Chooses for a family: its native backend, or else OpenCL. Returns 0, or -1 and the
 * message.
 */
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
		    "backend '%s' is unavailable: this build has no plug-in '%s' (%s), and "
		    "OpenCL has no such device",
		    family->name, family->native, family->remedy);
	return fault_set(f,
	    "backend '%s' is unavailable: %s; there is no backend for this%s", family->name,
	    family->what, family->opencl ? ", and OpenCL has no such device" : "");
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
	if (!b) {
		struct known_names known = { .advice = "see bench-list backends" };

		known_names_add(&known, TEXT("auto"));
		for (size_t i = 0; i < d->backends; i++)
			known_names_add(&known, text_of(d->backend[i].file->name));
		for (size_t i = 0; i < COUNT(families); i++)
			if (!devices_backend(d, families[i].name))
				known_names_add(&known, text_of(families[i].name));
		return unknown_name(f, "unknown backend", text_of(name), &known);
	}
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

/* Returns the device with this number, or the first whose name contains this text. */
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

static int unknown_device(const struct device_choice *of, struct text what, struct fault *f)
{
	struct known_names known = { .advice = "see bench-list devices" };
	char *words = str_format("backend '%s' has no device", of->backend->file->name);

	for (size_t i = 0; i < of->count; i++)
		known_names_add(&known, text_of(of->device[i]->about.name));
	unknown_name(f, words, what, &known);
	free(words);
	return -1;
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
			return unknown_device(of, what, f);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The backend openvino runs whole models on the devices of OpenVINO, whose library is
 * loaded when a device is searched for or opened.
 */
#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/hook/hook.h"
#include "openvino_session.h"

enum { DEVICES_MAX = 32 };

/* A device of the list that probe returns. */
struct openvino_device {
	char name[OPENVINO_DEVICE];
	bool usable;
};

/* The families of devices. Each is listed, even if it has no device. */
static const struct {
	const char *name, *type;
} families[] = {
	{ "CPU", "cpu" },
	{ "GPU", "gpu" },
	{ "NPU", "accelerator" },
};

/* Returns whether a device belongs to a family: GPU and GPU.1 belong to GPU. */
static bool device_in_family(const char *name, const char *family)
{
	const size_t length = strlen(family);

	return strncmp(name, family, length) == 0 && strchr(".", name[length]);
}

/* Appends a device to a list. */
static void device_append(
    struct openvino_device *list, size_t *count, const char *name, bool usable)
{
	if (*count < DEVICES_MAX) {
		snprintf(list[*count].name, sizeof(list[*count].name), "%s", name);
		list[(*count)++].usable = usable;
	}
}

/* Lists the devices: those of the families in their order, others, and AUTO. Returns their
 * number, or -1 and the reason. */
static int devices_list(
    const struct backend_session *s, struct openvino_device *list, char *why)
{
	struct openvino_names found = { NULL, 0 };
	const int status = s->ov->api.core_get_available_devices(s->core, &found);
	size_t count = 0;

	if (status)
		return openvino_fail(s->ov, status, why, "the search for devices fails");
	for (size_t f = 0; f < sizeof(families) / sizeof(*families); f++) {
		const size_t before = count;

		for (size_t i = 0; i < found.count; i++)
			if (device_in_family(found.name[i], families[f].name))
				device_append(list, &count, found.name[i], true);
		if (count == before)
			device_append(list, &count, families[f].name, false);
	}
	for (size_t i = 0; i < found.count; i++) {
		bool listed = false;

		for (size_t f = 0; f < sizeof(families) / sizeof(*families); f++)
			listed |= device_in_family(found.name[i], families[f].name);
		if (!listed)
			device_append(list, &count, found.name[i], true);
	}
	device_append(list, &count, "AUTO", found.count > 0);
	s->ov->api.available_devices_free(&found);
	return (int)count;
}

/* Lists only the first device, the processor, without loading the plug-ins of others.
 * Returns 1. */
static int processor_list(const struct backend_session *s, struct openvino_device *list)
{
	char text[16];
	size_t count = 0;

	device_append(list, &count, "CPU",
	    openvino_property(s, NULL, "CPU", "FULL_DEVICE_NAME", text, sizeof(text)));
	return 1;
}

/* Writes why a family has no device. */
static void absence_describe(const char *name, char *text, size_t size)
{
	const char *reason = "OpenVINO does not find one";

	if (strcmp(name, "GPU") == 0)
		reason = "OpenVINO finds no Intel GPU: if there is one, install its driver "
		         "for OpenCL (intel-opencl-icd)";
	else if (strcmp(name, "NPU") == 0 && access("/dev/accel/accel0", F_OK) != 0)
		reason = "there is no /dev/accel/accel0: the kernel has found no NPU";
	else if (strcmp(name, "NPU") == 0)
		reason = "OpenVINO finds no Intel NPU: install its driver "
		         "(intel-level-zero-npu and intel-driver-compiler-npu)";
	snprintf(text, size, "%s", reason);
}

/* Returns the dtypes that a device computes in, from OpenVINO's names. */
static uint32_t dtypes_of(const char *capabilities)
{
	static const struct {
		const char *name;
		enum backend_dtype dtype;
	} names[] = {
		{ "FP32", BACKEND_FLOAT32 },
		{ "FP16", BACKEND_FLOAT16 },
		{ "BF16", BACKEND_BFLOAT16 },
		{ "INT8", BACKEND_INT8 },
		{ "INT8", BACKEND_UINT8 },
	};
	uint32_t bits = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (openvino_lists(capabilities, names[i].name))
			bits |= 1u << names[i].dtype;
	return bits;
}

/* Returns the number of processors that this process may use. */
static uint32_t processors_available(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return (uint32_t)CPU_COUNT(&set);
	return (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
}

/* Describes a device. */
static void device_describe(const struct backend_session *s,
    const struct openvino_device *of, struct backend_device *d)
{
	const bool automatic = strcmp(of->name, "AUTO") == 0;
	char text[1024];

	*d = (struct backend_device){ .threads = automatic };
	for (size_t f = 0; f < sizeof(families) / sizeof(*families); f++)
		if (device_in_family(of->name, families[f].name)) {
			snprintf(d->type, sizeof(d->type), "%s", families[f].type);
			d->threads = f == 0;
		}
	snprintf(d->word, sizeof(d->word), "%.*s", OPENVINO_DEVICE - 1, of->name);
	for (char *p = d->word; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	/* OpenVINO names the first of several GPUs GPU.0, and also GPU. */
	if (strlen(d->word) > 2 && strcmp(d->word + strlen(d->word) - 2, ".0") == 0)
		d->word[strlen(d->word) - 2] = '\0';
	snprintf(d->version, sizeof(d->version), "openvino %s", s->ov->version);
	snprintf(d->name, sizeof(d->name), "%.*s", OPENVINO_DEVICE - 1, of->name);
	if (!of->usable) {
		absence_describe(of->name, d->unusable, sizeof(d->unusable));
		return;
	}
	if (automatic)
		snprintf(d->name, sizeof(d->name), "the device that OpenVINO chooses");
	else if (openvino_property(
	             s, NULL, of->name, "FULL_DEVICE_NAME", text, sizeof(text)))
		snprintf(d->name, sizeof(d->name), "%.*s", (int)sizeof(d->name) - 1, text);
	if (openvino_property(s, NULL, of->name, "DEVICE_ARCHITECTURE", text, sizeof(text)))
		snprintf(
		    d->detail, sizeof(d->detail), "%.*s", (int)sizeof(d->detail) - 1, text);
	if (openvino_property(
	        s, NULL, of->name, "GPU_DEVICE_TOTAL_MEM_SIZE", text, sizeof(text)))
		d->memory_bytes = strtoull(text, NULL, 10);
	if (openvino_property(
	        s, NULL, of->name, "GPU_EXECUTION_UNITS_COUNT", text, sizeof(text)))
		d->units = (uint32_t)strtoul(text, NULL, 10);
	/* The default of the parameter threads. */
	if (d->threads)
		d->units = processors_available();
	openvino_property(
	    s, NULL, of->name, "OPTIMIZATION_CAPABILITIES", text, sizeof(text));
	d->dtypes = dtypes_of(text);
}

/* Loads the library and creates its core. Returns 0, or -1 and the reason. */
static int core_open(struct backend_session *s, char *why)
{
	int status;

	s->ov = openvino_load(why);
	if (!s->ov)
		return -1;
	status = s->ov->api.core_create(&s->core);
	if (status)
		return openvino_fail(s->ov, status, why, "OpenVINO does not start");
	/* Its threads end with the core. */
	s->ov->api.core_set_property(s->core, "CPU", "FORCE_TBB_TERMINATE", "YES");
	return 0;
}

static void session_close(struct backend_session *s)
{
	if (s->core)
		s->ov->api.core_free(s->core);
	free(s);
}

static int openvino_probe(struct backend_device *list, size_t max, char *why)
{
	struct backend_session s = { .ov = NULL };
	struct openvino_device device[DEVICES_MAX];
	int count = 0;

	if (core_open(&s, why))
		return 0;
	count = devices_list(&s, device, why);
	for (int i = 0; i < count && (size_t)i < max; i++)
		device_describe(&s, &device[i], &list[i]);
	s.ov->api.core_free(s.core);
	return count > (int)max ? (int)max : count;
}

static struct backend_session *openvino_open(const struct backend_config *config, char *why)
{
	struct backend_session *s = calloc(1, sizeof(*s));
	struct openvino_device device[DEVICES_MAX];
	char absence[BACKEND_WHY];
	int count;

	if (!s) {
		hook_fail(why, "out of memory");
		return NULL;
	}
	if (core_open(s, why) || openvino_types_find(s->ov, s->core, &s->types, why))
		goto fail;
	count =
	    config->device == 0 ? processor_list(s, device) : devices_list(s, device, why);
	if (count < 0)
		goto fail;
	if (config->device >= (uint32_t)count) {
		hook_fail(why, "OpenVINO has no device %u", (unsigned)config->device);
		goto fail;
	}
	if (!device[config->device].usable) {
		absence_describe(device[config->device].name, absence, sizeof(absence));
		hook_fail(why, "%s", absence);
		goto fail;
	}
	snprintf(s->device, sizeof(s->device), "%s", device[config->device].name);
	s->threads = config->threads ? config->threads : processors_available();
	return s;
fail:
	session_close(s);
	return NULL;
}

/* Is true of OpenVINO 2026.4 on processors, as the types of its operations show. */
static const char *int8_lack(struct backend_session *s)
{
	(void)s;
	return "OpenVINO computes MatMulInteger in float32";
}

static const struct backend_engine engine = {
	.formats = openvino_formats,
	.load = openvino_model_load,
	.unload = openvino_model_unload,
	.ports = openvino_model_ports,
	.set = openvino_model_set,
	.carry = openvino_model_carry,
	.adopt = openvino_model_adopt,
	.run = openvino_model_run,
	.get = openvino_model_get,
	.facts = openvino_model_facts,
	.time_ops = openvino_model_time_ops,
	.lacks_int8 = int8_lack,
};

__attribute__((visibility("default"))) const struct backend bench_backend = {
	.abi = BACKEND_ABI,
	.name = "openvino",
	.summary = "OpenVINO, which runs whole models",
	.probe = openvino_probe,
	.open = openvino_open,
	.close = session_close,
	.engine = &engine,
};

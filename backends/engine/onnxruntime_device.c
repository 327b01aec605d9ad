/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists providers; see onnxruntime_device.h. */
#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/hook/hook.h"
#include "onnxruntime_device.h"

static const char suffix[] = "ExecutionProvider";

/* The known providers. Others are added under their own name. */
static const struct {
	const char *provider; /* without the suffix */
	const char *name;     /* for the generic function */
	const char *type;
	int family;
} known[] = {
	{ "CUDA", NULL, "gpu", ORT_CUDA },
	{ "Tensorrt", NULL, "gpu", ORT_TENSORRT },
	{ "ROCM", NULL, "gpu", ORT_ROCM },
	{ "NvTensorRTRTX", "NvTensorRtRtx", "gpu", -1 },
	{ "MIGraphX", "MIGraphX", "gpu", -1 },
	{ "WebGPU", "WebGPU", "gpu", -1 },
	{ "WebGpu", "WebGPU", "gpu", -1 },
	{ "Dml", "DML", "gpu", -1 },
	{ "OpenVINO", "OpenVINO", "cpu", -1 },
	{ "Xnnpack", "XNNPACK", "cpu", -1 },
	{ "Dnnl", "Dnnl", "cpu", -1 },
	{ "CoreML", "CoreML", "accelerator", -1 },
	{ "QNN", "QNN", "accelerator", -1 },
	{ "VitisAI", "VitisAI", "accelerator", -1 },
};

/* The types of hardware, and the end of the word of a provider's second device. */
static const struct {
	int hardware;
	const char *type, *end;
} types[] = {
	{ ORT_HARDWARE_NPU, "accelerator", "npu" },
	{ ORT_HARDWARE_GPU, "gpu", "gpu" },
	{ ORT_HARDWARE_CPU, "cpu", "cpu" },
};

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* Fills in a provider of some name. */
static void target_describe(struct ort_target *t, const char *provider)
{
	const size_t length = strlen(provider), tail = sizeof(suffix) - 1;
	const int head = length > tail && strcmp(provider + length - tail, suffix) == 0
	                     ? (int)(length - tail)
	                     : (int)length;

	*t = (struct ort_target){ .type = "accelerator", .family = -1 };
	snprintf(t->provider, sizeof(t->provider), "%s", provider);
	snprintf(t->word, sizeof(t->word), "%.*s", head, provider);
	t->name = "";
	for (size_t i = 0; i < COUNT_OF(known); i++)
		if (strcmp(t->word, known[i].provider) == 0) {
			t->name = known[i].name;
			t->type = known[i].type;
			t->family = known[i].family;
		}
	for (char *p = t->word; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	if (strcmp(t->word, "cpu") == 0) {
		t->type = "cpu";
		t->name = NULL;
	}
}

/* Adds a provider that is part of ONNX Runtime; not Azure's, which computes elsewhere. */
static int add_builtin(struct ort_target *list, int count, const char *provider)
{
	if (count == ORT_TARGETS || strncmp(provider, "Azure", 5) == 0)
		return count;
	target_describe(&list[count], provider);
	return count + 1;
}

static bool has_word(const struct ort_target *list, int count, const char *word)
{
	for (int i = 0; i < count; i++)
		if (strcmp(list[i].word, word) == 0)
			return true;
	return false;
}

/* Adds a device of a provider that has a library of its own. */
static int add_device(const struct ort *o, struct ort_target *list, int count, int builtin,
    const struct ort_device *device, size_t type)
{
	const char *provider = o->api.device_provider(device);
	const struct ort_pairs *about = o->api.device_metadata(device);
	const char *version = about ? o->api.pairs_get(about, "version") : NULL;
	struct ort_target *t = &list[count];

	for (int i = 0; i < builtin; i++)
		if (strcmp(list[i].provider, provider) == 0)
			return count;
	if (count == ORT_TARGETS)
		return count;
	target_describe(t, provider);
	t->device = device;
	t->type = types[type].type;
	snprintf(t->version, sizeof(t->version), "%s", version ? version : "");
	if (has_word(list, count, t->word))
		snprintf(t->word + strlen(t->word), sizeof(t->word) - strlen(t->word),
		    "_%s", types[type].end);
	/* Qualcomm has no processors for servers: on one, its library emulates the
	 * accelerator. */
	if (strcmp(provider, ORT_QNN) == 0 && types[type].hardware == ORT_HARDWARE_CPU) {
		t->type = "accelerator";
		t->emulator = "libQnnHtp.so on the processor";
	}
	return count + 1;
}

int ort_targets(const struct ort *o, struct ort_target *list, size_t wanted, char *why)
{
	const struct ort_device *const *device = NULL;
	char **provider = NULL;
	size_t devices = 0;
	int providers = 0, count = 0;

	if (ort_check(o, o->api.providers(&provider, &providers), "", why))
		return -1;
	count = add_builtin(list, count, "CPUExecutionProvider");
	for (int i = 0; i < providers; i++)
		if (strcmp(provider[i], "CPUExecutionProvider") != 0)
			count = add_builtin(list, count, provider[i]);
	ort_check(o, o->api.providers_free(provider, providers), "", why);
	if (!o->api.devices || (size_t)count >= wanted)
		return count;
	ort_register_providers();
	if (ort_check(o, o->api.devices(o->env, &device, &devices), "", why))
		return -1;
	const int builtin = count;
	for (size_t t = 0; t < COUNT_OF(types); t++)
		for (size_t i = 0; i < devices; i++)
			if (o->api.hardware_type(o->api.device_hardware(device[i])) ==
			    types[t].hardware)
				count = add_device(o, list, count, builtin, device[i], t);
	for (size_t i = 0; i < o->failures && count < ORT_TARGETS; i++) {
		target_describe(&list[count], o->failure[i].name);
		list[count++].unusable = o->failure[i].why;
	}
	return count;
}

/* Adds a provider whose options have functions of their own. */
static int add_family(const struct ort *o, const struct ort_target *t,
    struct ort_options *options, const char *const *key, const char *const *value,
    size_t count, char *why)
{
	const struct ort_provider_api *api = &o->api.family[t->family];
	struct ort_provider_options *own = NULL;
	int result = -1;

	if (ort_check(o, api->create(&own), t->word, why))
		return -1;
	if (ort_check(o, api->set(own, key, value, count), t->word, why) == 0)
		result = ort_check(o, api->add(options, own), t->word, why);
	api->release(own);
	return result;
}

int ort_target_add(const struct ort *o, const struct ort_target *t,
    struct ort_options *options, const char *const *key, const char *const *value,
    size_t count, char *why)
{
	if (t->unusable)
		return hook_fail(why, "%s", t->unusable);
	if (t->device)
		return ort_check(o,
		    o->api.add_device(options, o->env, &t->device, 1, key, value, count),
		    t->word, why);
	if (t->family >= 0)
		return add_family(o, t, options, key, value, count, why);
	if (!t->name)
		return 0;
	return ort_check(o,
	    o->api.add_provider(
	        options, *t->name ? t->name : t->provider, key, value, count),
	    t->word, why);
}

/* Tries to add a provider. Stores why it cannot be used. */
static void target_try(const struct ort *o, const struct ort_target *t, char *unusable)
{
	struct ort_options *options = NULL;

	if (ort_check(o, o->api.options_new(&options), "", unusable))
		return;
	ort_target_add(o, t, options, NULL, NULL, 0, unusable);
	o->api.options_free(options);
}

/* Reads the text after the first "NAME ... :" of a file of /proc. */
static void read_proc(const char *path, const char *name, char *out, size_t size)
{
	char line[512];
	FILE *f = fopen(path, "r");

	*out = '\0';
	while (f && !*out && fgets(line, sizeof(line), f)) {
		const char *colon = strchr(line, ':');

		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, name, strlen(name)) == 0 && colon)
			snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
	}
	if (f)
		fclose(f);
}

/* Describes a provider as a device. */
static void describe_provider(
    const struct ort *o, const struct ort_target *t, struct backend_device *d)
{
	char text[128];
	cpu_set_t set;

	*d = (struct backend_device){ 0 };
	snprintf(d->word, sizeof(d->word), "%s", t->word);
	snprintf(d->type, sizeof(d->type), "%s", t->type);
	snprintf(d->version, sizeof(d->version), "onnxruntime %s%s%s", o->version,
	    *t->version ? ", provider " : "", t->version);
	snprintf(d->detail, sizeof(d->detail), "%s", t->provider);
	target_try(o, t, d->unusable);
	if (t->emulator)
		snprintf(d->warning, sizeof(d->warning),
		    "emulated by %s: its times are not the speed of a device", t->emulator);
	if (!t->name && t->family < 0) {
		read_proc("/proc/cpuinfo", "model name", text, sizeof(text));
		snprintf(d->name, sizeof(d->name), *text ? "CPU (%.100s)" : "CPU%s", text);
		read_proc("/proc/meminfo", "MemTotal", text, sizeof(text));
		d->memory_bytes = strtoull(text, NULL, 10) * 1024;
		d->units = sched_getaffinity(0, sizeof(set), &set) == 0
		               ? (uint32_t)CPU_COUNT(&set)
		               : 0;
		d->threads = true;
	} else {
		const char *vendor =
		    t->device ? o->api.hardware_vendor(o->api.device_hardware(t->device))
		              : "";
		snprintf(d->name, sizeof(d->name), "%s%s%s%s", t->word, *vendor ? " (" : "",
		    t->emulator ? "emulated" : vendor, *vendor ? ")" : "");
	}
}

int ort_probe(struct backend_device *list, size_t max, char *why)
{
	struct ort_target target[ORT_TARGETS];
	const struct ort *o = ort_load(why);
	int count;

	if (!o)
		return 0;
	count = ort_targets(o, target, ORT_TARGETS, why);
	for (int i = 0; i < count && (size_t)i < max; i++)
		describe_provider(o, &target[i], &list[i]);
	return count < 0 || (size_t)count < max ? count : (int)max;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads ONNX Runtime; see onnxruntime_api.h. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/hook/hook.h"
#include "backends/library/library.h"
#include "onnxruntime_api.h"

/* The oldest version of the table of functions that has all required ones and that Python
 * packages of a supported Python contain; and the newest that has one used here. */
enum { VERSION_OLDEST = 17, VERSION_NEWEST = 24 };

/* The table that the library's only exported function returns. */
struct ort_base {
	const void *const *(*api)(uint32_t version);
	const char *(*version)(void);
};

#define FUNCTION(index, since, member)                         \
	{                                                      \
		index, since, offsetof(struct ort_api, member) \
	}
/* The index of each function in the table, and the version that added it. */
static const struct {
	unsigned short index, since;
	size_t at;
} functions[] = {
	FUNCTION(2, 1, status_message),
	FUNCTION(4, 1, env_new),
	FUNCTION(7, 1, session_new),
	FUNCTION(8, 1, session_new_bytes),
	FUNCTION(9, 1, run),
	FUNCTION(10, 1, options_new),
	FUNCTION(13, 1, set_mode),
	FUNCTION(14, 1, profile_on),
	FUNCTION(16, 1, memory_pattern_on),
	FUNCTION(17, 1, memory_pattern_off),
	FUNCTION(18, 1, arena_on),
	FUNCTION(19, 1, arena_off),
	FUNCTION(23, 1, set_optimization),
	FUNCTION(24, 1, set_threads),
	FUNCTION(25, 1, set_inter_threads),
	FUNCTION(30, 1, inputs),
	FUNCTION(31, 1, outputs),
	FUNCTION(33, 1, input_type),
	FUNCTION(34, 1, output_type),
	FUNCTION(36, 1, input_name),
	FUNCTION(37, 1, output_name),
	FUNCTION(49, 1, value_new),
	FUNCTION(51, 1, value_data),
	FUNCTION(55, 1, type_tensor),
	FUNCTION(56, 1, type_kind),
	FUNCTION(60, 1, tensor_element),
	FUNCTION(61, 1, tensor_dims),
	FUNCTION(62, 1, tensor_sizes),
	FUNCTION(63, 1, tensor_symbols),
	FUNCTION(65, 1, value_tensor),
	FUNCTION(68, 1, memory_new),
	FUNCTION(69, 1, cpu_memory),
	FUNCTION(76, 1, allocator_release),
	FUNCTION(78, 1, allocator),
	FUNCTION(93, 1, status_free),
	FUNCTION(94, 1, memory_free),
	FUNCTION(95, 1, session_free),
	FUNCTION(96, 1, value_free),
	FUNCTION(98, 1, type_free),
	FUNCTION(99, 1, tensor_free),
	FUNCTION(100, 1, options_free),
	FUNCTION(110, 2, profile_end),
	FUNCTION(124, 3, set_dimension),
	FUNCTION(125, 3, providers),
	FUNCTION(126, 3, providers_free),
	FUNCTION(130, 4, set_config),
	FUNCTION(131, 5, allocator_new),
	FUNCTION(132, 5, allocator_free),
	FUNCTION(153, 6, family[ORT_ROCM].add),
	FUNCTION(170, 8, family[ORT_TENSORRT].add),
	FUNCTION(171, 8, family[ORT_TENSORRT].create),
	FUNCTION(172, 8, family[ORT_TENSORRT].set),
	FUNCTION(174, 8, family[ORT_TENSORRT].release),
	FUNCTION(204, 11, family[ORT_CUDA].add),
	FUNCTION(205, 11, family[ORT_CUDA].create),
	FUNCTION(206, 11, family[ORT_CUDA].set),
	FUNCTION(208, 11, family[ORT_CUDA].release),
	FUNCTION(216, 12, add_provider),
	FUNCTION(255, 16, family[ORT_ROCM].create),
	FUNCTION(256, 16, family[ORT_ROCM].set),
	FUNCTION(258, 16, family[ORT_ROCM].release),
	FUNCTION(297, 22, pairs_get),
	FUNCTION(300, 22, pairs_free),
	FUNCTION(301, 22, register_library),
	FUNCTION(303, 22, devices),
	FUNCTION(304, 22, add_device),
	FUNCTION(307, 22, hardware_type),
	FUNCTION(309, 22, hardware_vendor),
	FUNCTION(312, 22, device_provider),
	FUNCTION(314, 22, device_metadata),
	FUNCTION(316, 22, device_hardware),
	FUNCTION(319, 23, allocator_stats),
	FUNCTION(407, 24, assignment),
	FUNCTION(408, 24, subgraph_provider),
	FUNCTION(409, 24, subgraph_nodes),
};

static const char *const library_names[] = { "libonnxruntime.so.1", "libonnxruntime.so",
	NULL };
static const struct library_search runtime = {
	.what = "ONNX Runtime",
	.variable = "BENCH_ONNXRUNTIME",
	.names = library_names,
	.file = "libonnxruntime.so*",
	.package = "onnxruntime/capi",
	.remedy = "install libonnxruntime, or the Python package onnxruntime",
};
/* Providers in libraries of their own, and the names under which they are registered. */
static const struct {
	const char *name;
	struct library_search library;
} provider_libraries[] = {
	{ ORT_QNN, { .variable = "BENCH_QNN",
	               .file = "libonnxruntime_providers_qnn.so",
	               .package = "onnxruntime_qnn" } },
	{ "openvino", { .variable = "BENCH_ONNXRUNTIME_OPENVINO",
	                  .file = "libonnxruntime_providers_openvino_plugin.so",
	                  .package = "onnxruntime_ep_openvino" } },
	{ "tensorrt_rtx", { .variable = "BENCH_ONNXRUNTIME_TENSORRT_RTX",
	                      .file = "libonnxruntime_providers_nv_tensorrt_rtx.so",
	                      .package = "onnxruntime_ep_nv_tensorrt_rtx" } },
	{ "webgpu", { .variable = "BENCH_ONNXRUNTIME_WEBGPU",
	                .file = "libonnxruntime_providers_webgpu.so",
	                .package = "onnxruntime_ep_webgpu" } },
};

/* The loaded library; its environment is NULL before. */
static struct ort loaded;

int ort_check(const struct ort *o, struct ort_status *status, const char *what, char *why)
{
	if (!status)
		return 0;
	hook_fail(why, "%s%s%s", what, *what ? ": " : "", o->api.status_message(status));
	o->api.status_free(status);
	return -1;
}

/* The first error of the log. Threads of the library may log at the same time. */
static struct {
	pthread_mutex_t lock;
	char text[BACKEND_WHY];
} complaint = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Keeps the first error that the library logs. */
static void log_keep(void *context, int severity, const char *category, const char *id,
    const char *where, const char *message)
{
	(void)context;
	(void)severity;
	(void)category;
	(void)id;
	(void)where;
	pthread_mutex_lock(&complaint.lock);
	if (!*complaint.text)
		hook_fail(complaint.text, "%s", message);
	pthread_mutex_unlock(&complaint.lock);
}

const char *ort_complaint(void)
{
	return complaint.text;
}

void ort_complaint_clear(void)
{
	*complaint.text = '\0';
}

/* Copies the functions that this version has from the library's table. Returns 0, or -1 and
 * the reason. */
static int api_copy(struct ort *o, const struct ort_base *base, char *why)
{
	unsigned major = 0, minor = 0;

	o->version = base->version();
	sscanf(o->version, "%u.%u", &major, &minor);
	if (major != 1 || minor < VERSION_OLDEST)
		return hook_fail(why,
		    "ONNX Runtime %s is too %s: 1.%d or a later 1.x is "
		    "needed (%s)",
		    o->version, major > 1 ? "new" : "old", VERSION_OLDEST, o->path);
	/* A version that the library lacks would make it print. */
	o->number = minor < VERSION_NEWEST ? minor : VERSION_NEWEST;
	const void *const *table = base->api(o->number);
	if (!table)
		return hook_fail(why, "ONNX Runtime %s has no interface of version %u (%s)",
		    o->version, (unsigned)o->number, o->path);
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (functions[i].since <= o->number)
			memcpy((char *)&o->api + functions[i].at,
			    &table[functions[i].index], sizeof(*table));
	return 0;
}

static size_t count_devices(void)
{
	const struct ort_device *const *device = NULL;
	char why[BACKEND_WHY];
	size_t count = 0;

	ort_check(&loaded, loaded.api.devices(loaded.env, &device, &count), "", why);
	return count;
}

void ort_register_providers(void)
{
	char path[4096], why[BACKEND_WHY];

	if (loaded.registered || !loaded.api.register_library)
		return;
	loaded.registered = true;
	for (size_t i = 0; i < sizeof(provider_libraries) / sizeof(*provider_libraries);
	     i++) {
		const char *name = provider_libraries[i].name;
		struct ort_failure *failure = &loaded.failure[loaded.failures];
		const size_t before = count_devices();

		if (library_find(&provider_libraries[i].library, path, sizeof(path), why))
			continue;
		hook_fail(failure->why, "the provider finds no device (%s)", path);
		if (ort_check(&loaded, loaded.api.register_library(loaded.env, name, path),
		        "", failure->why) ||
		    count_devices() == before) {
			failure->name = name;
			loaded.failures++;
		}
	}
}

/* Loads the library into `loaded`. Returns 0, or -1 and why. */
static int load_once(char *why)
{
	const struct ort_base *(*get_base)(void);
	Dl_info info;

	/* Otherwise version 1.32 has threads that send events about models to its maker. */
	setenv("ORT_DISABLE_TELEMETRY", "1", 0);
	void *library = library_open(&runtime, loaded.path, sizeof(loaded.path), why);
	if (!library)
		return -1;
	void *symbol = dlsym(library, "OrtGetApiBase");
	if (!symbol)
		return hook_fail(
		    why, "%s has no OrtGetApiBase: it is not ONNX Runtime", loaded.path);
	memcpy(&get_base, &symbol, sizeof(symbol));
	if (dladdr(symbol, &info) && info.dli_fname)
		snprintf(loaded.path, sizeof(loaded.path), "%s", info.dli_fname);
	if (api_copy(&loaded, get_base(), why) ||
	    ort_check(&loaded,
	        loaded.api.env_new(
	            log_keep, NULL, ORT_LOG_ERROR, "benchutils", &loaded.env),
	        "ONNX Runtime cannot start", why))
		return -1;
	return 0;
}

const struct ort *ort_load(char *why)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	const int status = loaded.env ? 0 : load_once(why);
	pthread_mutex_unlock(&lock);
	return status ? NULL : &loaded;
}

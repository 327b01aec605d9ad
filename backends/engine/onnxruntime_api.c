/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads ONNX Runtime; see onnxruntime_api.h. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_fail.h"
#include "engine_find.h"
#include "onnxruntime_api.h"

/* The oldest version of the table of functions that has all required ones and that Python
 * packages of a supported Python contain; and the newest that has one used here. */
enum { VERSION_OLDEST = 17, VERSION_NEWEST = 22 };

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
	FUNCTION(0, 1, status_new),
	FUNCTION(2, 1, status_message),
	FUNCTION(4, 1, env_new),
	FUNCTION(10, 1, options_new),
	FUNCTION(93, 1, status_free),
	FUNCTION(100, 1, options_free),
	FUNCTION(125, 3, providers),
	FUNCTION(126, 3, providers_free),
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
	FUNCTION(301, 22, register_library),
	FUNCTION(303, 22, devices),
	FUNCTION(304, 22, add_device),
	FUNCTION(307, 22, hardware_type),
	FUNCTION(309, 22, hardware_vendor),
	FUNCTION(297, 22, pairs_get),
	FUNCTION(312, 22, device_provider),
	FUNCTION(314, 22, device_metadata),
	FUNCTION(316, 22, device_hardware),
};

static const char *const library_names[] = { "libonnxruntime.so.1", "libonnxruntime.so",
	NULL };
static const struct engine_library runtime = { "ONNX Runtime", "BENCH_ONNXRUNTIME",
	library_names, "onnxruntime/capi/libonnxruntime.so*",
	"install libonnxruntime, or the Python package onnxruntime", NULL };
static const struct engine_library qnn = { "QNN", "BENCH_QNN", NULL,
	"onnxruntime_qnn/libonnxruntime_providers_qnn.so",
	"install the Python package onnxruntime-qnn", NULL };

int ort_check(const struct ort *o, struct ort_status *status, const char *what, char *why)
{
	if (!status)
		return 0;
	engine_fail(why, "%s%s%s", what, *what ? ": " : "", o->api.status_message(status));
	o->api.status_free(status);
	return -1;
}

/* Discards the library's messages; failures are in the statuses. */
static void log_discard(void *context, int severity, const char *category, const char *id,
    const char *where, const char *message)
{
	(void)context;
	(void)severity;
	(void)category;
	(void)id;
	(void)where;
	(void)message;
}

/* Copies the functions that this version has from the library's table. Returns 0, or -1 and
 * the reason. */
static int api_copy(struct ort *o, const struct ort_base *base, char *why)
{
	unsigned major = 0, minor = 0;

	o->version = base->version();
	sscanf(o->version, "%u.%u", &major, &minor);
	if (major != 1 || minor < VERSION_OLDEST)
		return engine_fail(why,
		    "ONNX Runtime %s is too %s: 1.%d or a later 1.x is "
		    "needed (%s)",
		    o->version, major > 1 ? "new" : "old", VERSION_OLDEST, o->path);
	/* A version that the library lacks would make it print. */
	o->number = minor < VERSION_NEWEST ? minor : VERSION_NEWEST;
	const void *const *table = base->api(o->number);
	if (!table)
		return engine_fail(why,
		    "ONNX Runtime %s has no interface of version %u (%s)", o->version,
		    (unsigned)o->number, o->path);
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (functions[i].since <= o->number)
			memcpy((char *)&o->api + functions[i].at,
			    &table[functions[i].index], sizeof(*table));
	return 0;
}

/* Registers the providers that come in libraries of their own. */
static void register_providers(struct ort *o)
{
	static char reason[256];
	char path[4096];

	o->qnn = reason;
	if (!o->api.register_library)
		snprintf(reason, sizeof(reason),
		    "ONNX Runtime %s loads no providers: 1.22 does", o->version);
	else if (engine_library_find(&qnn, path, sizeof(path), reason) == 0 &&
	         ort_check(o, o->api.register_library(o->env, ORT_QNN, path), "", reason) ==
	             0)
		o->qnn = NULL;
}

const struct ort *ort_load(char *why)
{
	static struct ort loaded;
	const struct ort_base *(*get_base)(void);

	if (loaded.env)
		return &loaded;
	void *library =
	    engine_library_open(&runtime, loaded.path, sizeof(loaded.path), why);
	if (!library)
		return NULL;
	void *symbol = dlsym(library, "OrtGetApiBase");
	if (!symbol) {
		engine_fail(
		    why, "%s has no OrtGetApiBase: it is not ONNX Runtime", loaded.path);
		return NULL;
	}
	memcpy(&get_base, &symbol, sizeof(symbol));
	if (api_copy(&loaded, get_base(), why) ||
	    ort_check(&loaded,
	        loaded.api.env_new(
	            log_discard, NULL, ORT_LOG_FATAL, "benchutils", &loaded.env),
	        "ONNX Runtime cannot start", why))
		return NULL;
	register_providers(&loaded);
	return &loaded;
}

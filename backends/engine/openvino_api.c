/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads OpenVINO; see openvino_api.h. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backends/hook/hook.h"
#include "backends/library/library.h"
#include "openvino_api.h"

#define FUNCTION(name)                                                  \
	{                                                               \
		"ov_" #name, offsetof(struct openvino_api, name), false \
	}
#define OPTIONAL(name)                                                 \
	{                                                              \
		"ov_" #name, offsetof(struct openvino_api, name), true \
	}
static const struct {
	const char *name;
	size_t at;
	bool optional;
} functions[] = {
	FUNCTION(get_openvino_version),
	FUNCTION(version_free),
	FUNCTION(free),
	FUNCTION(get_last_err_msg),
	FUNCTION(get_error_info),
	FUNCTION(core_create),
	FUNCTION(core_free),
	FUNCTION(core_get_available_devices),
	FUNCTION(available_devices_free),
	FUNCTION(core_get_property),
	FUNCTION(core_set_property),
	FUNCTION(core_read_model),
	FUNCTION(core_read_model_from_memory_buffer),
	FUNCTION(core_compile_model),
	FUNCTION(model_free),
	FUNCTION(model_inputs_size),
	FUNCTION(model_outputs_size),
	FUNCTION(model_const_input_by_index),
	FUNCTION(model_const_output_by_index),
	FUNCTION(model_reshape_by_port_indexes),
	FUNCTION(port_get_any_name),
	FUNCTION(port_get_partial_shape),
	FUNCTION(port_get_element_type),
	FUNCTION(output_const_port_free),
	FUNCTION(partial_shape_free),
	FUNCTION(shape_free),
	FUNCTION(compiled_model_free),
	FUNCTION(compiled_model_get_property),
	FUNCTION(compiled_model_create_infer_request),
	FUNCTION(infer_request_free),
	FUNCTION(infer_request_infer),
	FUNCTION(infer_request_get_input_tensor_by_index),
	FUNCTION(infer_request_get_output_tensor_by_index),
	FUNCTION(infer_request_set_input_tensor_by_index),
	FUNCTION(infer_request_set_output_tensor_by_index),
	FUNCTION(infer_request_get_profiling_info),
	FUNCTION(profiling_info_list_free),
	FUNCTION(tensor_create),
	FUNCTION(tensor_set_shape),
	FUNCTION(tensor_get_shape),
	FUNCTION(tensor_get_byte_size),
	FUNCTION(tensor_data),
	FUNCTION(tensor_free),
	OPTIONAL(util_set_log_callback),
};

/* The statuses from this on come from the C interface, which leaves no message. */
enum { INVALID_CALL = -14 };

static const char *const library_names[] = { "libopenvino_c.so", NULL };
/* The package of the system has libopenvino_c.so only with its headers. setupvars.sh of
 * Intel's archive sets the variable. */
static const char *const library_places[] = { "$INTEL_OPENVINO_DIR/runtime/lib/*",
	"/usr/local/lib", "/usr/lib/*-linux-gnu", "/usr/lib64",
	"/opt/intel/openvino*/runtime/lib/*", NULL };
static const struct library_search runtime = {
	.what = "OpenVINO",
	.variable = "BENCH_OPENVINO",
	.names = library_names,
	.file = "libopenvino_c.so*",
	.package = "openvino/libs",
	.remedy = "install the Python package openvino",
	.places = library_places,
};

int openvino_fail(const struct openvino *ov, int status, char *why, const char *format, ...)
{
	const char *message = ov->api.get_last_err_msg(), *line = "", *next;
	char attempt[BACKEND_WHY];
	size_t length = 0;
	va_list args;

	va_start(args, format);
	vsnprintf(attempt, sizeof(attempt), format, args);
	va_end(args);
	/* The library puts the reason last, after the places in its source. */
	for (; message && *message; message = next) {
		const size_t n = strcspn(message, "\n");

		next = message + n + (message[n] == '\n');
		if (n > 0) {
			line = message;
			length = n;
		}
	}
	while (length > 0 && strchr(" .\r", line[length - 1]))
		length--;
	while (length > 0 && strchr(" -", *line)) {
		line++;
		length--;
	}
	if (length == 0 || status <= INVALID_CALL) {
		line = ov->api.get_error_info(status);
		length = strlen(line);
	}
	return hook_fail(why, "%s: %.*s", attempt, (int)length, line);
}

/* Discards the library's messages; failures are in the statuses. */
static void log_discard(const char *message)
{
	(void)message;
}

/* Stores the functions of an open library. Returns 0, or -1 and the reason. */
static int api_find(struct openvino *ov, void *library, const char *path, char *why)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *symbol = dlsym(library, functions[i].name);

		if (!symbol && !functions[i].optional)
			return hook_fail(why,
			    "%s has no %s: OpenVINO 2023.3 or later is needed", path,
			    functions[i].name);
		memcpy((char *)&ov->api + functions[i].at, &symbol, sizeof(symbol));
	}
	return 0;
}

/* Loads the library into *to. Returns 0, or -1 and why. */
static int load_once(struct openvino *to, char *why)
{
	struct openvino_version version = { NULL, NULL };
	char path[4096];
	void *library = library_open(&runtime, path, sizeof(path), why);

	if (!library || api_find(to, library, path, why))
		return -1;
	if (to->api.get_openvino_version(&version) || !version.build)
		return hook_fail(why, "%s does not report its version", path);
	snprintf(to->version, sizeof(to->version), "%.*s", (int)strcspn(version.build, "-"),
	    version.build);
	to->api.version_free(&version);
	if (to->api.util_set_log_callback)
		to->api.util_set_log_callback(log_discard);
	return 0;
}

const struct openvino *openvino_load(char *why)
{
	static struct openvino loaded;
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	const int status = *loaded.version ? 0 : load_once(&loaded, why);
	pthread_mutex_unlock(&lock);
	return status ? NULL : &loaded;
}

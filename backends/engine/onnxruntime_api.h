/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares the part of ONNX Runtime's C interface that the backend onnxruntime uses, and
 * loads it. The library exports one function, which returns a table of function pointers
 * that only grows from version to version, so that each has a fixed index.
 */
#ifndef ONNXRUNTIME_API_H
#define ONNXRUNTIME_API_H

#include <stddef.h>
#include <stdint.h>

/* ONNX Runtime's objects, which it defines. */
struct ort_status;
struct ort_env;
struct ort_session;
struct ort_options;
struct ort_run_options;
struct ort_value;
struct ort_memory_info;
struct ort_type_info;
struct ort_tensor_info;
struct ort_allocator;
struct ort_binding;
struct ort_device;
struct ort_hardware;
struct ort_pairs;
struct ort_provider_options;
struct ort_subgraph;
struct ort_node;

/* The name under which the provider of Qualcomm's accelerators is registered. */
#define ORT_QNN "qnn"

/* Values of ONNX Runtime's enumerations. */
enum { ORT_LOG_ERROR = 3, ORT_LOG_FATAL = 4 };
enum { ORT_ALLOCATOR_ARENA = 1, ORT_MEMORY_DEFAULT = 0 };
enum { ORT_TYPE_TENSOR = 1 };
enum { ORT_HARDWARE_CPU = 0, ORT_HARDWARE_GPU = 1, ORT_HARDWARE_NPU = 2 };

typedef void ort_log(void *context, int severity, const char *category, const char *id,
    const char *where, const char *message);

/* Providers whose options have functions of their own. */
enum ort_family { ORT_CUDA, ORT_TENSORRT, ORT_ROCM, ORT_FAMILIES };

/* The functions for the options of one of these providers. */
struct ort_provider_api {
	struct ort_status *(*create)(struct ort_provider_options **out);
	struct ort_status *(*set)(struct ort_provider_options *p, const char *const *key,
	    const char *const *value, size_t count);
	struct ort_status *(*add)(
	    struct ort_options *o, const struct ort_provider_options *p);
	void (*release)(struct ort_provider_options *p);
};

/* The functions, without the prefix Ort. Those that return a status return NULL if they
 * succeed. Those from "since 1.22" on may be NULL. */
struct ort_api {
	struct ort_status *(*status_new)(int code, const char *message);
	const char *(*status_message)(const struct ort_status *s);
	void (*status_free)(struct ort_status *s);
	struct ort_status *(*env_new)(ort_log *log, void *context, int severity,
	    const char *id, struct ort_env **out);
	struct ort_status *(*providers)(char ***out, int *count);
	struct ort_status *(*providers_free)(char **list, int count);

	struct ort_status *(*options_new)(struct ort_options **out);
	void (*options_free)(struct ort_options *o);
	struct ort_status *(*add_provider)(struct ort_options *o, const char *name,
	    const char *const *key, const char *const *value, size_t count);
	struct ort_provider_api family[ORT_FAMILIES];

	/* since 1.22 */
	struct ort_status *(*register_library)(
	    struct ort_env *env, const char *name, const char *path);
	struct ort_status *(*devices)(
	    const struct ort_env *env, const struct ort_device *const **out, size_t *count);
	const char *(*device_provider)(const struct ort_device *d);
	const struct ort_pairs *(*device_metadata)(const struct ort_device *d);
	const struct ort_hardware *(*device_hardware)(const struct ort_device *d);
	int (*hardware_type)(const struct ort_hardware *h);
	const char *(*hardware_vendor)(const struct ort_hardware *h);
	const char *(*pairs_get)(const struct ort_pairs *p, const char *key);
	struct ort_status *(*add_device)(struct ort_options *o, struct ort_env *env,
	    const struct ort_device *const *device, size_t devices, const char *const *key,
	    const char *const *value, size_t count);
};

/* The loaded library. */
struct ort {
	struct ort_api api;
	const char *version; /* such as "1.32.0" */
	uint32_t number;     /* the version of the table of functions */
	char path[4096];     /* of the library; a bare name if the loader found it */
	struct ort_env *env;
	const char *qnn; /* why QNN's provider is absent; NULL if it is registered */
};

/* Loads the library once for the process, and registers the providers in libraries of their
 * own. It stays loaded, because its threads may outlive a session. Returns NULL and the
 * reason if it is not found, or too old. */
const struct ort *ort_load(char *why);

/* Returns 0 if the status is NULL. Otherwise writes the reason, after `what` and a colon
 * unless `what` is empty, frees the status, and returns -1. */
int ort_check(const struct ort *o, struct ort_status *status, const char *what, char *why);

#endif

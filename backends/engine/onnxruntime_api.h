/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares the part of ONNX Runtime's C interface that the backend onnxruntime uses, and
 * loads it. The library exports one function, which returns a table of function pointers
 * that only grows from version to version, so that each has a fixed index.
 */
#ifndef ONNXRUNTIME_API_H
#define ONNXRUNTIME_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench-backend.h"

/* ONNX Runtime's objects, which it defines. */
struct ort_status;
struct ort_env;
struct ort_session;
struct ort_options;
struct ort_value;
struct ort_memory_info;
struct ort_type_info;
struct ort_tensor_info;
struct ort_allocator;
struct ort_device;
struct ort_hardware;
struct ort_pairs;
struct ort_provider_options;
struct ort_subgraph;
struct ort_node;

/* The name under which the provider of Qualcomm's accelerators is registered. */
#define ORT_QNN "qnn"

/* Values of ONNX Runtime's enumerations. */
enum { ORT_LOG_ERROR = 3 };
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
 * succeed. Those after "since" are NULL in an older version. */
struct ort_api {
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

	struct ort_status *(*set_mode)(struct ort_options *o, int mode);
	struct ort_status *(*set_optimization)(struct ort_options *o, int level);
	struct ort_status *(*set_threads)(struct ort_options *o, int threads);
	struct ort_status *(*set_inter_threads)(struct ort_options *o, int threads);
	struct ort_status *(*memory_pattern_on)(struct ort_options *o);
	struct ort_status *(*memory_pattern_off)(struct ort_options *o);
	struct ort_status *(*arena_on)(struct ort_options *o);
	struct ort_status *(*arena_off)(struct ort_options *o);
	struct ort_status *(*set_dimension)(
	    struct ort_options *o, const char *symbol, int64_t size);
	struct ort_status *(*set_config)(
	    struct ort_options *o, const char *key, const char *value);
	struct ort_status *(*profile_on)(struct ort_options *o, const char *prefix);

	struct ort_status *(*session_new)(const struct ort_env *env, const char *path,
	    const struct ort_options *o, struct ort_session **out);
	struct ort_status *(*session_new_bytes)(const struct ort_env *env,
	    const void *bytes, size_t size, const struct ort_options *o,
	    struct ort_session **out);
	void (*session_free)(struct ort_session *s);
	struct ort_status *(*inputs)(const struct ort_session *s, size_t *count);
	struct ort_status *(*outputs)(const struct ort_session *s, size_t *count);
	struct ort_status *(*input_type)(
	    const struct ort_session *s, size_t i, struct ort_type_info **out);
	struct ort_status *(*output_type)(
	    const struct ort_session *s, size_t i, struct ort_type_info **out);
	struct ort_status *(*input_name)(
	    const struct ort_session *s, size_t i, struct ort_allocator *a, char **out);
	struct ort_status *(*output_name)(
	    const struct ort_session *s, size_t i, struct ort_allocator *a, char **out);
	struct ort_status *(*run)(struct ort_session *s, const void *run_options,
	    const char *const *input_name, const struct ort_value *const *input,
	    size_t inputs, const char *const *output_name, size_t outputs,
	    struct ort_value **output);
	struct ort_status *(*profile_end)(
	    struct ort_session *s, struct ort_allocator *a, char **path);

	struct ort_status *(*type_kind)(const struct ort_type_info *t, int *kind);
	struct ort_status *(*type_tensor)(
	    const struct ort_type_info *t, const struct ort_tensor_info **out);
	void (*type_free)(struct ort_type_info *t);
	struct ort_status *(*tensor_element)(const struct ort_tensor_info *t, int *element);
	struct ort_status *(*tensor_dims)(const struct ort_tensor_info *t, size_t *dims);
	struct ort_status *(*tensor_sizes)(
	    const struct ort_tensor_info *t, int64_t *size, size_t dims);
	struct ort_status *(*tensor_symbols)(
	    const struct ort_tensor_info *t, const char **symbol, size_t dims);
	void (*tensor_free)(struct ort_tensor_info *t);

	struct ort_status *(*value_new)(const struct ort_memory_info *where, void *data,
	    size_t bytes, const int64_t *size, size_t dims, int element,
	    struct ort_value **out);
	struct ort_status *(*value_data)(struct ort_value *v, void **out);
	struct ort_status *(*value_tensor)(
	    const struct ort_value *v, struct ort_tensor_info **out);
	void (*value_free)(struct ort_value *v);
	struct ort_status *(*cpu_memory)(
	    int allocator, int memory, struct ort_memory_info **out);
	void (*memory_free)(struct ort_memory_info *m);
	struct ort_status *(*memory_new)(const char *name, int allocator, int device,
	    int memory, struct ort_memory_info **out);
	struct ort_status *(*allocator_new)(const struct ort_session *s,
	    const struct ort_memory_info *m, struct ort_allocator **out);
	void (*allocator_free)(struct ort_allocator *a);
	struct ort_status *(*allocator)(struct ort_allocator **out);
	struct ort_status *(*allocator_release)(struct ort_allocator *a, void *ptr);

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

	void (*pairs_free)(struct ort_pairs *p);

	/* since 1.23 */
	struct ort_status *(*allocator_stats)(
	    const struct ort_allocator *a, struct ort_pairs **out);

	/* since 1.24 */
	struct ort_status *(*assignment)(const struct ort_session *s,
	    const struct ort_subgraph *const **out, size_t *count);
	struct ort_status *(*subgraph_provider)(
	    const struct ort_subgraph *g, const char **out);
	struct ort_status *(*subgraph_nodes)(const struct ort_subgraph *g,
	    const struct ort_node *const **out, size_t *count);
};

/* The largest number of libraries of providers. */
enum { ORT_LIBRARIES = 8 };

/* A library of a provider that is installed and gives no device. */
struct ort_failure {
	const char *name; /* under which it is registered */
	char why[BACKEND_WHY];
};

/* The loaded library. */
struct ort {
	struct ort_api api;
	const char *version; /* such as "1.32.0" */
	uint32_t number;     /* the version of the table of functions */
	char path[4096];     /* of the library */
	struct ort_env *env;
	bool registered; /* whether providers in libraries of their own are */
	struct ort_failure failure[ORT_LIBRARIES];
	size_t failures;
};

/* Loads the library once for the process. It stays loaded, because its threads may outlive
 * a session. Returns NULL and the reason if it is not found, or too old. */
const struct ort *ort_load(char *why);

/* Registers the providers that are in libraries of their own, once. */
void ort_register_providers(void);

/* Returns 0 if the status is NULL. Otherwise writes the reason, after `what` and a colon
 * unless `what` is empty, frees the status, and returns -1. */
int ort_check(const struct ort *o, struct ort_status *status, const char *what, char *why);

/* Returns the first error that ONNX Runtime or a provider has logged since
 * ort_complaint_clear, as one line; empty if none. */
const char *ort_complaint(void);
void ort_complaint_clear(void);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver of the backends cuda and hip. HIP's driver, run-time compiler and matrix
 * library are those of CUDA under other names. Each of the two has a table of names, from
 * which pointers are loaded when they are needed, so that the plug-ins load on any machine.
 */
#ifndef GPU_CUDAHIP_H
#define GPU_CUDAHIP_H

#include "backends/library/library.h"

#include "gpu.h"

/* The library that contains a function. */
enum cudahip_library { CUDAHIP_DRIVER, CUDAHIP_COMPILER, CUDAHIP_BLAS, CUDAHIP_LIBRARIES };

/*
 * Devices and results are int in both; addresses have the size of a pointer. Results are 0
 * or a code of the library's own.
 */
struct cudahip_api {
	int (*init)(unsigned flags);
	int (*driver_version)(int *version);
	int (*device_count)(int *count);
	int (*device_get)(int *device, int ordinal);
	int (*device_name)(char *name, int size, int device);
	int (*device_memory)(size_t *bytes, int device);
	int (*memory_info)(size_t *free, size_t *all);
	int (*device_attribute)(int *value, int attribute, int device);
	int (*context_retain)(void **context, int device);
	int (*context_release)(int device);
	int (*context_use)(void *context);
	int (*alloc)(void **address, size_t bytes);
	int (*free)(void *address);
	int (*to_device)(void *address, const void *from, size_t bytes);
	int (*to_host)(void *to, void *address, size_t bytes);
	int (*stream_create)(void **stream, unsigned flags);
	int (*stream_destroy)(void *stream);
	int (*stream_wait)(void *stream);
	int (*module_load)(void **module, const void *image);
	int (*module_unload)(void *module);
	int (*module_function)(void **function, void *module, const char *name);
	int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
	    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
	    void *stream, void **arguments, void **extra);
	int (*device_pci)(char *text, int size, int device);
	/* Events. */
	int (*event_create)(void **event, unsigned flags);
	int (*event_destroy)(void *event);
	int (*event_record)(void *event, void *stream, unsigned flags);
	int (*event_elapsed)(float *ms, void *from, void *to);
	/* Graphs; NULL if the driver is too old. */
	int (*stream_record)(void *stream, int mode);
	int (*stream_recorded)(void *stream, void **graph);
	int (*graph_prepare)(void **ready, void *graph, unsigned long long flags);
	int (*graph_upload)(void *ready, void *stream);
	int (*graph_launch)(void *ready, void *stream);
	int (*graph_free)(void *ready);
	int (*graph_drop)(void *graph);
	int (*set_int)(void *address, unsigned value, size_t count, void *stream);
	/* one of the two is NULL */
	int (*error_into)(int error, const char **name);
	const char *(*error_name)(int error);

	int (*program_create)(void **program, const char *source, const char *name,
	    int headers, const char *const *header, const char *const *header_name);
	int (*program_destroy)(void **program);
	int (*program_compile)(void *program, int options, const char *const *option);
	int (*program_log_size)(void *program, size_t *bytes);
	int (*program_log)(void *program, char *log);
	int (*program_code_size)(void *program, size_t *bytes);
	int (*program_code)(void *program, char *code);
	int (*compiler_version)(int *major, int *minor);

	int (*blas_create)(void **handle);
	int (*blas_destroy)(void *handle);
	int (*blas_stream)(void *handle, void *stream);
	int (*blas_option)(void *handle, int option);
	int (*blas_workspace)(void *handle, void *address, size_t bytes);
	void (*blas_product)(void); /* its type is known in cuda.c or hip.c only */
};

/* The operands of a product: addresses of the first elements, and factors in the type that
 * it is computed in. */
struct cudahip_operands {
	void *a, *b, *c;
	const void *alpha, *beta;
};

struct cudahip_function {
	enum cudahip_library library;
	const char *name;
	size_t at; /* in struct cudahip_api */
	bool optional;
};

#define CUDAHIP_FUNCTION(library, name, member)                            \
	{                                                                  \
		library, name, offsetof(struct cudahip_api, member), false \
	}
#define CUDAHIP_OPTIONAL(library, name, member)                           \
	{                                                                 \
		library, name, offsetof(struct cudahip_api, member), true \
	}

/* CUDA or HIP. */
struct cudahip_family {
	const char *remedy; /* if the driver cannot be used */
	struct library_search library[CUDAHIP_LIBRARIES];
	const struct cudahip_function *function;
	size_t functions;
	int units, major, minor; /* device attributes */
	const char *generation;  /* what major and minor are the version of */
	/* The first major version with the tensor cores of kernels/prelude.cu; 0 if none.
	 */
	int tensor_cores;
	/* Writes the compiler option for a device, such as "--gpu-architecture=sm_90";
	 * empty if the compiler detects the device. */
	void (*architecture)(char *option, size_t size, int major, int minor);
	/* Optional. Writes the version of the driver; nothing if it is unknown. */
	void (*version)(char *text, size_t size);
	/* Writes the name and version of the driver's interface from its number. */
	void (*interface)(char *text, size_t size, int number);
	/* Returns the bytes in use on a device by its PCI address, before it is opened; 0
	 * if unknown. NULL if there is no way to ask. */
	int64_t (*used)(const char *pci);
	/* Returns the dtypes of a device, 1 << enum backend_dtype each. */
	uint32_t (*dtypes)(int major);
	int blas_option; /* the argument of the function blas_option */
	/* Computes a product, whose operands are the pointers in x; the library's status.
	 */
	int (*product)(void *blas, const struct cudahip_api *api,
	    const struct gpu_product *p, const struct cudahip_operands *x);
	/* Optional. Finds the other library that the family uses, and writes its name, or
	 * that there is none, to text. Fails if the user named one that cannot be loaded.
	 */
	int (*other_library)(char *text, size_t size, char *why);
	/* Optional. Closes what the family opened beyond the libraries above. */
	void (*close)(struct gpu *g);
	struct gpu_driver driver;
};

/* The families. They are external because the tests use their compilers without a device.
 */
extern const struct cudahip_family cuda_family, hip_family;

/* Describes the devices, as the hook of struct backend. */
int cudahip_probe(const struct cudahip_family *family, struct backend_device *list,
    size_t max, char *why);
/* Opens a session. */
struct backend_session *cudahip_open(
    const struct cudahip_family *family, const struct backend_config *config, char *why);

/* Hooks of struct gpu_driver. */
void *cudahip_alloc(struct gpu *g, size_t bytes, char *why);
void cudahip_free(struct gpu *g, void *buffer);
int cudahip_write(
    struct gpu *g, void *buffer, size_t at, const void *from, size_t bytes, char *why);
int cudahip_read(struct gpu *g, void *buffer, size_t at, void *to, size_t bytes, char *why);
void *cudahip_build(struct gpu *g, const char *source, const char *options, char *why);
void cudahip_unbuild(struct gpu *g, void *program);
void *cudahip_kernel(struct gpu *g, void *program, const char *name, char *why);
void cudahip_drop(struct gpu *g, void *kernel);
int cudahip_launch(struct gpu *g, void *kernel, uint32_t groups, uint32_t group_size,
    const struct gpu_arg *arg, size_t args, char *why);
bool cudahip_has_product(struct gpu *g, const struct gpu_product *p);
int cudahip_product(struct gpu *g, const struct gpu_product *p, char *why);
/* Makes the device's context current in this thread and returns its stream. */
void *cudahip_stream(struct gpu *g);
uint64_t cudahip_memory_free(struct gpu *g);
int cudahip_sync(struct gpu *g, char *why);
int cudahip_record(struct gpu *g, char *why);
uint64_t cudahip_context(struct gpu *g);
void *cudahip_event(struct gpu *g);
void cudahip_event_drop(struct gpu *g, void *event);
int cudahip_event_mark(struct gpu *g, void *event, char *why);
int cudahip_event_between(struct gpu *g, void *from, void *to, double *ns, char *why);
void *cudahip_recorded(struct gpu *g, char *why);
int cudahip_replay(struct gpu *g, void *graph, char *why);
void cudahip_forget(struct gpu *g, void *graph);
int cudahip_write_int(struct gpu *g, void *buffer, int32_t value, char *why);
void cudahip_close(struct gpu *g);

#define CUDAHIP_HOOKS                                                                 \
	.prelude = "prelude.cu", .alloc = cudahip_alloc, .free = cudahip_free,        \
	.write = cudahip_write, .read = cudahip_read, .build = cudahip_build,         \
	.unbuild = cudahip_unbuild, .kernel = cudahip_kernel, .drop = cudahip_drop,   \
	.launch = cudahip_launch, .has_product = cudahip_has_product,                 \
	.product = cudahip_product, .memory_free = cudahip_memory_free,               \
	.sync = cudahip_sync, .record = cudahip_record, .recorded = cudahip_recorded, \
	.replay = cudahip_replay, .forget = cudahip_forget,                           \
	.write_int = cudahip_write_int, .context = cudahip_context,                   \
	.event = cudahip_event, .event_drop = cudahip_event_drop,                     \
	.event_mark = cudahip_event_mark, .event_between = cudahip_event_between,     \
	.close = cudahip_close

/* Defines the backend of a family: the two hooks that name it, and the plug-in's symbol. */
#define CUDAHIP_BACKEND(family, text)                                                     \
	static int family##_probe(struct backend_device *list, size_t max, char *why)     \
	{                                                                                 \
		return cudahip_probe(&family##_family, list, max, why);                   \
	}                                                                                 \
	static struct backend_session *family##_open(                                     \
	    const struct backend_config *config, char *why)                               \
	{                                                                                 \
		return cudahip_open(&family##_family, config, why);                       \
	}                                                                                 \
	__attribute__((visibility("default"))) extern const struct backend bench_backend; \
	const struct backend bench_backend = {                                            \
		.name = #family,                                                          \
		.summary = text,                                                          \
		.probe = family##_probe,                                                  \
		.open = family##_open,                                                    \
		GPU_HOOKS,                                                                \
	}

/* Compiles a source for an architecture, on a machine with or without a device. Returns the
 * code, to be freed by the caller; NULL and why. */
char *cudahip_compile(const struct cudahip_api *api, const char *source,
    const char *options, const char *architecture, size_t *bytes, char *why);
/* Writes "what: error" with the error's name to why and returns -1. */
int cudahip_fail(const struct cudahip_api *api, char *why, const char *what, int error);
/* Loads the driver and returns the number of its devices; -1 and why. */
int cudahip_start(const struct cudahip_family *family, struct cudahip_api *api, char *why);
/* Returns a device's attribute; 0 if unknown. */
int cudahip_attribute(const struct cudahip_api *api, int what, int device);
/* Loads a library's functions into api; -1 and why. */
int cudahip_load(const struct cudahip_family *family, enum cudahip_library library,
    struct cudahip_api *api, char *why);

#endif

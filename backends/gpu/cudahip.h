/*
 * What the backends cuda and hip share: HIP's driver, run-time compiler and matrix library
 * are CUDA's under other names. Each of the two gives a table of names, from which pointers
 * are loaded when they are needed, so that the plugins load on any machine.
 */
#ifndef CUDAHIP_H
#define CUDAHIP_H

#include "gpu.h"

/* Where a function comes from. */
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
	/* one of the two */
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
	void (*blas_product)(void); /* of a type that only cuda.c or hip.c knows */
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

/* One of the two. */
struct cudahip_family {
	const char *name;
	const char *maker; /* of the driver, for who has none */
	/* File names of each library, the newest first; NULL at the end. */
	const char *const *library[CUDAHIP_LIBRARIES];
	const char *folder; /* to look in, too; with a slash */
	const struct cudahip_function *function;
	size_t functions;
	int units, major, minor; /* device attributes */
	/* "sm_90" and the like, as an option of the compiler; empty: it finds out */
	void (*architecture)(char *option, size_t size, int major, int minor);
	uint32_t (*dtypes)(int major);
	int blas_option; /* of blas_option */
	bool (*has_product)(struct gpu *g, const struct gpu_product *p);
	int (*product)(void *blas, const struct cudahip_api *api,
	    const struct gpu_product *p, void *a, void *b, void *c);
};

/* The tests use their compilers where there is no device. */
extern const struct cudahip_family cuda_family, hip_family;

int cudahip_probe(const struct cudahip_family *family, struct backend_device *list,
    size_t max, char *why);
struct backend_session *cudahip_open(const struct cudahip_family *family,
    const struct gpu_driver *driver, const struct backend_config *config, char *why);

/* Members of struct gpu_driver. */
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
int cudahip_product(struct gpu *g, const struct gpu_product *p, char *why);
int cudahip_sync(struct gpu *g, char *why);
void cudahip_close(struct gpu *g);

#define CUDAHIP_HOOKS                                                               \
	.prelude = "prelude.cu", .alloc = cudahip_alloc, .free = cudahip_free,      \
	.write = cudahip_write, .read = cudahip_read, .build = cudahip_build,       \
	.unbuild = cudahip_unbuild, .kernel = cudahip_kernel, .drop = cudahip_drop, \
	.launch = cudahip_launch, .product = cudahip_product, .sync = cudahip_sync, \
	.close = cudahip_close

/* Compile a source for an architecture, on a machine with or without a device: the code, to
 * be freed; NULL and why. */
char *cudahip_compile(const struct cudahip_api *api, const char *source,
    const char *options, const char *architecture, size_t *bytes, char *why);
/* Load a library's functions into api; -1 and why. */
int cudahip_load(const struct cudahip_family *family, enum cudahip_library library,
    struct cudahip_api *api, char *why);

#endif

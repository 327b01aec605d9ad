/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines a session of a GPU backend: its driver, its programs and kernels, and its memory.
 */
#ifndef GPU_GPU_SESSION_H
#define GPU_GPU_SESSION_H

#include "backends/hook/hook.h"
#include "gpu_driver.h"

struct gpu_program {
	char *options; /* of the compiler, with the name of the file */
	void *handle;
};

/* A kernel of a file of kernels, named without its suffix, built for two types of tensors.
 * The strings are constants: they are compared by address. */
struct gpu_kernel {
	const char *file, *name;
	enum backend_dtype dtype, other; /* T and U of the kernel */
	int64_t states;                  /* STATES of the kernel, if not 0 */
};

struct gpu_built_kernel {
	struct gpu_kernel kernel;
	void *handle; /* of the driver */
};

/* An element of a driver's buffer. */
struct gpu_place {
	void *buffer;
	int64_t at;
};

struct gpu_buffer {
	void *handle; /* of the driver; first, so that a buffer begins with it */
	size_t bytes;
};

/* The properties of a product on which its compilation depends. */
struct gpu_form {
	int64_t of[16];
};

/* A session. */
struct gpu {
	const struct gpu_driver *driver;
	void *device; /* for the driver */
	void *dnn;    /* for the driver: its library of convolutions, if it has one */
	void *lt;     /* for the driver: its library of joined products */
	char *share_dir, *cache_dir;
	char identity[512]; /* the device and driver on which a compiled program depends */
	bool wide;          /* for a processor, where a work-item loops over vectors */
	uint32_t vector_bytes; /* the size of such a vector */
	bool warps;            /* of 32 lanes, which exchange values */
	bool tensor_cores; /* for which the kernels have tiles; see kernels/prelude.cu */
	uint32_t dtypes;   /* those it computes in, a bit 1 << dtype for each */
	uint32_t units;
	struct gpu_program *program;
	size_t programs;
	struct gpu_built_kernel *kernel;
	size_t kernels;
	struct gpu_form *form; /* of products that were tried, so that they are compiled */
	size_t forms;
	struct gpu_list *list; /* prepared lists of operations; see gpu_list.h */
	size_t lists;
	/* While a list is recorded, kernels get the number of earlier tokens from `past`,
	 * which has the value past_value. An operation that needs it on the host sets
	 * needs_past. */
	bool recording, needs_past;
	void *past;
	int64_t past_value;
	uint64_t bytes; /* in buffers */
	/* The bytes by which the free memory of the device has shrunk during calls that
	 * allocate, and the free memory when the outermost of them began. */
	int64_t held;
	uint64_t free_before;
	unsigned accounting;
	/* The scratch memory of the running operation, as large as any operation needs. */
	void *room;
	size_t room_bytes, room_needed;
	/* The results of products that are only tried. */
	void *scratch;
	size_t scratch_needed;
	/*
	 * RUN does the work. Before that, prepare runs the same code twice: MEASURE builds
	 * the kernels and sums up the scratch memory; WARM launches kernels without work
	 * and tries products, because several drivers compile only at the first use.
	 */
	enum { GPU_RUN, GPU_MEASURE, GPU_WARM } phase;
};

/* Opens a session without a device. Returns NULL and why on failure. */
struct gpu *gpu_new(
    const struct gpu_driver *driver, const struct backend_config *config, char *why);

/* Enclose calls that may allocate memory of the device, so that gpu_memory includes what
 * libraries and programs use. They may be nested. */
void gpu_account_begin(struct gpu *g);
void gpu_account_end(struct gpu *g);

/* Takes `bytes` bytes of the scratch memory after *used, and increases *used. Stores their
 * offset from g->room in *at. */
void gpu_room_take(struct gpu *g, size_t bytes, size_t *at, size_t *used);
/* Grows g->room to the bytes that were taken. Returns 0, or -1 and why. */
int gpu_room_fit(struct gpu *g, char *why);

/* Hooks of struct backend. */
void gpu_close(struct backend_session *s);
void *gpu_alloc(struct backend_session *s, size_t bytes, char *why);
void gpu_free(struct backend_session *s, void *buffer);
int gpu_write(struct backend_session *s, void *buffer, size_t at, const void *from,
    size_t bytes, char *why);
int gpu_read(
    struct backend_session *s, void *buffer, size_t at, void *to, size_t bytes, char *why);
int gpu_sync(struct backend_session *s, char *why);
uint64_t gpu_memory(struct backend_session *s);
uint64_t gpu_memory_context(struct backend_session *s);
uint64_t gpu_memory_free(struct backend_session *s);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session of a GPU backend: its driver, its programs and kernels, and its memory.
 */
#ifndef GPU_GPU_SESSION_H
#define GPU_GPU_SESSION_H

#include "gpu_driver.h"

struct gpu_program {
	char *options; /* of the compiler; with the file's name */
	void *handle;
};

struct gpu_kernel {
	const char *file, *name;
	enum backend_dtype dtype, other;
	int64_t states;
	void *handle;
};

struct gpu_buffer {
	void *handle; /* the driver's; first, so that it is also the buffer's beginning */
	size_t bytes;
};

/* The properties of a product that compiling it depends on. */
struct gpu_form {
	int64_t of[14];
};

/* A session. */
struct gpu {
	const struct gpu_driver *driver;
	void *device; /* the driver's own */
	char *share_dir, *cache_dir;
	char identity[512]; /* of device and driver, as a compiled program depends on it */
	bool wide;          /* a processor, on which a work-item is a loop over vectors */
	uint32_t dtypes;    /* 1 << enum backend_dtype */
	uint32_t units;
	struct gpu_program *program;
	size_t programs;
	struct gpu_kernel *kernel;
	size_t kernels;
	struct gpu_form *form; /* of products that were tried, so that they are compiled */
	size_t forms;
	uint64_t bytes; /* in use */
	/* Temporary memory of the operation that runs; as long as the longest one needs. */
	void *room;
	size_t room_bytes, room_needed;
	/* Where the results of products go while these are tried. */
	void *scratch;
	size_t scratch_needed;
	/*
	 * RUN does the work. Before, prepare goes through the same code: MEASURE builds the
	 * kernels and sums up the room, WARM launches kernels with nothing to do and tries
	 * products, as several drivers compile at first use only.
	 */
	enum { GPU_RUN, GPU_MEASURE, GPU_WARM } phase;
};

/* Opens a session without a device; NULL and why. */
struct gpu *gpu_new(
    const struct gpu_driver *driver, const struct backend_config *config, char *why);
/* Writes the formatted text to why and returns -1. */
__attribute__((format(printf, 2, 3))) int gpu_fail(char *why, const char *format, ...);

/* Takes `bytes` bytes of the temporary memory after *used, which grows; *at is where they
 * begin, in bytes from g->room. */
void gpu_room_take(struct gpu *g, size_t bytes, size_t *at, size_t *used);
/* Grows g->room to what was taken from it. */
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

#endif

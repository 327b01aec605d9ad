/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fakes of CUDA's libraries, so that the backend cuda runs on a machine without a GPU. The
 * fake driver keeps device memory in memory of the host, and runs kernels on the processor:
 * blocks one after the other, and the threads of a block as fibers. The fake compiler
 * compiles kernels with g++. The tests find these libraries through LD_LIBRARY_PATH.
 *
 * FAKE_CUDA_LOG      a file to which each call appends a line
 * FAKE_CUDA_FAIL     names of functions, separated by commas, that fail
 * FAKE_CUDA_DEVICES  the number of devices, which have the same name; 1 by default
 * FAKE_CUDA_IDLE     if set, kernels and products compute nothing, which is fast
 */
#ifndef TESTS_FAKE_CUDA_H
#define TESTS_FAKE_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAKE_API __attribute__((visibility("default")))

/* Codes of the driver. */
enum {
	FAKE_OK = 0,
	FAKE_INVALID_VALUE = 1,
	FAKE_OUT_OF_MEMORY = 2,
	FAKE_NO_DEVICE = 100,
	FAKE_INVALID_IMAGE = 200,
	FAKE_INVALID_CONTEXT = 201,
	FAKE_NOT_FOUND = 500,
	FAKE_CAPTURE_UNSUPPORTED = 900,
	FAKE_CAPTURE_INVALIDATED = 901,
	FAKE_UNKNOWN = 999,
};

struct fake_dim {
	unsigned x, y, z;
};

/* The part of a compiled program that the driver calls, which device.h defines in the same
 * way. */
struct fake_program {
	struct fake_dim *thread, *block, *block_size, *grid;
	/* Set by the driver. barrier waits for all threads of the block. exchange waits for
	 * the lanes of the warp, and returns what they gave, 64 bytes apart. */
	void (*barrier)(void);
	void *(*exchange)(const void *mine, unsigned bytes);
	/* Set by the driver: the dynamic shared memory. */
	void *shared;
};

/* A kernel: it calls the function with the arguments at `argument`, and has their sizes,
 * with 0 at the end. */
struct fake_kernel {
	void (*call)(void **argument);
	const unsigned *sizes;
};

/* The beginning of compiled code, which the shared object follows. */
struct fake_code {
	char magic[16];
	uint64_t bytes; /* in total */
};
#define FAKE_MAGIC "fake cuda code"

/* Appends a line to the log. Returns 0, or FAKE_UNKNOWN if the function is to fail. */
__attribute__((format(printf, 2, 3))) FAKE_API int fake_called(
    const char *function, const char *format, ...);
/* Does the work in a stream: at once, or if the stream is being captured, whenever its
 * graph is launched. The bytes of data are copied. us is the time that it takes on the
 * device. */
FAKE_API int fake_enqueue(
    void *stream, int (*work)(const void *data), const void *data, size_t bytes, double us);
/* Returns whether a buffer on the device contains these bytes. */
FAKE_API bool fake_is_device(const void *address, size_t bytes);
/* Stores the free and all bytes of the device. */
FAKE_API void fake_memory_info(size_t *left, size_t *all);
/* Adds to the memory in use that no buffer has; a negative number subtracts. */
FAKE_API void fake_use_memory(int64_t bytes);

/* Runs a block of a kernel. */
void fake_run_block(const struct fake_program *p, const struct fake_kernel *k,
    void **argument, struct fake_dim block_size);
/* Hooks of struct fake_program. */
void fake_barrier(void);
void *fake_exchange(const void *mine, unsigned bytes);

#endif

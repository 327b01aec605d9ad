/* SPDX-License-Identifier: MIT-0 */
/*
 * Declares the interface of a backend, through which benchutils runs kernels and models on
 * a family of devices. A backend is a shared object that exports one symbol, `const struct
 * backend bench_backend`. bench-backend(7) describes how to write one and where it is
 * searched for; share/examples/backend has a skeleton. The interface has three headers:
 * this one declares devices and hooks, bench-operation.h the operations that the hooks run,
 * and bench-engine.h the further hooks of backends that run whole models.
 *
 * The hooks are called in this order:
 *
 *	probe                     in a process of its own
 *	open
 *	    supports              for each operation of a list
 *	    alloc
 *	    write, draw           for weights and inputs
 *	    prepare               once for each list
 *	        run[kind]         for each operation in order, any number of times,
 *	        run_list          or for all operations of the list at once
 *	        sync              after the operations whose results or times are wanted
 *	        read              for results
 *	        write             for new inputs
 *	    release
 *	    free
 *	close
 *
 * Allocate nothing between prepare and release, so that only the work is timed.
 *
 * Errors: a hook that fails returns -1 or NULL and writes one line, without a newline, to
 * `why`, a buffer of BACKEND_WHY bytes. Then the measurement fails, except where a hook
 * says otherwise. Hooks neither print nor exit.
 *
 * Threads: several threads may use different sessions at the same time. Only one thread at
 * a time uses a session, but not always the same one.
 *
 * Ownership: a session and its buffers belong to the backend until close and free. All
 * other structures and strings that a hook receives belong to the program, and are valid
 * until the hook returns, unless stated otherwise. The operations and tensors of a list
 * keep their addresses from prepare to release.
 */
#ifndef BENCH_BACKEND_H
#define BENCH_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench-engine.h"
#include "bench-operation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the interface; every change of a declaration in the three headers, or of
 * its meaning, changes it. */
#define BACKEND_ABI 13u

/* The size of a `why` in bytes, with the final zero. */
enum { BACKEND_WHY = 256 };
/* The number of elements of the table of `draw`. */
enum { BACKEND_DRAWN = 4 * 65535 + 1 };

/* The description of a device. Unknown strings are empty, and unknown numbers are 0. */
struct backend_device {
	char name[128];        /* the vendor's name for it, such as "NVIDIA H200" */
	char type[16];         /* "cpu", "gpu" or "accelerator" */
	char word[32];         /* for -b NAME:WORD, in lower case, if it has a short name */
	char unusable[256];    /* why it cannot be used; empty if it can */
	char detail[128];      /* the platform, core type or compute capability */
	char version[64];      /* of the driver or library */
	char pci[16];          /* its PCI address, such as "0000:3b:00.0" */
	char warning[256];     /* why it is slow, and the remedy; "emulated ..." if it is */
	uint64_t memory_bytes; /* in total */
	uint32_t units;        /* the number of cores, compute units or multiprocessors */
	bool threads;          /* whether the device uses the threads of backend_config */
	/* A bit, 1 << dtype, for each dtype on whose tensors it computes. `detail` says if
	 * it computes those of 16 bits in float32. */
	uint32_t dtypes;
};

/* How to open a device. */
struct backend_config {
	uint32_t abi;     /* BACKEND_ABI of the program */
	uint32_t device;  /* the index of the device in probe's list */
	uint32_t threads; /* of a CPU; 0 means one for each available processor */
	/* The directory of benchutils' files; files of backends are in
	 * share_dir/backends. */
	const char *share_dir;
	/* The directory for compiled programs, which may not exist yet; NULL if there is
	 * none. */
	const char *cache_dir;
};

/* The state of one open device. Each backend defines its own. */
struct backend_session;

/*
 * A backend: its strings and hooks. Members are required unless marked as optional. With
 * `engine`, the hooks for buffers and operations, from alloc on, are optional.
 */
struct backend {
	/* BACKEND_ABI. Always the first member: a backend with another ABI than the
	 * program's is rejected. */
	uint32_t abi;
	const char *name;    /* for -b, in lower case; the file is backend-NAME.so */
	const char *summary; /* one line */

	/*
	 * Writes the descriptions of at most max devices to list and returns their number.
	 * Returns 0 and the reason if there is no device, and -1 if the search fails; then
	 * the backend has no devices. Runs in a process of its own, which is killed after
	 * 15 seconds.
	 */
	int (*probe)(struct backend_device *list, size_t max, char *why);

	/* Returns a new session for a device, which the backend owns until close; NULL on
	 * failure. */
	struct backend_session *(*open)(const struct backend_config *config, char *why);
	/* Frees a session. Its buffers have been freed, and its lists released, before. */
	void (*close)(struct backend_session *s);

	/* Returns a handle for `bytes` bytes (at least 1) on the device, aligned to at
	 * least 64 bytes; NULL on failure. Only the backend interprets the handle. */
	void *(*alloc)(struct backend_session *s, size_t bytes, char *why);
	/* Frees a buffer that alloc returned. */
	void (*free)(struct backend_session *s, void *buffer);
	/* Copies bytes from the host to byte `at` of a buffer; complete when it returns. */
	int (*write)(struct backend_session *s, void *buffer, size_t at, const void *from,
	    size_t bytes, char *why);
	/* Copies bytes from byte `at` of a buffer to the host; complete when it returns. */
	int (*read)(struct backend_session *s, void *buffer, size_t at, void *to,
	    size_t bytes, char *why);

	/*
	 * Optional. Returns 0 if the backend can run this operation, whose hook is present,
	 * on these shapes and dtypes; otherwise -1, and the subject gets the status
	 * unsupported. The tensors may not have buffers yet. Without this hook, every
	 * operation that has a hook is tried.
	 */
	int (*supports)(struct backend_session *s, const struct backend_op *op, char *why);
	/*
	 * Optional. Prepares a list of `count` operations that will be run in this order:
	 * compiles, chooses layouts, packs weights, reserves memory. All tensors have
	 * buffers, and weights and inputs have their values. Several lists may be prepared;
	 * a tensor may be in several. Returns 0 or -1; after -1, the list is not released.
	 */
	int (*prepare)(
	    struct backend_session *s, struct backend_op *op, size_t count, char *why);
	/* Frees what prepare stored in a list. Required if prepare is present. */
	void (*release)(struct backend_session *s, struct backend_op *op, size_t count);

	/* Each runs an operation, or starts it: the next operation may read the results.
	 * Returns 0 or -1. NULL means that the backend lacks the operation. */
	int (*run[BACKEND_KINDS])(
	    struct backend_session *s, const struct backend_op *op, char *why);
	/*
	 * Optional. Runs all operations of a prepared list in order, or starts them, as
	 * their hooks in run would. Returns 0 or -1. A backend with this hook may do so in
	 * one step, such as by replaying a graph that it recorded.
	 */
	int (*run_list)(struct backend_session *s, const struct backend_op *op,
	    size_t count, char *why);
	/* Optional. Returns whether run_list runs a list in one step. */
	bool (*is_graph)(
	    struct backend_session *s, const struct backend_op *op, size_t count);
	/*
	 * Optional. Runs a prepared list, waits for it, and stores in span[i] when
	 * operation i ran, by the clock of the device. The start of the first operation is
	 * the time at which the host started the list, by CLOCK_MONOTONIC. Returns 0, -1,
	 * or 1 if the device cannot measure times.
	 */
	int (*time_list)(struct backend_session *s, const struct backend_op *op,
	    size_t count, struct backend_op_span *span, char *why);
	/* Waits until all started operations are complete. Returns 0, or -1 if one
	 * failed. */
	int (*sync)(struct backend_session *s, char *why);

	/* Optional. Returns the device memory that the session uses, in bytes. */
	uint64_t (*memory)(struct backend_session *s);
	/* Optional. Returns the device memory that opening the session took, which `memory`
	 * does not include, in bytes; 0 if unknown. */
	uint64_t (*memory_context)(struct backend_session *s);
	/* Optional. Returns the free memory of the device, in bytes; 0 if unknown. */
	uint64_t (*memory_free)(struct backend_session *s);
	/*
	 * Optional. Draws the first `count` elements of a buffer, of `size` bytes each (1,
	 * 2, 4 or 8), on the device, so that large weights are not copied to it.
	 * Element i is table[(z & 0xffff) + (z >> 16 & 0xffff) + (z >> 32 & 0xffff) +
	 * (z >> 48)], where
	 *   x = key + (i + 1) 0x9e3779b97f4a7c15;
	 *   y = (x ^ x >> 30) 0xbf58476d1ce4e5b9;
	 *   w = (y ^ y >> 27) 0x94d049bb133111eb;
	 *   z = w ^ w >> 31,
	 * all modulo 2^64. The table has BACKEND_DRAWN elements in the host's memory.
	 * Complete when it returns. Returns 0 or -1. Without this hook, the program draws
	 * the same elements and writes them.
	 */
	int (*draw)(struct backend_session *s, void *buffer, size_t size, const void *table,
	    uint64_t key, uint64_t count, char *why);

	/* Optional. The hooks of an engine, which runs whole models. */
	const struct backend_engine *engine;
};

#ifdef __cplusplus
}
#endif

#endif

/*
 * What the backends opencl, cuda and hip share: the operations of backend.h over the few
 * things that their drivers do. The kernels are in backends/gpu/kernels, one text for all three.
 */
#ifndef GPU_H
#define GPU_H

#include "bench-backend.h"

enum { GPU_ARGS = 40 };

/* A kernel's argument: a buffer (NULL: absent) or a number. */
struct gpu_arg {
	enum { GPU_BUFFER, GPU_INT, GPU_LONG, GPU_FLOAT, GPU_DOUBLE } type;
	union {
		void *buffer;
		int32_t i;
		int64_t l;
		float f;
		double d;
	} value;
};

/*
 * c[m,n] = alpha a[m,k] b[k,n] + beta c, row-major, `batch` of them each `step` elements
 * apart; _ld is from one row as stored to the next, _at where it begins. b is stored [n,k]
 * with transpose_b. c is of type out.
 */
struct gpu_product {
	enum backend_dtype dtype, out;
	bool transpose_b;
	int64_t m, n, k, batch;
	double alpha, beta;
	void *a, *b, *c;
	int64_t a_at, b_at, c_at, a_ld, b_ld, c_ld, a_step, b_step, c_step;
};

struct gpu;

/* Hooks fail as those of backend.h do. */
struct gpu_driver {
	const char *name;
	const char *prelude; /* the file of backends/gpu/kernels before all others */
	bool own_rows;       /* products of one row are better left to the kernels here */
	void *(*alloc)(struct gpu *g, size_t bytes, char *why);
	void (*free)(struct gpu *g, void *buffer);
	int (*write)(struct gpu *g, void *buffer, size_t at, const void *from, size_t bytes,
	    char *why);
	int (*read)(
	    struct gpu *g, void *buffer, size_t at, void *to, size_t bytes, char *why);
	/* A program of this source, and a kernel of it. */
	void *(*build)(struct gpu *g, const char *source, const char *options, char *why);
	void (*unbuild)(struct gpu *g, void *program);
	void *(*kernel)(struct gpu *g, void *program, const char *name, char *why);
	void (*drop)(struct gpu *g, void *kernel);
	/* Set it going in the one queue, in order. */
	int (*launch)(struct gpu *g, void *kernel, uint32_t groups, uint32_t group_size,
	    const struct gpu_arg *arg, size_t args, char *why);
	/* Whether the device's library multiplies these types, adding up in float32 at
	 * least; and the product by it. */
	bool (*has_product)(struct gpu *g, const struct gpu_product *p);
	int (*product)(struct gpu *g, const struct gpu_product *p, char *why);
	int (*sync)(struct gpu *g, char *why);
	void (*close)(struct gpu *g);
};

struct gpu_program {
	char *options; /* and the file, of which it is built */
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

/* What a product's compiling depends on. */
struct gpu_form {
	int64_t of[14];
};

/* A session. */
struct gpu {
	const struct gpu_driver *driver;
	void *device; /* the driver's own */
	char *share_dir, *cache_dir;
	char identity[512]; /* of device and driver, as a compiled program depends on it */
	bool wide;          /* a processor, whose work-items are vectors' loops */
	uint32_t dtypes;    /* 1 << enum backend_dtype */
	uint32_t units;
	struct gpu_program *program;
	size_t programs;
	struct gpu_kernel *kernel;
	size_t kernels;
	struct gpu_form *form; /* of products that were tried, so that they are compiled */
	size_t forms;
	uint64_t bytes; /* in use */
	/* What an operation needs for a moment; as long as the longest asked for. */
	void *room;
	size_t room_bytes, room_needed;
	/* While products are tried: where their results go. */
	void *scratch;
	size_t scratch_needed;
	/*
	 * RUN does the work. Before, prepare goes through the same code: MEASURE builds the
	 * kernels and sums up the room, WARM launches kernels with nothing to do and tries
	 * products, as several drivers compile at first use only.
	 */
	enum { GPU_RUN, GPU_MEASURE, GPU_WARM } phase;
};

/* A session without a device, of this configuration; NULL and why. */
struct gpu *gpu_new(
    const struct gpu_driver *driver, const struct backend_config *config, char *why);
/* why = the formatted text; -1. */
__attribute__((format(printf, 2, 3))) int gpu_fail(char *why, const char *format, ...);

/* The compiled program that was put before, to be freed by the caller; NULL: none. */
void *gpu_cache_get(struct gpu *g, const char *source, const char *options, size_t *bytes);
/* A cache that cannot be written costs time the next time, and nothing else. */
void gpu_cache_put(struct gpu *g, const char *source, const char *options,
    const void *binary, size_t bytes);

/* The hooks of struct backend that are the same in all three. */
void gpu_close(struct backend_session *s);
void *gpu_alloc(struct backend_session *s, size_t bytes, char *why);
void gpu_free(struct backend_session *s, void *buffer);
int gpu_write(struct backend_session *s, void *buffer, size_t at, const void *from,
    size_t bytes, char *why);
int gpu_read(
    struct backend_session *s, void *buffer, size_t at, void *to, size_t bytes, char *why);
int gpu_supports(struct backend_session *s, const struct backend_op *op, char *why);
int gpu_prepare(struct backend_session *s, struct backend_op *op, size_t count, char *why);
void gpu_release(struct backend_session *s, struct backend_op *op, size_t count);
int gpu_run(struct backend_session *s, const struct backend_op *op, char *why);
int gpu_sync(struct backend_session *s, char *why);
uint64_t gpu_memory(struct backend_session *s);

/* The greater part of a `struct backend`'s initialiser. */
#define GPU_HOOKS                                                                     \
	.abi = BACKEND_ABI, .close = gpu_close, .alloc = gpu_alloc, .free = gpu_free, \
	.write = gpu_write, .read = gpu_read, .supports = gpu_supports,               \
	.prepare = gpu_prepare, .release = gpu_release,                               \
	.run = { [0 ... BACKEND_KINDS - 1] = gpu_run }, .sync = gpu_sync,             \
	.memory = gpu_memory

#endif

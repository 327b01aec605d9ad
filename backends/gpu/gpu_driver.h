/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interface to a driver: opencl, cuda and hip implement it, and the operations of the
 * GPU backends call it.
 */
#ifndef GPU_GPU_DRIVER_H
#define GPU_GPU_DRIVER_H

#include "bench-backend.h"

enum { GPU_ARGS = 40 };

/* An argument of a kernel: a buffer, which is NULL if absent, or a number. */
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
 * The products c[m,n] = alpha a[m,k] b[k,n] + beta c, row-major: `batch` of them, `step`
 * elements apart. _ld is the distance between stored rows, and _at the first element. With
 * transpose_b, b is stored as [n,k]. c is of type out.
 */
struct gpu_product {
	enum backend_dtype dtype, out;
	bool transpose_b;
	int64_t m, n, k, batch;
	double alpha, beta;
	void *a, *b, *c;
	int64_t a_at, b_at, c_at, a_ld, b_ld, c_ld, a_step, b_step, c_step;
	/* For a joined product: c = act(alpha a b + bias + other), where bias[n] and
	 * other[m,n] may be NULL, and other may be c. */
	void *bias, *other;
	int64_t bias_at, other_at, other_ld;
	enum backend_act act;
};

/*
 * A convolution as in bench-operation.h, of a type of 16 bits or tf32, whose tensors are
 * stored as [N,H,W,C] and weights as [O,KH,KW,C/groups], aligned to 16 bytes. It is
 * compared as bytes, so it has no gaps between members.
 */
struct gpu_convolution {
	int64_t dtype, act, has_bias, has_other;
	int64_t samples, channels, height, width, out_channels, out_height, out_width;
	int64_t kernel[2], stride[2], before[2], after[2], dilation[2], groups;
};

/* The addresses of a convolution's tensors and of its scratch memory. */
struct gpu_convolution_operands {
	void *x, *weight, *bias, *other, *out, *room;
};

struct gpu;

/* The operations of a driver. Hooks report failure as those of bench-backend.h do. */
struct gpu_driver {
	const char *name;
	const char *prelude;  /* the file of kernels that precedes all others */
	bool own_rows;        /* our kernels compute products of one row faster */
	bool transposed_int8; /* products of int8 are fast only with transpose_b */
	void *(*alloc)(struct gpu *g, size_t bytes, char *why);
	void (*free)(struct gpu *g, void *buffer);
	int (*write)(struct gpu *g, void *buffer, size_t at, const void *from, size_t bytes,
	    char *why);
	int (*read)(
	    struct gpu *g, void *buffer, size_t at, void *to, size_t bytes, char *why);
	/* Builds a program from source. */
	void *(*build)(struct gpu *g, const char *source, const char *options, char *why);
	/* Releases a program. */
	void (*unbuild)(struct gpu *g, void *program);
	/* Returns a kernel of a program. */
	void *(*kernel)(struct gpu *g, void *program, const char *name, char *why);
	/* Releases a kernel. */
	void (*drop)(struct gpu *g, void *kernel);
	/* Enqueues a kernel; there is one queue, in order. */
	int (*launch)(struct gpu *g, void *kernel, uint32_t groups, uint32_t group_size,
	    const struct gpu_arg *arg, size_t args, char *why);
	/* Returns whether the device's library computes this product, accumulating at least
	 * in float32. */
	bool (*has_product)(struct gpu *g, const struct gpu_product *p);
	/* Computes the product with the device's library. */
	int (*product)(struct gpu *g, const struct gpu_product *p, char *why);
	/* Optional. Returns a plan of the device's library for a joined product, and the
	 * bytes of scratch memory that it needs; NULL if it has none. The driver keeps it.
	 */
	const void *(*joined_plan)(
	    struct gpu *g, const struct gpu_product *p, size_t *room);
	/* Computes a joined product with its plan. */
	int (*joined_product)(struct gpu *g, const void *plan, const struct gpu_product *p,
	    void *room, char *why);
	/* Optional. Returns a plan of the device's library for a convolution, and the bytes
	 * of scratch memory that it needs; NULL if it has none. The driver keeps the plan.
	 */
	const void *(*convolution)(
	    struct gpu *g, const struct gpu_convolution *v, size_t *room);
	/* Enqueues a plan. */
	int (*convolve)(struct gpu *g, const void *plan,
	    const struct gpu_convolution_operands *x, char *why);
	/* Optional. Returns the free memory of the device, in bytes; 0 if unknown. */
	uint64_t (*memory_free)(struct gpu *g);
	int (*sync)(struct gpu *g, char *why);
	/* Optional. Returns the bytes that opening the device took, before any buffer. */
	uint64_t (*context)(struct gpu *g);
	/* These four are optional, all or none. */
	/* Returns a new event; NULL on failure. */
	void *(*event)(struct gpu *g);
	/* Frees an event. */
	void (*event_drop)(struct gpu *g, void *event);
	/* Enqueues the event. It gets the time at which the work before it is complete,
	 * even when recorded work is replayed. */
	int (*event_mark)(struct gpu *g, void *event, char *why);
	/* Stores the time between two events that have occurred. */
	int (*event_between)(struct gpu *g, void *from, void *to, double *ns, char *why);
	/* These five are optional, all or none. */
	/* Begins to record the work that is enqueued, which is not done. */
	int (*record)(struct gpu *g, char *why);
	/* Ends recording, even after a failure. Returns the recorded work, or NULL. */
	void *(*recorded)(struct gpu *g, char *why);
	/* Enqueues recorded work. */
	int (*replay)(struct gpu *g, void *graph, char *why);
	/* Frees recorded work. */
	void (*forget)(struct gpu *g, void *graph);
	/* Enqueues writing an integer to the beginning of a buffer. */
	int (*write_int)(struct gpu *g, void *buffer, int32_t value, char *why);
	void (*close)(struct gpu *g);
};

#endif

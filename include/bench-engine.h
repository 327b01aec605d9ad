/* SPDX-License-Identifier: MIT-0 */
/*
 * Declares the part of the interface of a backend with which engines run whole models, such
 * as ONNX files: a backend that has it loads a model, binds its inputs, and runs all of it
 * in one call. bench-backend.h includes this header and describes errors, threads and
 *`why`.
 *
 * The hooks are called in this order, between open and close of the backend:
 *
 *	load
 *	    ports
 *	    set               once for each input, and again to change it
 *	    carry             for each pair of ports that hold a state
 *	    adopt             before a run, for states of another model
 *	        run           any number of times
 *	        get           after a run, for each output that is wanted
 *	    facts, time_ops
 *	unload
 */
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct backend_session;

/* The limits of dimensions and of strings in bytes. */
enum { BACKEND_PORT_DIMS = 8, BACKEND_PORT_NAME = 256, BACKEND_PORT_SYMBOL = 64 };

/* An input or output of a model. Elements are row-major, in the byte order of the host. */
struct backend_port {
	char name[BACKEND_PORT_NAME];
	/* The element type as NumPy names it, such as "float32", "int64" or "bool"; also
	 * "bfloat16" and "string". */
	char type[16];
	uint32_t element_bytes; /* 0 for string */
	bool output;
	uint32_t dims;
	int64_t size[BACKEND_PORT_DIMS]; /* -1 if the model leaves it open */
	/* The names of open dimensions; empty if the model gives none. */
	char symbol[BACKEND_PORT_DIMS][BACKEND_PORT_SYMBOL];
};

/* A name and its value, such as an option of the engine. */
struct backend_option {
	const char *name, *value;
};

/* The model to load. */
struct backend_model_source {
	const char *path; /* of the file; NULL if `bytes` is the model */
	/* The contents of an ONNX file, which live until unload; NULL if `path` is read. */
	const void *bytes;
	size_t size;
	const struct backend_option *option; /* in the words of the engine */
	size_t options;
	const struct backend_option *dimension; /* values of open dimensions, by symbol */
	size_t dimensions;
	bool profile; /* whether time_ops will be called */
};

/* A loaded model. Each backend defines its own. */
struct backend_model;

/* Receives a fact about a model: see `facts`. */
typedef void backend_report_fact(void *context, const char *name, const char *value);

/* When an operation ran. */
struct backend_op_span {
	size_t op;        /* its number */
	int64_t start_ns; /* its start, by CLOCK_MONOTONIC */
	double ns;        /* how long it took */
	uint32_t thread;  /* operations of different threads may run at the same time */
};

/* Receives the times of the operations of a model. */
struct backend_op_report {
	void *context;
	/* Receives the mean time in ns of an operation in one run. The operations are
	 * numbered from 0, in the order of these calls. */
	void (*mean)(void *context, const char *node, const char *operator_type, double ns);
	/* Receives each execution of an operation in the last run, after all means. An
	 * engine that cannot measure when operations start does not call it. */
	void (*span)(void *context, const struct backend_op_span *span);
};

/* The hooks for whole models. Members are required unless marked as optional. */
struct backend_engine {
	/* The extensions of the files that it reads, separated by spaces: "onnx xml". */
	const char *formats;

	/* Loads a model into a session, with the threads of backend_config. An unknown
	 * option or dimension is an error. */
	struct backend_model *(*load)(
	    struct backend_session *s, const struct backend_model_source *from, char *why);
	void (*unload)(struct backend_model *m);

	/* Describes the inputs in their order, and then the outputs, at most max ports.
	 * Returns the number of all ports, or -1. */
	int (*ports)(
	    struct backend_model *m, struct backend_port *list, size_t max, char *why);
	/* Gives an input its sizes and elements, which are copied. `port` is its number in
	 * the list of ports. */
	int (*set)(struct backend_model *m, size_t port, const int64_t *size, uint32_t dims,
	    const void *elements, size_t bytes, char *why);
	/* Makes the elements of an output those of an input in the next run, and after each
	 * further run, for states. Elements from `set` come first. */
	int (*carry)(struct backend_model *m, size_t output, size_t input, char *why);
	/* Gives an input the elements of an output of the last run of another model
	 * of the session, without copying them. That model must run again before the output
	 * is read or adopted again. */
	int (*adopt)(struct backend_model *m, size_t input, struct backend_model *from,
	    size_t output, char *why);
	/* Runs the model once; the outputs are complete when it returns. */
	int (*run)(struct backend_model *m, char *why);
	/* Stores the sizes of an output of the last run in `shape`, and its elements, which
	 * are valid until the next call of a hook. */
	int (*get)(struct backend_model *m, size_t port, struct backend_port *shape,
	    const void **elements, size_t *bytes, char *why);

	/*
	 * Optional. Reports facts about a loaded model: "engine" (name and version),
	 * "threads", "streams", "cache" (off; hit or miss if it is on and the engine
	 * reports it), "emulated" (what emulates it), and "fallback_ops" (the number of
	 * nodes that another device than the chosen one runs).
	 */
	void (*facts)(struct backend_model *m, backend_report_fact *report, void *context);
	/* Optional. Runs a model that was loaded with `profile`, and reports the times of
	 * its operations. Returns 1 if the engine cannot measure them. */
	int (*time_ops)(
	    struct backend_model *m, const struct backend_op_report *to, char *why);
	/* Optional. Returns why the device of a session does not compute ONNX's
	 * MatMulInteger of uint8 and int8 exactly and in int8, as a string that lives
	 * forever; NULL if it does. Then the status of lists of models in int8 is
	 * unsupported. */
	const char *(*lacks_int8)(struct backend_session *s);
};

#ifdef __cplusplus
}
#endif

#endif

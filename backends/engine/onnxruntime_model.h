/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads models with ONNX Runtime, and runs them.
 */
#ifndef ONNXRUNTIME_MODEL_H
#define ONNXRUNTIME_MODEL_H

#include "onnxruntime_device.h"

struct backend_session {
	const struct ort *ort;
	struct ort_target target;
	uint32_t threads;
	struct backend_model *model; /* the last one that was loaded; NULL if none */
};

/* An input or output. */
struct ort_port {
	struct backend_port about;
	int element; /* its type, as ONNX numbers it */
	bool open;   /* an output whose sizes only a run gives */
	size_t bytes;
	void *data;          /* the elements, if they are ours and not the library's */
	size_t carried_from; /* the output whose elements become this input's; 0 if none */
	uint64_t set_at;     /* the number of runs before an input was set */
	uint64_t adopted_at; /* the number of runs before another model adopted an output */
};

/* A loaded model. Inputs precede outputs in its arrays. */
struct backend_model {
	struct backend_session *session;
	struct ort_session *own;
	struct ort_options *options; /* for a second session that records a profile */
	char *path;
	const void *bytes; /* of the model, if it is not in a file */
	size_t size;
	struct ort_memory_info *memory;
	struct ort_allocator *allocator; /* which counts memory; NULL if none does */
	size_t inputs, ports;
	size_t unset; /* the number of inputs without elements */
	struct ort_port *port;
	char **name;
	struct ort_value **value; /* NULL for an open output before a run */
	uint64_t runs;
	bool failed;       /* whether the last run did */
	bool carries;      /* whether an input gets the elements of an output */
	bool opens;        /* whether a port is open */
	long fallback_ops; /* -1 if unknown */
	char cache[256];
};

/* The hooks. bench-engine.h describes them. */
struct backend_model *ort_model_load(
    struct backend_session *s, const struct backend_model_source *from, char *why);
void ort_model_unload(struct backend_model *m);
void ort_model_facts(struct backend_model *m, backend_report_fact *report, void *context);
int ort_model_ports(
    struct backend_model *m, struct backend_port *list, size_t max, char *why);
int ort_model_set(struct backend_model *m, size_t port, const int64_t *size, uint32_t dims,
    const void *elements, size_t bytes, char *why);
int ort_model_carry(struct backend_model *m, size_t output, size_t input, char *why);
int ort_model_adopt(struct backend_model *m, size_t input, struct backend_model *from,
    size_t output, char *why);
int ort_model_run(struct backend_model *m, char *why);
int ort_model_get(struct backend_model *m, size_t port, struct backend_port *shape,
    const void **elements, size_t *bytes, char *why);
int ort_model_time_ops(
    struct backend_model *m, const struct backend_op_report *to, char *why);

/* The hook memory of the backend: that of the last model. */
uint64_t ort_model_memory(struct backend_session *s);

/* Describes the inputs and outputs of a loaded model, and reserves memory for the outputs
 * of known size. Returns 0, or -1 and the reason. */
int ort_ports_open(struct backend_model *m, char *why);
/* Frees the inputs and outputs. */
void ort_ports_close(struct backend_model *m);
/* Runs a session with the inputs of a model, and with its outputs or new ones. Returns 0,
 * or -1 and the reason. */
int ort_session_run(struct backend_model *m, struct ort_session *session, char *why);
/* Returns a new session for the file or bytes of a model, or NULL and the reason. */
struct ort_session *ort_session_make(struct backend_model *m, char *why);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels and models as subjects: a list and the device that it runs on.
 */
#ifndef SUBJECT_COMPUTE_H
#define SUBJECT_COMPUTE_H

#include "model/model.h"
#include "subject/subject.h"

/* How the drivers of GPUs know a device; empty strings are unknown. */
struct compute_card {
	char model[128], pci[16];
};

/* A list or model file on a device; the part of a template that only kernels and models
 * have. */
struct compute {
	char *list;          /* the list's name, or the path of a list or model file */
	struct model *model; /* of a list; NULL for a model file */
	struct whole_model *whole; /* of a model file that an engine runs; else NULL */
	struct model *imported;    /* of an ONNX file that an engine runs; may be NULL */
	char *backend, *path;      /* the plug-in; path is NULL if it is compiled in */
	uint32_t *device;          /* indexes in the result of the backend's probe */
	struct compute_card *card; /* one for each device */
	uint32_t devices;
	bool on_host;        /* a processor, which uses the memory of the host */
	bool threads;        /* the backend obeys a number of threads */
	double memory_bytes; /* per device; 0: not known */
	uint32_t dtypes;     /* 1 << enum backend_dtype */
	char *detail;        /* of the device, which says why it lacks a dtype, or NULL */
	char *warning;       /* a condition that slows the device, or NULL */
	bool has_engine;     /* the backend runs whole models and takes their options */
	const struct sweep *common; /* the common sweeps, which include these options */
	size_t commons;
};

/* The work of a kernel or model in one iteration, and its needs. */
struct work {
	enum backend_dtype dtype;
	double samples, tokens, flops, bytes, macs, params;
	double int8_share;   /* of the MACs: those in int8 */
	double matrix_flops; /* the part of flops that is done by matrix products */
	uint64_t new_tokens;
	uint64_t threads;    /* of the backend cpu; 0: all processors */
	double memory_bytes; /* of each instance, including weights */
};

/* Where kernels and models are to run. */
struct compute_resolve_opts {
	char *const *backend; /* from -b; none: auto */
	size_t backends;
	/* The common sweeps; a sweep named device is removed, and options of engines are
	 * marked. */
	struct sweep *sweep;
	size_t *sweeps;
	/* For the trial of auto; see engine_trial.h. */
	char *const *input;
	size_t inputs;
	void (*progress)(void *ctx, const char *what, double done);
	void *ctx;
};

/*
 * Adds a template for each kernel or model that a name or pattern selects, in the order
 * of bench-list; they have no device yet. A name with a slash, or the name of an
 * existing list, is not a pattern. A pattern adds no list that already has a template.
 * A name or pattern that selects nothing becomes a template that computes_resolve()
 * marks as absent.
 */
void computes_add(struct templates *list, enum subject_kind kind, const char *pattern);
/*
 * Assigns devices to all such templates: one template becomes one for each requested
 * backend and device. Those that do not exist become absent templates. Appends notes.
 * Returns 0, or -1 and the message if a name is not that of a backend, no list has the
 * parameter of a sweep, or devices are given twice.
 */
int computes_resolve(struct templates *list, const struct compute_resolve_opts *options,
    struct buf *notes, struct fault *f);
/* Returns whether a common sweep sets a parameter of the list, its device or its engine. */
bool compute_takes(const struct compute *c, const struct sweep *sweep);
/*
 * Checks that each common sweep is a parameter of at least one list or model file. If an
 * engine is used, the others are its options, and are marked. Returns 0, or -1 and the
 * message.
 */
int computes_check_sweeps(
    struct templates *list, struct sweep *sweep, size_t sweeps, struct fault *f);
/*
 * Computes a subject's shapes: its work, the factor input_shape, and whether it is
 * skipped because its parameters contradict each other. Returns 0, or -1 and the
 * message if the element type or a count is invalid.
 */
int compute_finish(struct subject *s, struct fault *f);
/* Returns how many of its template's devices, the first ones, a kernel or model uses. */
uint32_t compute_devices(const struct subject *s);
/*
 * Returns the subject's parameters that are symbols of its list. The caller frees the
 * array.
 */
struct binding *compute_symbols(const struct subject *s, size_t *count);
/* Expands the forward phase of a subject's list, or its ONNX file, to a graph. Returns 0,
 * or -1 and the message. */
int compute_graph(const struct subject *s, struct graph *g, struct fault *f);
/*
 * Checks that some subject has an input of this name, and that its source has the elements
 * of the inputs of model files, or pictures or tokens for those of lists. Returns 0, or -1
 * and the message.
 */
int computes_check_input(
    struct subjects *list, const struct binding *input, struct fault *f);
/* Checks that all subjects can be compared with the reference. Returns 0, or -1 and the
 * message. */
int computes_check_reference(const struct subjects *list, struct fault *f);
/* Returns whether the subjects on each device fit into its memory together. */
bool computes_fit(const struct subjects *list);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels and models as subjects: which list, on which device.
 */
#ifndef SUBJECT_COMPUTE_H
#define SUBJECT_COMPUTE_H

#include "model/model.h"
#include "subject/subject.h"

/* A list on a device: what a template of these kinds has. */
struct compute {
	char *list; /* its name, or a path */
	struct model *model;
	char *backend, *path; /* the plugin; no path: compiled in */
	uint32_t *device;     /* their places in what the backend's probe gave */
	uint32_t devices;
	bool on_host;        /* a processor: its memory is ours */
	bool threads;        /* as many as it is told */
	double memory_bytes; /* of each device; 0: not known */
	uint32_t dtypes;     /* 1 << enum backend_dtype */
	char *warning;       /* what slows the device; or NULL */
};

/* What a subject of these kinds does in an iteration, and needs. */
struct work {
	enum backend_dtype dtype;
	double samples, tokens, flops, bytes, macs, params;
	uint64_t new_tokens;
	uint64_t threads;    /* of a processor; 0: as many as it has */
	double memory_bytes; /* weights and all, of each instance */
};

/* How the lists are to be run. */
struct compute_resolve_opts {
	char *const *backend; /* of -b; none: auto */
	size_t backends;
	struct sweep *sweep; /* of all; one named device is taken out */
	size_t *sweeps;
};

/*
 * Adds a template for each kernel or model that a name or pattern selects, in the order of
 * bench-list; they have no device yet. A name with a slash, or the name of an existing
 * list, is not a pattern. A pattern adds no list that has a template already. A name or
 * pattern that selects nothing becomes a template that computes_resolve() marks as absent.
 */
void computes_add(struct templates *list, enum subject_kind kind, const char *pattern);
/*
 * Puts all such templates on devices: one template becomes as many as there are backends
 * and devices requested. Those that do not exist become absent templates. Messages for the
 * user go into notes. -1 and the message when no list takes a sweep, or devices are given
 * twice.
 */
int computes_resolve(struct templates *list, const struct compute_resolve_opts *options,
    struct buf *notes, struct fault *f);
/* Whether a sweep of this name is for such a template. */
bool compute_takes(const struct compute *c, const char *name);
/*
 * Computes a subject's shapes: its work, the factor input_shape, and whether it is skipped
 * because its parameters contradict each other. -1 and the message when the element type or
 * a count is invalid.
 */
int compute_finish(struct subject *s, struct fault *f);
/* Returns the subject's parameters that are symbols of its list; to be freed. */
struct binding *compute_symbols(const struct subject *s, size_t *count);
/* -1 and the message when no subject has an input of this name. */
int computes_check_input(struct subjects *list, const char *name, struct fault *f);
/* Whether the subjects that are on one device fit there together. */
bool computes_fit(const struct subjects *list);

void compute_free(struct compute *c);

#endif

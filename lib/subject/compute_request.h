/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns a kernel or model and its options into a job for bench-compute: a struct
 * compute_request, its strings, and the parameters of the list.
 */
#ifndef SUBJECT_COMPUTE_REQUEST_H
#define SUBJECT_COMPUTE_REQUEST_H

#include "protocol/compute_proto.h"
#include "subject/compute.h"

/* The options of bench-run that apply to all kernels and models. */
struct compute_opts {
	uint64_t seed;
	bool check, ops, timeline;
	bool ceilings;               /* measure peak rates, if a single instance runs */
	const struct binding *input; /* name and path */
	size_t inputs;
};

struct compute_job {
	struct compute_request *request;
	size_t size;       /* of the request including its devices, in bytes */
	const char **text; /* of the request */
	size_t texts;
	struct binding *param; /* the symbols of the list */
	size_t params;
	char *share_dir, *cache_dir;
};

/* Reads the arguments NAME=PATH of --input into a new array. At least one subject must have
 * an input of each name. Paths are not copied. Returns 0, or -1 and the message. */
int compute_inputs_read(const char *const *specs, size_t count, struct subjects *subjects,
    struct binding **out, struct fault *f);
void compute_inputs_free(struct binding *input, size_t count);

/* Fills in a job. The subject and the options own its strings. */
void compute_job_make(
    struct compute_job *job, const struct subject *s, const struct compute_opts *o);
void compute_job_free(struct compute_job *job);

/* Returns the directory for compiled code and the results of trials: in XDG_CACHE_HOME, or
 * in ~/.cache; empty if there is none. The caller frees it. */
char *compute_cache_dir(void);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines the messages between bench-run and bench-compute, in addition to those of
 * helper_proto.h. The job in the request to the helper is a struct compute_request. Its
 * strings are those of enum compute_text, followed by the names and values of each input,
 * each option of the engine, and each symbol of an open dimension.
 *
 * `bench-compute probe NAME [PATH]` writes to standard output a struct probe_answer,
 * followed by one struct backend_device for each device.
 */
#ifndef PROTOCOL_COMPUTE_PROTO_H
#define PROTOCOL_COMPUTE_PROTO_H

#include <stdbool.h>

#include "bench-backend.h"

/* The job: the kernel or model to run. */
struct compute_request {
	uint64_t seed;
	uint64_t new_tokens; /* to generate in an iteration */
	uint32_t threads;    /* of a CPU; 0 means one for each available processor */
	uint32_t dtype;      /* enum backend_dtype */
	bool is_kernel;      /* a kernel instead of a model */
	bool check;          /* whether to compare the results with the reference */
	bool ops;            /* whether to report the time of each operation */
	bool timeline;       /* whether to report spans */
	bool ceilings;       /* whether to measure the peaks of the device */
	uint32_t inputs;
	uint32_t options, dimensions; /* of a model that an engine runs */
	uint32_t devices;  /* the number of devices, which the workers use in turn */
	uint32_t device[]; /* their indexes in the list of probe */
};

/* The strings of a request, in their order. */
enum compute_text {
	COMPUTE_PLUGIN, /* the path of the plug-in; empty if it is compiled in */
	COMPUTE_SHARE,  /* the directory with the files that are read at run time */
	COMPUTE_CACHE,  /* the directory for compiled programs; empty if there is none */
	COMPUTE_FILE,   /* the model file for an engine; empty for a list */
	COMPUTE_TEXTS
};

enum { COMPUTE_DEVICES_MAX = 64 }; /* of one backend */

/* The answer of a probe. */
struct probe_answer {
	int32_t count; /* of devices, or -1 if the probe failed */
	/* The extensions of the model files that it reads; empty if it runs operations. */
	char formats[128];
	char why[1024];
};

#endif

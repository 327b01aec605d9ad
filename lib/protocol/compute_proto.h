/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages between bench-run and bench-compute, in addition to those of helper_proto.h. The
 * job in a helper's request is a struct compute_request. Its texts are those of enum
 * compute_text, followed by the name and path of each input.
 *
 * `bench-compute probe NAME [PATH]` writes to its standard output a struct probe_answer,
 * followed by one struct backend_device for each device that it counts.
 */
#ifndef PROTOCOL_COMPUTE_PROTO_H
#define PROTOCOL_COMPUTE_PROTO_H

#include <stdbool.h>

#include "bench-backend.h"

struct compute_request {
	uint64_t seed;
	uint64_t new_tokens; /* generated in an iteration; 0: none */
	uint32_t threads;    /* of a processor; 0: all */
	uint32_t dtype;      /* enum backend_dtype */
	bool is_kernel;      /* and no model */
	bool check;          /* compare the results with the reference */
	bool ops;            /* tell each operation's time */
	bool ceilings;       /* measure them */
	uint32_t inputs;
	uint32_t devices;  /* which the workers take in turns ... */
	uint32_t device[]; /* ... by their places in what probe gave */
};

enum compute_text {
	COMPUTE_PLUGIN, /* its path; empty: compiled in */
	COMPUTE_SHARE,  /* the folder of what is read at run time */
	COMPUTE_CACHE,  /* the folder of what was compiled; empty: nowhere */
	COMPUTE_TEXTS
};

enum { COMPUTE_DEVICES_MAX = 64 };

struct probe_answer {
	int32_t count; /* of devices; -1: trouble */
	char why[1024];
};

#endif

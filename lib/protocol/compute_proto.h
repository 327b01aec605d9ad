/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What bench-run says to bench-compute beside what helper_proto.h says to all helpers: the
 * request is its job, whose texts are those of enum compute_text, then name and path of
 * each input. And what `bench-compute probe NAME [PATH]` writes on its standard output: a
 * probe_answer, then so many backend_device.
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

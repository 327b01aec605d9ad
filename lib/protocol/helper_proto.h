/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What bench-run and a child process that runs one function of a shared object
 * (bench-call), or a kernel or model on a device (bench-compute), say to each other over a
 * socket pair. Both are of one build on one machine, so structs travel as they are.
 *
 *   bench-run  -> helper_request, wire_event for each event, helper_param for each
 *                 parameter, the job (a struct that the helper knows; see
 *                 compute_proto.h), then the texts, each with a NUL: the object's path, the
 *                 symbols of the function, its setup and its teardown (empty: none), name
 *                 and value of each parameter, the texts of the job
 *   child      -> HELPER_LOADED, HELPER_READY with wire_opened for each event, then as many
 *                 helper_extra as the answer says
 *   and then any number of times
 *   bench-run  -> uint64_t iterations
 *   child      -> HELPER_SAMPLE with the sum of the workers' wire_count for each event,
 *                 then worker_result for each worker, then helper_extra
 *   and at the end
 *   bench-run  -> uint64_t 0
 *   child      -> HELPER_ENDED with helper_extra, and ends
 *
 * Instead of an answer, the child may send HELPER_FAILED, HELPER_SKIPPED (it cannot run
 * here) or HELPER_ABSENT (the function cannot be loaded), each with a text, after which it
 * ends. If it sends nothing, it has ended.
 */
#ifndef PROTOCOL_HELPER_PROTO_H
#define PROTOCOL_HELPER_PROTO_H

#include "protocol/run_metric.h"
#include "protocol/spawn_proto.h"

enum {
	HELPER_WORKERS_MAX = 1024,
	HELPER_WHY_MAX = 512,
	HELPER_EXTRAS_MAX = 1 << 20,
};

/* How the function is called. */
enum function_kind {
	FUNCTION_PLAIN, /* it takes nothing; each call is an iteration */
	FUNCTION_LOOP,  /* it takes a struct bench * and has the loop of bench.h */
};

struct helper_request {
	uint32_t kind;               /* enum function_kind */
	uint32_t threads, processes; /* workers: their product */
	uint32_t pinned;             /* worker k stays on the k-th of our processors */
	uint32_t family;             /* count the threads that the function starts, too */
	uint32_t events, params;
	uint32_t job_size, job_texts; /* 0: there is no job */
	uint32_t text_size;
	double items, bytes; /* of an iteration; 0: not known */
};

struct helper_param {
	double number; /* NAN: it is none */
};

enum helper_answer_kind {
	HELPER_LOADED,
	HELPER_READY,
	HELPER_SAMPLE,
	HELPER_ENDED,
	HELPER_FAILED,
	HELPER_SKIPPED,
	HELPER_ABSENT
};

struct helper_answer {
	uint32_t kind;            /* enum helper_answer_kind */
	uint32_t more_threads;    /* SAMPLE: the process has threads beside its workers */
	int64_t begin_ns;         /* CLOCK_REALTIME when that began */
	int64_t wall_ns;          /* LOADED, READY (the set-up): how long it took; SAMPLE:
	                             from the first worker's start to the last one's end */
	int64_t rss_bytes;        /* SAMPLE: now; ENDED: at most; of the largest process */
	uint32_t set_up;          /* READY: there was something to set up */
	uint32_t allocates;       /* SAMPLE: allocations were counted */
	uint32_t extras;          /* READY, SAMPLE, ENDED: so many come behind it */
	char why[HELPER_WHY_MAX]; /* FAILED, SKIPPED */
};

/* A number beside those that all have: of the answer's moment, or of all since the last. */
struct helper_extra {
	uint32_t metric; /* enum run_metric */
	char part[72];   /* of this operation; empty: of all */
	double value;
};

/* What a worker did in a sample. */
struct worker_result {
	int64_t wall_ns; /* without what it paused */
	double items, bytes;
	uint64_t allocs, alloc_bytes; /* of its process, with the process's first worker */
};

#endif

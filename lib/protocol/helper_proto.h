/*
 * What bench-run and a child process that runs one function of a shared object
 * (bench-call), or a kernel or model on a device (bench-compute), say to each other over a
 * socket pair. Both are of one build on one machine, so structs travel as they are.
 *
 *   bench-run  -> call_request, wire_event for each event, then call_param for each
 *                 parameter, then the texts, each with a NUL: the object's path, the
 *                 symbols of the function, its setup and its teardown (empty: none), then
 *                 name and value of each parameter
 *   child      -> CALL_LOADED, CALL_READY with wire_opened for each event, then as many
 *                 call_extra as the answer says
 *   and then any number of times
 *   bench-run  -> uint64_t iterations
 *   child      -> CALL_SAMPLE with the sum of the workers' wire_count for each event, then
 *                 call_worker for each worker, then call_extra
 *   and at the end
 *   bench-run  -> uint64_t 0
 *   child      -> CALL_ENDED with call_extra, and ends
 *
 * Instead of an answer may come CALL_FAILED or CALL_SKIPPED with a text, after which the
 * child ends, or nothing: then it has ended.
 */
#ifndef CALL_WIRE_H
#define CALL_WIRE_H

#include "protocol/spawn_proto.h"

enum {
	CALL_WORKERS_MAX = 1024,
	CALL_WHY_MAX = 512,
	CALL_EXTRAS_MAX = 1 << 20,
};

/* How the function is called. */
enum call_sort {
	CALL_PLAIN, /* it takes nothing; each call is an iteration */
	CALL_LOOP,  /* it takes a struct bench * and has the loop of bench.h */
};

struct call_request {
	uint32_t sort;               /* enum call_sort */
	uint32_t threads, processes; /* workers: their product */
	uint32_t pinned;             /* worker k stays on the k-th of our processors */
	uint32_t family;             /* count the threads that the function starts, too */
	uint32_t events, params;
	uint32_t text_size;
	double items, bytes; /* of an iteration; 0: not known */
};

struct call_param {
	double number; /* NAN: it is none */
};

enum call_answer_kind {
	CALL_LOADED,
	CALL_READY,
	CALL_SAMPLE,
	CALL_ENDED,
	CALL_FAILED,
	CALL_SKIPPED
};

struct call_answer {
	uint32_t kind;          /* enum call_answer_kind */
	uint32_t more_threads;  /* SAMPLE: the process has threads beside its workers */
	int64_t begin_ns;       /* CLOCK_REALTIME when that began */
	int64_t wall_ns;        /* LOADED, READY (the set-up): how long it took; SAMPLE:
	                           from the first worker's start to the last one's end */
	int64_t rss_bytes;      /* SAMPLE: now; ENDED: at most; of the largest process */
	uint32_t set_up;        /* READY: there was something to set up */
	uint32_t allocates;     /* SAMPLE: allocations were counted */
	uint32_t extras;        /* READY, SAMPLE, ENDED: so many come behind it */
	char why[CALL_WHY_MAX]; /* FAILED, SKIPPED */
};

/* A number beside those that all have: of the answer's moment, or of all since the last. */
struct call_extra {
	char metric[24], unit[8];
	char part[72]; /* of this operation; empty: of all */
	double value;
};

/* What a worker did in a sample. */
struct call_worker {
	int64_t wall_ns; /* without what it paused */
	double items, bytes;
	uint64_t allocs, alloc_bytes; /* of its process, with the process's first worker */
};

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines the messages between bench-run and a child process that runs one function of a
 * shared object (bench-call), or a kernel or model on a device (bench-compute). They are
 * sent over a socket pair. Both ends belong to one build on one machine, so structs are
 * sent unchanged.
 *
 *   bench-run  -> helper_request, wire_event for each event, helper_param for each
 *                 parameter, the job (a struct that is specific to the helper; see
 *                 compute_proto.h), then the strings, each with a NUL: the object's path, the
 *                 symbols of the function, its set-up and its tear-down (empty if there is
 *                 none), name and value of each parameter, the strings of the job
 *   child      -> HELPER_LOADED, HELPER_READY with wire_opened for each event, then
 *                 helper_extra as often as the answer's `extras` says, and helper_span
 *                 as often as its `spans` says
 *   and then any number of times
 *   bench-run  -> helper_order; under load also int64_t for each arrival, unless `closed`
 *   child      -> HELPER_SAMPLE with the sum of the workers' wire_count for each event,
 *                 then worker_result for each worker, helper_service for each request,
 *                 helper_extra, helper_span, and helper_token
 *   and at the end
 *   bench-run  -> helper_order with 0 iterations
 *   child      -> HELPER_ENDED with helper_extra and helper_span, and ends
 *
 * Instead of an answer, the child may send HELPER_FAILED, HELPER_SKIPPED (it cannot run
 * here) or HELPER_ABSENT (the function cannot be loaded, or the device has too little free
 * memory), each with a string, after which it ends. If it sends nothing, it has ended.
 */
#ifndef PROTOCOL_HELPER_PROTO_H
#define PROTOCOL_HELPER_PROTO_H

#include "protocol/run_metric.h"
#include "protocol/spawn_proto.h"

/* Limits of a request and an answer. */
enum {
	HELPER_WHY_MAX = 512,
	HELPER_EXTRAS_MAX = 1 << 20,
	HELPER_SPANS_MAX = 1 << 20,
	HELPER_REQUESTS_MAX = 1 << 22, /* in a period under load */
	HELPER_TOKENS_MAX = 1 << 22,
};

/* Before a sample, 1 / HELPER_AGAIN_WARM of its iterations are run without being timed. */
enum { HELPER_AGAIN_WARM = 20 };

/* How the function is called. */
enum function_kind {
	FUNCTION_PLAIN, /* without parameters; each call is an iteration */
	FUNCTION_LOOP,  /* with a struct bench *; it contains the loop of bench.h */
};

/* The function to run, and how. */
struct helper_request {
	uint32_t kind;               /* enum function_kind */
	uint32_t threads, processes; /* their product is the number of workers */
	uint32_t pinned; /* worker k runs on the k-th available processor only */
	uint32_t family; /* also count threads that the function starts */
	uint32_t events, params;
	uint32_t job_size, job_texts; /* 0 if there is no job */
	uint32_t generates;           /* it is a model that generates tokens */
	uint32_t text_size;
	uint32_t loaded;     /* orders may contain arrivals */
	double items, bytes; /* of an iteration; 0 if unknown */
};

/*
 * Without arrivals, orders a sample: each worker runs this number of iterations. With
 * arrivals, orders a period of a load: the workers are the servers of one queue of
 * requests, and each request is an iteration. The arrivals, and the limit, are offsets in
 * ns from the origin of the period; the arrivals do not decrease.
 */
struct helper_order {
	uint64_t iterations; /* under load: that of the arrivals; 0: the end */
	uint64_t arrivals;   /* 0: not under load */
	int64_t limit_ns;    /* no request starts later than this; 0: no limit */
	int64_t window_ns;   /* the longest wait for further requests of a batch */
	uint32_t batch;      /* the largest number of requests in an iteration */
	uint32_t closed;     /* a request arrives whenever a server is free; `arrivals` is
	                        the largest number */
};

/* A parameter of the function. */
struct helper_param {
	double number; /* NAN if its text is not a number */
};

/* The kinds of answers, described above. */
enum helper_answer_kind {
	HELPER_LOADED,
	HELPER_READY,
	HELPER_SAMPLE,
	HELPER_ENDED,
	HELPER_FAILED,
	HELPER_SKIPPED,
	HELPER_ABSENT
};

/* An answer of the child. */
struct helper_answer {
	uint32_t kind;            /* enum helper_answer_kind */
	uint32_t more_threads; /* SAMPLE: the process has other threads than its workers */
	int64_t begin_ns;         /* CLOCK_REALTIME when the reported work began */
	int64_t start_ns;         /* SAMPLE: CLOCK_MONOTONIC when the first worker began */
	int64_t wall_ns;          /* LOADED, READY: the time of loading or set-up; SAMPLE:
	                             from the first worker's start to the last one's end */
	int64_t ready_ns;         /* READY: the time from the start of loading in all
	                             processes until the last worker was ready */
	int64_t rss_bytes;        /* of the largest process; SAMPLE: present, ENDED: peak */
	uint32_t set_up;          /* READY: there was a set-up */
	uint32_t allocates;       /* SAMPLE: allocations were counted */
	uint32_t extras, spans;   /* READY, SAMPLE, ENDED: the numbers of those after it */
	uint32_t requests;        /* SAMPLE: the requests that were started, the first ones;
	                             0 if not under load */
	uint32_t tokens;          /* SAMPLE: the number of tokens after it */
	char why[HELPER_WHY_MAX]; /* FAILED, SKIPPED */
};

/* A further number: for the moment of the answer, or for the time since the last answer. */
struct helper_extra {
	uint32_t metric; /* enum run_metric */
	char part[72];   /* the operation; empty if the number is for all */
	double value;
};

/* The service of a request. The times are offsets in ns from the origin of the period. */
struct helper_service {
	int64_t start_ns, end_ns;
	int64_t window_ns; /* the time that the worker waited for the rest of the batch */
	uint32_t worker;
	uint32_t batch; /* the number of requests in its iteration */
};

/* The kinds of spans of a timeline. */
enum helper_span_category {
	HELPER_SPAN_PHASE,
	HELPER_SPAN_SAMPLE,
	HELPER_SPAN_TOKEN,
	HELPER_SPAN_OPERATION
};

/* Whose clock a span is measured by. All starts are on the scale of CLOCK_MONOTONIC. */
enum helper_span_clock {
	HELPER_CLOCK_HOST,
	HELPER_CLOCK_DEVICE,
	HELPER_CLOCK_ENGINE,
	HELPER_CLOCK_DERIVED /* an engine measured the duration only */
};

/* A span of a timeline. */
struct helper_span {
	uint32_t category, clock; /* enum helper_span_category, enum helper_span_clock */
	uint32_t thread;          /* OPERATION: those of different threads may overlap */
	uint64_t number;          /* SAMPLE, TOKEN */
	uint64_t iterations;      /* of a sample or a warm-up; 0 if it has none */
	int64_t start_ns;         /* CLOCK_MONOTONIC */
	double duration_ns;
	char name[72];
	char detail[64]; /* PHASE: its part; OPERATION: its kind; may be empty */
};

/* A token. Under load, times are offsets from the origin of the period; otherwise, from the
 * start of the first worker, and the token is one of that worker. */
struct helper_token {
	uint64_t request; /* the first one that its iteration serves under load; otherwise
	                     the iteration of the sample: 0, 1 ... */
	int64_t start_ns; /* when the work on it began */
	int64_t at_ns;    /* when the application had it */
};

/* The work of one worker in a sample. */
struct worker_result {
	int64_t wall_ns; /* without its pauses */
	double items, bytes;
	uint64_t allocs, alloc_bytes; /* of its process; set for its first worker only */
};

#endif

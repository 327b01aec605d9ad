/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What bench-run and bench-spawn say to each other over a socket pair. Both are of one
 * build on one machine, so structs travel as they are.
 *
 *   bench-run  -> wire_events, then wire_event for each
 *   helper     -> wire_opened for each event, when all have been opened
 *   and then any number of times
 *   bench-run  -> wire_request, then its texts, each with a NUL: the files for stdin and
 *                 stdout (empty: the null device), the program's path, argv[0] ...
 *   helper     -> wire_result; then, unless the run was passed over, wire_worker for each
 *                 worker if there are several, and wire_count for each event if counting
 *                 was asked for
 *
 * A request may say that more follow. The helper runs these back to back and keeps the
 * results until the last, so that nothing else happens meanwhile. If that takes longer than
 * WIRE_BATCH_NS, it passes over the rest. No more than WIRE_BATCH_RUNS may follow each
 * other, and none of them may be one of several workers.
 */
#ifndef PROTOCOL_SPAWN_PROTO_H
#define PROTOCOL_SPAWN_PROTO_H

#include <linux/perf_event.h>
#include <stdint.h>

enum {
	WIRE_SOCKET = 3,  /* the helper's end of the socket pair */
	WIRE_CAPTURE = 4, /* a file that takes the output in mode OUTPUT_CAPTURE */
	WIRE_ARGS_MAX = 1 << 20,
	WIRE_EVENTS_MAX = 256,
	WIRE_BATCH_RUNS = 64,
	WIRE_BATCH_NS = 100000000,
	WIRE_WORKERS_MAX = 1024,
	WIRE_GRACE_S = 10,
};

enum wire_output { OUTPUT_FILE, OUTPUT_INHERIT, OUTPUT_CAPTURE };

struct wire_events {
	uint32_t count;
};

struct wire_event {
	struct perf_event_attr attr;
	uint32_t user_only_counts; /* worth opening without the kernel's part */
	uint32_t bond;             /* equal ones other than 0 are counted together ... */
	uint32_t strict;           /* ... or not at all */
	uint32_t padding;
};

struct wire_opened {
	int32_t error; /* 0 or the errno of perf_event_open */
	uint32_t user_only;
};

struct wire_request {
	uint64_t timeout_ns; /* 0: none */
	uint32_t text_size;  /* bytes of the texts that follow */
	uint32_t argc;
	uint32_t output;  /* enum wire_output */
	uint32_t count;   /* whether to read the counters */
	uint32_t jitter;  /* bytes of padding in the environment */
	uint32_t more;    /* another one of the batch follows */
	uint32_t workers; /* so many copies at once */
	uint32_t pin;     /* each of several on one processor */
	/*
	 * A signal does not end it, but lets it run for WIRE_GRACE_S, and it is run even
	 * after a signal. Not for several workers.
	 */
	uint32_t sheltered;
	uint32_t padding;
};

enum wire_failure {
	FAILURE_NONE,
	FAILURE_STDIN,
	FAILURE_STDOUT,
	FAILURE_FORK,
	FAILURE_PIN,
	FAILURE_EXEC
};

struct wire_result {
	uint32_t failure; /* enum wire_failure: nothing ran, and why */
	int32_t error;    /* its errno */
	int32_t status;   /* as wait4 gives it */
	uint32_t timed_out;
	uint32_t interrupted;
	uint32_t passed_over;
	int64_t begin_ns; /* CLOCK_REALTIME just before the start */
	int64_t start_ns; /* CLOCK_MONOTONIC then */
	int64_t wall_ns;
	int64_t user_ns, sys_ns;
	int64_t max_rss_bytes;
	int64_t page_faults, context_switches;
	int64_t block_in, block_out; /* of 512 bytes */
};

/* Of one worker of several. */
struct wire_worker {
	int64_t wall_ns; /* from the start of all to its own end */
	int32_t status;
	int32_t padding;
};

struct wire_count {
	uint64_t value, enabled_ns, running_ns;
};

#endif

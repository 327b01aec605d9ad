/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines the messages between bench-run and bench-spawn, which are sent over a socket
 * pair. Both ends belong to one build on one machine, so structs are sent unchanged.
 *
 *   bench-run  -> wire_events, then wire_event for each
 *   helper     -> wire_opened for each event, when all have been opened
 *   and then any number of times
 *   bench-run  -> wire_request, then its strings, each with a NUL: the files for stdin and
 *                 stdout (empty for the null device), the program's path, argv[0] ...,
 *                 and the NAME=VALUE of each variable
 *   helper     -> wire_result; then, unless the execution was skipped, wire_worker for each
 *                 worker if there are several, and wire_count for each event if the
 *                 request asks for counters
 *
 * A request may say that another one of its batch follows. The helper executes a batch back
 * to back and sends the results after the last one, so that nothing else happens in
 * between. If the batch takes longer than WIRE_BATCH_NS, the helper skips the rest. A batch
 * has at most WIRE_BATCH_RUNS requests, all with a single worker. Until the results are
 * sent, they are in memory that both share, so that they are not lost with the helper.
 */
#ifndef PROTOCOL_SPAWN_PROTO_H
#define PROTOCOL_SPAWN_PROTO_H

#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdint.h>

/* File descriptors and limits. */
enum {
	WIRE_SOCKET = 3,  /* the helper's end of the socket pair */
	WIRE_SHARED = 4,  /* a struct wire_shared in memory, which may lack the results */
	WIRE_CAPTURE = 5, /* a file that takes the output in mode OUTPUT_CAPTURE */
	WIRE_ARGS_MAX = 1 << 20,
	WIRE_EVENTS_MAX = 256,
	WIRE_BATCH_RUNS = 64,
	WIRE_BATCH_NS = 100000000,
	WIRE_WORKERS_MAX = 1024,
	WIRE_GRACE_S = 10,
};

/* Where the output of a command goes. */
enum wire_output { OUTPUT_FILE, OUTPUT_INHERIT, OUTPUT_CAPTURE };

/* The number of events that follow. */
struct wire_events {
	uint32_t count;
};

/* An event to count. */
struct wire_event {
	struct perf_event_attr attr;
	uint32_t user_only_counts; /* whether a count of user mode alone is useful */
	uint32_t bond;             /* events with an equal, nonzero bond form a group */
	uint32_t strict;           /* the group is counted together or not at all */
	uint32_t padding;
};

/* Whether an event could be opened. */
struct wire_opened {
	int32_t error; /* 0, or the errno of perf_event_open */
	uint32_t user_only;
};

/* A command to execute. */
struct wire_request {
	uint64_t timeout_ns; /* 0 if there is none */
	int64_t start_at_ns; /* CLOCK_MONOTONIC; not before this time; 0: at once */
	uint32_t text_size;  /* bytes of the strings that follow */
	uint32_t argc;
	uint32_t output;  /* enum wire_output */
	uint32_t count;   /* whether to read the counters */
	uint32_t jitter;  /* bytes of padding in the environment */
	uint32_t more;    /* whether another request of the batch follows */
	uint32_t workers; /* the number of copies that run concurrently */
	uint32_t pin;     /* whether each of several workers gets one processor */
	/*
	 * Whether the command is executed even after a signal; a signal during it leaves it
	 * WIRE_GRACE_S to end. For a single worker only.
	 */
	uint32_t sheltered;
	uint32_t variables; /* of the environment, which later requests inherit */
};

/* Why a command could not be started. */
enum wire_failure {
	FAILURE_NONE,
	FAILURE_STDIN,
	FAILURE_STDOUT,
	FAILURE_FORK,
	FAILURE_PIN,
	FAILURE_EXEC
};

/* The result of one request. */
struct wire_result {
	uint32_t failure; /* enum wire_failure */
	int32_t error;    /* the errno of the failure */
	int32_t status;   /* in the format of wait4 */
	uint32_t timed_out;
	uint32_t interrupted;
	uint32_t passed_over; /* skipped: the batch took too long, or a signal came first */
	uint32_t stopped; /* set by bench-run: the helper was stopped during the batch */
	uint32_t lost;    /* set by bench-run: the helper ended before it answered */
	int64_t begin_ns; /* CLOCK_REALTIME just before the start */
	int64_t start_ns; /* CLOCK_MONOTONIC at the start */
	int64_t wall_ns;
	int64_t user_ns, sys_ns;
	int64_t max_rss_bytes;
	int64_t page_faults, context_switches;
	int64_t block_in, block_out; /* in blocks of 512 bytes */
};

/* The result of one of several workers. */
struct wire_worker {
	int64_t wall_ns; /* from the common start to the end of this worker */
	int32_t status;
	int32_t padding;
};

/* The count of an event, and how long it was enabled and counted. */
struct wire_count {
	uint64_t value, enabled_ns, running_ns;
};

enum {
	WIRE_RESULTS_MAX =
	    WIRE_BATCH_RUNS *
	        (sizeof(struct wire_result) + WIRE_EVENTS_MAX * sizeof(struct wire_count)) +
	    WIRE_WORKERS_MAX * sizeof(struct wire_worker)
};

/* The memory that bench-run and the helper share. */
struct wire_shared {
	/* By worker: the process group of its command while it runs, else 0. bench-run
	 * kills these groups if the helper is killed. */
	volatile int32_t group[WIRE_WORKERS_MAX];
	_Atomic uint32_t batch; /* the number of the batch, from 1 on */
	_Atomic uint32_t size;  /* bytes of its results so far */
	char results[WIRE_RESULTS_MAX];
};

#endif

/*
 * A function of a shared object, or a kernel or model on a device, in a process of its own:
 * the client of the helpers bench-call and bench-compute. The process lives, and waits,
 * between its samples, so that those of many functions can take turns.
 */
#ifndef CALL_H
#define CALL_H

#include <sched.h>

#include "protocol/helper_proto.h"
#include "counters/counter.h"
#include "sys/exit_status.h"
#include "text/shell_words.h"

struct call;

struct call_config {
	const char *helper; /* its program */
	const char *object, *symbol;
	const char *set_up, *tear_down; /* symbols, or NULL */
	enum call_sort sort;
	const struct binding *param;
	size_t params;
	double items, bytes; /* of an iteration; 0: not known */
	uint32_t threads, processes;
	struct counter_set *counters;
	bool family;           /* count the threads that the function starts, too */
	bool allocs;           /* count allocations */
	const cpu_set_t *cpus; /* where it may run; NULL: anywhere */
	const char *stdin_path, *stdout_path; /* NULL: the null device */
	bool inherit;                         /* its output goes to our standard error */
	uint32_t jitter;                      /* bytes of padding in its environment */
	double timeout_ns; /* of its load and set-up together, and of each sample; 0: none
	                    */
};

/* How it goes. */
enum call_state {
	CALL_LIVES,
	CALL_OVER,        /* it has ended as it should */
	CALL_BROKEN,      /* it failed, or timed out */
	CALL_UNAVAILABLE, /* it said that it cannot be measured here */
	CALL_INTERRUPTED, /* we are to end */
};

/* Phases before the first iteration; negative: it did not come so far, or has none. */
struct call_phases {
	int64_t begin_ns; /* CLOCK_REALTIME */
	double load_ns, setup_ns;
};

struct call_sample {
	struct call_answer answer;
	const struct wire_count *counts;   /* by counter: of all workers */
	const struct call_worker *workers; /* threads * processes */
	const struct call_extra *extra;    /* numbers of this sample beside these */
	size_t extras;
};

/*
 * Start it and wait until it is set up. NULL and the message when no process could be
 * started; what the function does is told by call_state. Tells each counter whether it
 * could be opened.
 */
struct call *call_open(const struct call_config *config, struct fault *f);
enum call_state call_state(const struct call *c);
/* "ok", "failed:signal=SEGV", "timeout", "unsupported". */
const char *call_status(const struct call *c);
/* What the function said of it, or dlopen; or NULL. */
const char *call_why(const struct call *c);
struct call_phases call_phases(const struct call *c);
/* So many iterations. The sample lives until the next one; NULL: see call_state. */
const struct call_sample *call_run(struct call *c, uint64_t iterations);
/* Let it come to its end. The most memory its processes had, in bytes; 0: not known. */
int64_t call_end(struct call *c);
/* The numbers that it told when it was ready, and when it ended. */
const struct call_extra *call_told(const struct call *c, size_t *count);
void call_close(struct call *c);

#endif

/*
 * The measuring loop of bench-run for commands: hooks, warm-ups, rounds, stopping.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "emit.h"
#include "progress.h"
#include "schedule.h"
#include "spawn.h"
#include "subject.h"

enum { EXIT_CODES = 256 };

struct plan {
	const struct subjects *subjects;
	struct counter_set *counters;
	struct extract *const *extract;
	size_t extracts;
	struct stop_rule stop;
	enum order order;
	uint64_t seed;
	uint64_t warmups;
	bool keep_warmups;
	bool jitter;       /* an environment of random size for each run */
	double timeout_ns; /* of one run; 0: none */
	double idle_load;  /* wait before each round until so few processors are busy; < 0:
	                      no */
	enum wire_output output; /* OUTPUT_CAPTURE when extracts need it */
	const char *stdout_path;
	bool fine[EXIT_CODES]; /* exit codes that are a success */
};

/* How it went. */
struct outcome {
	uint64_t failed;        /* measured runs that failed */
	bool imprecise;         /* the precision asked for was not reached */
	bool never_idle;        /* a round began although the machine was busy */
	size_t failed_subject;  /* the first that failed ... */
	char failed_status[64]; /* ... and how */
};

/*
 * Measure. Hooks run under a helper of their own (NULL when there are none), so that what
 * they leave running, a server say, is neither counted with the commands nor confined to
 * their processors. 0, also after an interrupt (interrupt_seen); -1 and the message when a
 * command could not be started, a hook failed or the output could not be written. What was
 * measured until then has been handed to emit.
 */
int measure(const struct plan *plan, struct spawn *spawn, struct spawn *hooks,
    struct emit *emit, struct progress *progress, struct outcome *outcome, struct fault *f);

#endif

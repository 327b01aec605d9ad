/*
 * The events of a run: what perf_event_open(2) takes, and what became of each. Opening and
 * reading is the work of the process that counts: see spawn.h.
 */
#ifndef COUNTER_H
#define COUNTER_H

#include <linux/perf_event.h>

#include "base.h"

enum counter_state { COUNTER_READY, COUNTER_UNSUPPORTED, COUNTER_DENIED };

struct counter {
	char *name; /* as asked; ":u" is appended when only user mode may be counted */
	const char *unit; /* "ns" for clocks, else "1" */
	struct perf_event_attr attr;
	bool user_only_counts; /* still tells something without the kernel's part */
	bool asked;            /* by name, so that its absence is worth a row */
	bool user_only;	       /* the kernel's part was denied */
	enum counter_state state;
	int error; /* errno of the opening that failed */
};

struct counter_set {
	struct counter *counter;
	size_t count, cap;
};

/*
 * Add the events of a list as perf writes it: "cycles,LLC-load-misses,r01c2,task-clock:u".
 * 0, or -1 with a message naming the event that neither perf nor libpfm4 knows.
 */
int counter_add(struct counter_set *set, const char *list, bool asked, struct fault *f);
/* The events counted when nothing is asked for. */
int counter_add_default(struct counter_set *set, struct fault *f);
/* Take in what opening event i came to. */
void counter_opened(struct counter_set *set, size_t i, int error, bool user_only);
/*
 * One line, put into the empty out, about what could not be counted and what would help;
 * false when all is well.
 */
bool counter_explain(const struct counter_set *set, struct buf *out);
const char *counter_status(const struct counter *c); /* "ok", "unsupported", "denied" */
void counter_free(struct counter_set *set);

#endif
